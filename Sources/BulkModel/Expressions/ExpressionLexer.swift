/// Splits the text of an expression into tokens.
struct ExpressionLexer {
  private let text: String
  let scalars: [Unicode.Scalar]
  var index = 0

  init(_ text: String) {
    self.text = text
    scalars = Array(text.unicodeScalars)
  }

  /// All tokens of the text, the last one ``ExpressionToken/Kind/end``.
  mutating func tokens() throws(ExpressionError) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    while true {
      while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
      let start = index
      let kind = try nextKind()
      tokens.append(ExpressionToken(kind: kind, range: start..<index))
      if kind == .end { return tokens }
    }
  }

  /// The scalar at a distance ahead, if there is one.
  func peek(_ distance: Int = 0) -> Unicode.Scalar? {
    let place = index + distance
    return place < scalars.count ? scalars[place] : nil
  }

  func error(_ reason: ExpressionError.Reason, at offset: Int) -> ExpressionError {
    ExpressionError(reason, text: text, offset: offset)
  }

  /// The scalars from an offset to the current position.
  func text(from start: Int) -> String {
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
    case "@": return .keyOperator(try name(after: "@").text)
    case "#": return .name(try name(after: "#").text)
    case "$": return .variable(try name(after: "$").text)
    case "%": throw error(.substitutionArgument(peek(1).map { "%\($0)" } ?? "%"), at: index)
    case "0"..."9": return try number()
    case _ where Identifier.canBegin(scalar) || scalar == "\\":
      let (name, isEscaped) = try identifier()
      return isEscaped ? .name(name) : .word(name)
    default: return .sign(try sign(beginning: scalar))
    }
  }

  private mutating func sign(
    beginning scalar: Unicode.Scalar
  ) throws(ExpressionError) -> ExpressionToken.Sign {
    if let second = peek(1), let sign = ExpressionToken.Sign(rawValue: "\(scalar)\(second)") {
      index += 2
      return sign
    }
    guard let sign = ExpressionToken.Sign(rawValue: "\(scalar)") else {
      throw error(.unexpected(found: "'\(scalar)'", expected: "a value or an operator"), at: index)
    }
    index += 1
    return sign
  }

  private mutating func name(
    after mark: Unicode.Scalar
  ) throws(ExpressionError) -> (text: String, isEscaped: Bool) {
    index += 1
    guard let scalar = peek(), Identifier.canBegin(scalar) || scalar == "\\" else {
      let found = peek().map { "'\($0)'" } ?? "the end"
      throw error(.unexpected(found: found, expected: "a name after \(mark)"), at: index)
    }
    return try identifier()
  }

  private mutating func identifier() throws(ExpressionError) -> (text: String, isEscaped: Bool) {
    var name = String.UnicodeScalarView()
    var isEscaped = false
    while let scalar = peek() {
      if scalar == "\\" {
        name.append(try escape(inString: false))
        isEscaped = true
      } else if Identifier.canContinue(scalar) {
        name.append(scalar)
        index += 1
      } else {
        break
      }
    }
    return (String(name), isEscaped)
  }
}

extension ExpressionLexer {
  /// An unsigned number: decimal, with a fraction or an exponent, or after `0x`, `0o`, `0b`.
  mutating func number() throws(ExpressionError) -> ExpressionToken.Kind {
    let start = index
    if peek() == "0", let radix = peek(1).flatMap(Self.radix) {
      index += 2
      return .integer(try integer(radix: radix, from: start))
    }
    skipDigits()
    guard skipFraction() else { return .integer(try integer(radix: 10, from: start)) }
    skipLetters()
    let digits = text(from: start)
    guard let value = Double(digits) else { throw error(.malformedNumber(digits), at: start) }
    guard value.isFinite else { throw error(.numberOutOfRange(digits), at: start) }
    return .real(value)
  }

  private static func radix(ofPrefix letter: Unicode.Scalar) -> Int? {
    switch letter {
    case "x", "X": 16
    case "o", "O": 8
    case "b", "B": 2
    default: nil
    }
  }

  private mutating func integer(radix: Int, from start: Int) throws(ExpressionError) -> UInt64 {
    skipLetters()
    let digits = text(from: start)
    let significant = radix == 10 ? digits : String(digits.dropFirst(2))
    if let value = UInt64(significant, radix: radix) { return value }
    let isNumber =
      !significant.isEmpty && significant.allSatisfy { ($0.hexDigitValue ?? 16) < radix }
    throw error(isNumber ? .numberOutOfRange(digits) : .malformedNumber(digits), at: start)
  }

  private mutating func skipDigits() {
    while let scalar = peek(), ("0"..."9").contains(scalar) { index += 1 }
  }

  /// Skips a fraction and an exponent; returns whether there was either.
  private mutating func skipFraction() -> Bool {
    let start = index
    if peek() == ".", let digit = peek(1), ("0"..."9").contains(digit) {
      index += 1
      skipDigits()
    }
    if peek() == "e" || peek() == "E" {
      let isSigned = peek(1) == "+" || peek(1) == "-"
      index += isSigned ? 2 : 1
      skipDigits()
    }
    return index > start
  }

  /// Skips characters that may not follow a number, so that the error quotes all of them.
  private mutating func skipLetters() {
    while let scalar = peek(), Identifier.canContinue(scalar) { index += 1 }
  }
}
