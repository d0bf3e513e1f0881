public import BulkMigrate

/// Reads and writes the colors of an app that stored one byte each of red, green and blue, as `#ff8000`.
public struct ColorTransformer: AttributeTransformer {
  /// The transformer; it has no state.
  public init() {}

  /// The text of a color.
  ///
  /// - Throws: `PolicyError` if there are not three bytes, which is an error of the row.
  public func value(of bytes: [UInt8]) throws -> AttributeValue {
    guard bytes.count == 3 else { throw PolicyError("a color has 3 bytes, not \(bytes.count)") }
    let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
    return .string("#" + digits.joined())
  }

  /// The bytes of a color's text.
  ///
  /// - Throws: `PolicyError` if it is not a color, which is an error of the row.
  public func bytes(of value: AttributeValue) throws -> [UInt8] {
    guard case .string(let text) = value, text.hasPrefix("#"),
      let bytes = Hexadecimal.bytes(of: String(text.dropFirst())), bytes.count == 3
    else { throw PolicyError("it is not a text such as #ff8000") }
    return bytes
  }
}
