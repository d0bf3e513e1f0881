/// Reads a pattern scalar by scalar.
struct PatternCursor {
  private let scalars: [Unicode.Scalar]
  private(set) var offset = 0
  /// Whether white space and comments are ignored.
  var skipsComments = false

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  /// The column of the next scalar, from 1.
  var column: Int { offset + 1 }

  /// The next scalar, even if it is to be ignored.
  var raw: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }

  /// The next scalar after ignored white space and comments.
  mutating func peek() -> Unicode.Scalar? {
    if skipsComments { skipIgnored() }
    return raw
  }

  mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek() else { return nil }
    offset += 1
    return scalar
  }

  /// Reads a scalar, even if it is to be ignored.
  mutating func nextRaw() -> Unicode.Scalar? {
    guard let scalar = raw else { return nil }
    offset += 1
    return scalar
  }

  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    offset += 1
    return true
  }

  /// Reads a text if it comes next, without ignoring anything.
  mutating func skip(text: String) -> Bool {
    guard scalars[offset...].starts(with: text.unicodeScalars) else { return false }
    offset += text.unicodeScalars.count
    return true
  }

  /// Reads some scalars if they come next, between which white space and comments may be ignored.
  mutating func skip(scalars: String) -> Bool {
    let start = offset
    for scalar in scalars.unicodeScalars where !skip(scalar) {
      offset = start
      return false
    }
    return true
  }

  /// Reads up to and including a scalar; returns `nil`, and reads nothing, if it does not occur.
  mutating func text(to end: Unicode.Scalar) -> String? {
    guard let found = scalars[offset...].firstIndex(of: end) else { return nil }
    defer { offset = found + 1 }
    return String(String.UnicodeScalarView(scalars[offset..<found]))
  }

  mutating func number(base: Int, most: Int) -> UInt32? {
    var number: UInt32?
    for _ in 0..<most {
      guard let raw, raw.isASCII, let digit = UInt32(String(raw), radix: base) else { break }
      number = (number ?? 0) * UInt32(base) + digit
      offset += 1
    }
    return number
  }

  mutating func goBack(to offset: Int) { self.offset = offset }

  /// The text between `\Q` and `\E`, or the end of the pattern.
  mutating func quoted() -> [Unicode.Scalar] {
    var quoted: [Unicode.Scalar] = []
    while !skip(text: "\\E"), let scalar = nextRaw() { quoted.append(scalar) }
    return quoted
  }

  /// Reads the rest of an escape for a class; returns `nil`, and reads nothing, if the escape stands for a scalar.
  mutating func readClass(
    _ flags: PatternTranslator.Flags,
    _ column: Int
  ) throws(RegularExpressionFault) -> PatternClass? {
    guard let scalar = raw else { return nil }
    let kind = Unicode.Scalar(scalar.properties.lowercaseMapping) ?? scalar
    let isNegated = kind != scalar
    if scalar == "N" { throw .unsupported("\\N", column: column) }
    guard kind == "p" || PatternClass.escapes[kind] != nil else { return nil }
    _ = nextRaw()
    if let members = PatternClass.escapes[kind] {
      return PatternClass(members, isNegated: isNegated)
    }
    guard nextRaw() == "{", let name = text(to: "}") else {
      throw .invalid("\\p is followed by no name in braces", column: column)
    }
    return PatternClass(named: name, isNegated: isNegated, ignoresCase: flags.ignoresCase)
  }

  /// Reads the rest of an escape that stands for one scalar.
  mutating func escapedLiteral(column: Int) throws(RegularExpressionFault) -> Unicode.Scalar {
    guard let scalar = nextRaw() else {
      throw .invalid("nothing follows the backslash", column: column)
    }
    switch scalar {
    case "a": return "\u{7}"
    case "e": return "\u{1B}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "c":
      guard let control = nextRaw() else { break }
      return Unicode.Scalar(UInt8(control.value & 0x1F))
    case "0": return try octalScalar(column: column)
    case "x": return try hexScalar(column: column)
    case "u": return try fixedScalar(digits: 4, column: column)
    case "U": return try fixedScalar(digits: 8, column: column)
    case "1", "2", "3", "4", "5", "6", "7", "8", "9": break
    default: return scalar
    }
    throw .invalid("\\\(scalar) has no meaning", column: column)
  }

  /// Up to three octal digits, at most 377.
  private mutating func octalScalar(column: Int) throws(RegularExpressionFault) -> Unicode.Scalar {
    let most = ("0"..."3").contains(raw ?? "9") ? 3 : 2
    return try checked(number(base: 8, most: most), column: column)
  }

  private mutating func hexScalar(column: Int) throws(RegularExpressionFault) -> Unicode.Scalar {
    guard raw == "{" else {
      return try checked(number(base: 16, most: 2), column: column)
    }
    _ = nextRaw()
    let number = number(base: 16, most: 6)
    guard nextRaw() == "}" else { throw .invalid("\\x{ is never closed", column: column) }
    return try checked(number, column: column)
  }

  private mutating func fixedScalar(
    digits: Int,
    column: Int
  ) throws(RegularExpressionFault) -> Unicode.Scalar {
    let number = try fixedNumber(digits: digits, column: column)
    // A surrogate pair stands for one scalar.
    guard (0xD800..<0xDC00).contains(number), skip(text: "\\u") else {
      return try checked(number, column: column)
    }
    let second = try fixedNumber(digits: 4, column: column)
    guard (0xDC00..<0xE000).contains(second) else { return try checked(number, column: column) }
    return try checked(0x1_0000 + (number - 0xD800) << 10 + (second - 0xDC00), column: column)
  }

  private mutating func fixedNumber(
    digits: Int,
    column: Int
  ) throws(RegularExpressionFault) -> UInt32 {
    let start = offset
    guard let number = number(base: 16, most: digits), offset == start + digits else {
      throw .invalid("the escape has fewer than \(digits) digits", column: column)
    }
    return number
  }

  private func checked(
    _ number: UInt32?,
    column: Int
  ) throws(RegularExpressionFault) -> Unicode.Scalar {
    guard let number, let scalar = Unicode.Scalar(number) else {
      throw .invalid("the escape denotes no character", column: column)
    }
    return scalar
  }

  private mutating func skipIgnored() {
    while let scalar = raw {
      if scalar.properties.isPatternWhitespace {
        offset += 1
      } else if scalar == "#" {
        while let scalar = raw, !["\n", "\r", "\u{85}", "\u{2028}"].contains(scalar) { offset += 1 }
      } else {
        return
      }
    }
  }
}
