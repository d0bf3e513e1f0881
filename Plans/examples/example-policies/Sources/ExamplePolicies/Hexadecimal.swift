/// Bytes as pairs of hexadecimal digits.
public enum Hexadecimal {
  /// The bytes that a text says; `nil` if it has an odd number of digits, or anything that is none.
  public static func bytes(of text: String) -> [UInt8]? {
    let digits = text.utf8.map { digit($0) }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var result: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[place], let low = digits[place + 1] else { return nil }
      result.append(high << 4 | low)
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
