/// One token of an expression's text.
struct ExpressionToken {
  enum Kind: Hashable {
    case word(String)
    /// A name that cannot be a keyword, written `#name` or with an escape.
    case name(String)
    /// `@name`, without `@`.
    case keyOperator(String)
    /// `$name`, without `$`.
    case variable(String)
    case string(String)
    case integer(UInt64)
    case real(Double)
    case sign
    case end
  }

  let kind: Kind
  /// The range of the token in the text, in Unicode scalars.
  let range: Range<Int>
  /// The sign, or the keyword in uppercase; `nil` for other tokens.
  let symbol: String?

  /// The operator that the token denotes; `nil` for other tokens.
  var infix: InfixOperator? { symbol.flatMap { InfixOperator.bySpelling[$0] } }
}

struct ExpressionLexer {
  private let text: String
  private let scalars: [Unicode.Scalar]
  private var index = 0

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  /// All tokens of the text, the last one ``ExpressionToken/Kind/end``.
  mutating func tokens() throws(ExpressionError) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    while true {
      skip(while: \.properties.isWhitespace)
      let start = index
      let kind = try nextKind()
      let symbol: String? =
        switch kind {
        case .sign: text(from: start)
        case .word(let word): ExpressionWord.known(word)
        case .name, .keyOperator, .variable, .string, .integer, .real, .end: nil
        }
      tokens.append(ExpressionToken(kind: kind, range: start..<index, symbol: symbol))
      if kind == .end { return tokens }
    }
  }

  private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    index + distance < scalars.count ? scalars[index + distance] : nil
  }

  private mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) {
    while let scalar = peek(), isSkipped(scalar) { index += 1 }
  }

  private func error(_ reason: ExpressionError.Reason, at offset: Int) -> ExpressionError {
    ExpressionError(reason, text: text, offset: offset)
  }

  private func text(from start: Int) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[start..<min(index, scalars.count)])
    return String(view)
  }

  private mutating func nextKind() throws(ExpressionError) -> ExpressionToken.Kind {
    guard let scalar = peek() else { return .end }
    switch scalar {
    case "\"", "'": return .string(try string(quote: scalar))
    case "@" where peek(1) == "\"" || peek(1) == "'":
      index += 1
      return .string(try string(quote: scalars[index]))
    case "@": return .keyOperator(try name(after: "@"))
    case "#": return .name(try name(after: "#"))
    case "$": return .variable(try name(after: "$"))
    case "%": throw error(.substitutionArgument(peek(1).map { "%\($0)" } ?? "%"), at: index)
    case "0"..."9": return try number()
    case _ where Identifier.canBegin(scalar) || scalar == "\\":
      let start = index
      let name = try identifier()
      return scalars[start..<index].contains("\\") ? .name(name) : .word(name)
    default: break
    }
    let pair = "\(scalar)\(peek(1).map { "\($0)" } ?? "")"
    guard let length = [pair, "\(scalar)"].first(where: ExpressionWord.signs.contains)?.count else {
      throw error(.unexpected(found: "'\(scalar)'", expected: "a value or an operator"), at: index)
    }
    index += length
    return .sign
  }

  private mutating func name(after mark: Unicode.Scalar) throws(ExpressionError) -> String {
    index += 1
    guard let scalar = peek(), Identifier.canBegin(scalar) || scalar == "\\" else {
      let found = peek().map { "'\($0)'" } ?? "the end"
      throw error(.unexpected(found: found, expected: "a name after \(mark)"), at: index)
    }
    return try identifier()
  }

  private mutating func identifier() throws(ExpressionError) -> String {
    var name = String.UnicodeScalarView()
    while let scalar = peek(), scalar == "\\" || Identifier.canContinue(scalar) {
      if scalar == "\\" {
        name.append(try escape(inString: false))
      } else {
        name.append(scalar)
        index += 1
      }
    }
    return String(name)
  }

  /// The content of a string whose opening quotation mark is at the current position.
  private mutating func string(quote: Unicode.Scalar) throws(ExpressionError) -> String {
    let start = index
    var content = String.UnicodeScalarView()
    index += 1
    while let scalar = peek(), scalar != quote {
      if scalar == "\\" {
        content.append(try escape(inString: true))
      } else {
        content.append(scalar)
        index += 1
      }
    }
    guard peek() != nil else { throw error(.unterminatedString, at: start) }
    index += 1
    return String(content)
  }

  /// What C's letters mean after a backslash in a string.
  private static let letters: [Unicode.Scalar: Unicode.Scalar] = [
    "n": "\n", "t": "\t", "r": "\r", "a": "\u{07}", "b": "\u{08}", "f": "\u{0C}", "v": "\u{0B}",
    "\\": "\\", "\"": "\"", "'": "'",
  ]

  /// The character of an escape: `\ooo`, `\xhh`, `\uhhhh`, in strings also C's letters.
  ///
  /// Two `\uhhhh` that form a surrogate pair give one character.
  private mutating func escape(inString: Bool) throws(ExpressionError) -> Unicode.Scalar {
    let start = index
    index += 1
    guard let mark = peek() else { throw error(.unknownEscape("\\"), at: start) }
    if inString, let scalar = Self.letters[mark] {
      index += 1
      return scalar
    }
    if !("0"..."7").contains(mark) { index += 1 }
    let value: UInt32? =
      switch mark {
      case "0"..."7": digits(1...3, radix: 8)
      case "x": digits(1...2, radix: 16)
      case "u": codePoint()
      default: nil
      }
    guard let scalar = value.flatMap(Unicode.Scalar.init) else {
      throw error(.unknownEscape(text(from: start)), at: start)
    }
    return scalar
  }

  /// The value of `hhhh`, or of `hhhh\uhhhh` if the first is the beginning of a surrogate pair.
  private mutating func codePoint() -> UInt32? {
    let unit = digits(4...4, radix: 16)
    guard let high = unit, (0xD800..<0xDC00).contains(high) else { return unit }
    guard peek() == "\\", peek(1) == "u" else { return nil }
    index += 2
    guard let low = digits(4...4, radix: 16), (0xDC00..<0xE000).contains(low) else { return nil }
    return 0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)
  }

  /// The value of the digits at the current position, if there are this many.
  private mutating func digits(_ count: ClosedRange<Int>, radix: Int) -> UInt32? {
    var found = ""
    while found.utf8.count < count.upperBound, let scalar = peek(), scalar.isASCII,
      let digit = Character(scalar).hexDigitValue, digit < radix
    {
      found.unicodeScalars.append(scalar)
      index += 1
    }
    return found.utf8.count < count.lowerBound ? nil : UInt32(found, radix: radix)
  }

  private static let radixes: [Unicode.Scalar: Int] = [
    "x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2,
  ]

  /// An unsigned number: decimal, with a fraction or an exponent, or after `0x`, `0o`, `0b`.
  private mutating func number() throws(ExpressionError) -> ExpressionToken.Kind {
    let start = index
    let radix = peek() == "0" ? peek(1).flatMap { Self.radixes[$0] } : nil
    if radix != nil { index += 2 } else { skip(while: Self.isDigit) }
    let isReal = radix == nil && skipFraction()
    // The error quotes all characters that may not follow a number.
    skip(while: Identifier.canContinue)
    let digits = text(from: start)
    if isReal {
      guard let value = Double(digits) else { throw error(.malformedNumber(digits), at: start) }
      guard value.isFinite else { throw error(.numberOutOfRange(digits), at: start) }
      return .real(value)
    }
    let significant = radix == nil ? digits : String(digits.dropFirst(2))
    if let value = UInt64(significant, radix: radix ?? 10) { return .integer(value) }
    let isNumber =
      !significant.isEmpty && significant.allSatisfy { ($0.hexDigitValue ?? 16) < radix ?? 10 }
    throw error(isNumber ? .numberOutOfRange(digits) : .malformedNumber(digits), at: start)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Skips a fraction and an exponent; returns whether there was either.
  private mutating func skipFraction() -> Bool {
    let start = index
    if peek() == ".", let digit = peek(1), Self.isDigit(digit) {
      index += 1
      skip(while: Self.isDigit)
    }
    if peek() == "e" || peek() == "E" {
      index += peek(1) == "+" || peek(1) == "-" ? 2 : 1
      skip(while: Self.isDigit)
    }
    return index > start
  }
}
