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

  /// Passes over a fraction and an exponent; says whether there was one of them.
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

  /// Passes over what may not follow a number, so that the whole of it is quoted.
  private mutating func skipLetters() {
    while let scalar = peek(), Identifier.canContinue(scalar) { index += 1 }
  }
}
