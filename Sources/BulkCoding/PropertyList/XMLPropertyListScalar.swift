import Foundation

/// What the scalar elements of XML property lists hold.
enum XMLPropertyListScalar {
  /// The value of an element, or `nil` if its text is not one.
  static func value(of text: String, element: String) -> PropertyList? {
    switch element {
    case "string": .string(text)
    case "true": .boolean(true)
    case "false": .boolean(false)
    case "integer": integer(text)
    case "real": Double(text.trimmed).map { .real($0) }
    case "data": data(text)
    case "date": date(text.trimmed)
    default: nil
    }
  }

  private static func integer(_ text: String) -> PropertyList? {
    let text = text.trimmed
    let isNegative = text.hasPrefix("-")
    let digits = text.drop { $0 == "-" || $0 == "+" }
    guard text.count - digits.count <= 1 else { return nil }
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    let number = isHexadecimal ? digits.dropFirst(2) : digits
    guard let first = number.first, first != "-", first != "+" else { return nil }
    let radix = isHexadecimal ? 16 : 10
    if let value = Int64((isNegative ? "-" : "") + number, radix: radix) { return .integer(value) }
    return isNegative ? nil : UInt64(number, radix: radix).map { .unsigned($0) }
  }

  private static func data(_ text: String) -> PropertyList? {
    let packed = text.filter { !$0.isWhitespace }
    return Data(base64Encoded: packed).map { .data(Array($0)) }
  }

  /// A date is always `2001-01-01T00:00:00Z`.
  private static func date(_ text: String) -> PropertyList? {
    guard let date = try? Date(text, strategy: .iso8601) else { return nil }
    return .date(date.timeIntervalSinceReferenceDate)
  }
}

extension String {
  fileprivate var trimmed: String {
    let start = drop { $0.isWhitespace }
    return String(start.reversed().drop { $0.isWhitespace }.reversed())
  }
}
