extension ExpressionLexer {
  /// The content of a string whose opening quotation mark is at the current position.
  mutating func string(quote: Unicode.Scalar) throws(ExpressionError) -> String {
    let start = index
    var content = String.UnicodeScalarView()
    index += 1
    while let scalar = peek() {
      switch scalar {
      case quote:
        index += 1
        return String(content)
      case "\\":
        content.append(try escape(inString: true))
      default:
        content.append(scalar)
        index += 1
      }
    }
    throw error(.unterminatedString, at: start)
  }

  /// The character of an escape: `\ooo`, `\xhh`, `\uhhhh`, in strings also C's letters.
  ///
  /// Two `\uhhhh` that form a surrogate pair give one character.
  mutating func escape(inString: Bool) throws(ExpressionError) -> Unicode.Scalar {
    let start = index
    index += 1
    guard let mark = peek() else { throw error(.unknownEscape("\\"), at: start) }
    index += 1
    switch mark {
    case "0"..."7":
      index -= 1
      return try scalar(digits(1...3, radix: 8), from: start)
    case "x": return try scalar(digits(1...2, radix: 16), from: start)
    case "u": return try unicodeScalar(from: start)
    case "n" where inString: return "\n"
    case "t" where inString: return "\t"
    case "r" where inString: return "\r"
    case "a" where inString: return "\u{07}"
    case "b" where inString: return "\u{08}"
    case "f" where inString: return "\u{0C}"
    case "v" where inString: return "\u{0B}"
    case "\\" where inString, "\"" where inString, "'" where inString: return mark
    default: throw error(.unknownEscape(text(from: start)), at: start)
    }
  }

  private mutating func unicodeScalar(from start: Int) throws(ExpressionError) -> Unicode.Scalar {
    let unit = digits(4...4, radix: 16)
    guard let high = unit, (0xD800..<0xDC00).contains(high) else {
      return try scalar(unit, from: start)
    }
    guard peek() == "\\", peek(1) == "u" else { return try scalar(nil, from: start) }
    index += 2
    guard let low = digits(4...4, radix: 16), (0xDC00..<0xE000).contains(low) else {
      return try scalar(nil, from: start)
    }
    return try scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), from: start)
  }

  private func scalar(
    _ value: UInt32?,
    from start: Int
  ) throws(ExpressionError) -> Unicode.Scalar {
    guard let scalar = value.flatMap(Unicode.Scalar.init) else {
      throw error(.unknownEscape(text(from: start)), at: start)
    }
    return scalar
  }

  /// The value of the ASCII digits at the current position, if there are exactly this many.
  private mutating func digits(_ count: ClosedRange<Int>, radix: UInt32) -> UInt32? {
    var value: UInt32 = 0
    var found = 0
    while found < count.upperBound, let digit = peek()?.digitValue, digit < radix {
      value = value * radix + digit
      found += 1
      index += 1
    }
    return found < count.lowerBound ? nil : value
  }
}

extension Unicode.Scalar {
  /// The value of an ASCII digit or of a letter from A to F.
  fileprivate var digitValue: UInt32? {
    switch self {
    case "0"..."9": value - 48
    case "A"..."F": value - 55
    case "a"..."f": value - 87
    default: nil
    }
  }
}
