import BulkCoding

/// A limit of what is written, as it is typed.
struct WriteRate: Sendable {
  /// The bytes a second; `nil` for no limit.
  let bytesPerSecond: ByteCount?

  static let placeholder = "RATE"
  static let help = "Bytes a second: 50M, or 50MB/s; off for no limit."
  static let off = "off"

  /// No limit.
  init() { bytesPerSecond = nil }

  /// Parses a rate, or the word for none.
  init(parsing text: String) throws {
    guard text != Self.off else {
      bytesPerSecond = nil
      return
    }
    let rate = try ByteCount(parsing: text.hasSuffix("/s") ? String(text.dropLast(2)) : text)
    guard rate.bytes >= 1_024 else { throw UnknownWord(text, among: ["1K or more", Self.off]) }
    bytesPerSecond = rate
  }
}
