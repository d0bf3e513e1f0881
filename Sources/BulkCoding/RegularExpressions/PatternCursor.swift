/// Reads a pattern scalar by scalar.
struct PatternCursor {
  private let scalars: [Unicode.Scalar]
  private(set) var place = 0
  /// Whether white space and comments are ignored.
  var skipsComments = false

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  /// The column of the next scalar, from 1.
  var column: Int { place + 1 }

  /// The next scalar, even if it is to be ignored.
  var raw: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  /// The next scalar after ignored white space and comments.
  mutating func peek() -> Unicode.Scalar? {
    if skipsComments { skipIgnored() }
    return raw
  }

  mutating func next() -> Unicode.Scalar? {
    guard let scalar = peek() else { return nil }
    place += 1
    return scalar
  }

  /// Reads a scalar, even if it is to be ignored.
  mutating func nextRaw() -> Unicode.Scalar? {
    guard let scalar = raw else { return nil }
    place += 1
    return scalar
  }

  /// Reads a scalar if it is the expected one.
  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard peek() == scalar else { return false }
    place += 1
    return true
  }

  /// Reads a text if it comes next, without ignoring anything.
  mutating func skip(text: String) -> Bool {
    guard scalars[place...].starts(with: text.unicodeScalars) else { return false }
    place += text.unicodeScalars.count
    return true
  }

  /// Reads up to and including a scalar; returns `nil`, and reads nothing, if it does not occur.
  mutating func text(to end: Unicode.Scalar) -> String? {
    guard let found = scalars[place...].firstIndex(of: end) else { return nil }
    defer { place = found + 1 }
    return String(String.UnicodeScalarView(scalars[place..<found]))
  }

  /// Reads up to this many digits in a base.
  mutating func number(base: Int, most: Int) -> UInt32? {
    var number: UInt32?
    for _ in 0..<most {
      guard let raw, raw.isASCII, let digit = UInt32(String(raw), radix: base) else { break }
      number = (number ?? 0) * UInt32(base) + digit
      place += 1
    }
    return number
  }

  mutating func goBack(to place: Int) { self.place = place }

  private mutating func skipIgnored() {
    while let scalar = raw {
      if scalar.properties.isPatternWhitespace {
        place += 1
      } else if scalar == "#" {
        while let scalar = raw, !["\n", "\r", "\u{85}", "\u{2028}"].contains(scalar) { place += 1 }
      } else {
        return
      }
    }
  }
}
