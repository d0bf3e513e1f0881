/// Reads bits from a DEFLATE stream, least significant bit of a byte first.
struct DeflateBitReader {
  private let bytes: [UInt8]
  private(set) var offset = 0
  private var buffer: UInt64 = 0
  private var bufferedBits = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The position of the next bit in the stream.
  var position: Int { offset - bufferedBits / 8 }

  /// Up to 32 bits, without consuming them; bits past the end read as zero.
  mutating func peek(_ count: Int) -> Int {
    while bufferedBits < count, offset < bytes.count {
      buffer |= UInt64(bytes[offset]) << UInt64(bufferedBits)
      bufferedBits += 8
      offset += 1
    }
    return Int(buffer & ((1 << UInt64(count)) - 1))
  }

  /// Consumes bits.
  mutating func skip(_ count: Int) throws(CodingError) {
    guard count <= bufferedBits else {
      throw .truncated("a DEFLATE stream", offset: bytes.count)
    }
    buffer >>= UInt64(count)
    bufferedBits -= count
  }

  /// Reads up to 32 bits.
  mutating func take(_ count: Int) throws(CodingError) -> Int {
    let value = peek(count)
    try skip(count)
    return value
  }

  /// Skips the rest of a partially read byte.
  mutating func alignToByte() {
    buffer >>= UInt64(bufferedBits % 8)
    bufferedBits -= bufferedBits % 8
  }

  /// Reads whole bytes, at a byte boundary.
  mutating func takeBytes(_ count: Int) throws(CodingError) -> ArraySlice<UInt8> {
    let start = position
    guard count <= bytes.count - start else {
      throw .truncated("a stored block of a DEFLATE stream", offset: bytes.count)
    }
    (buffer, bufferedBits, offset) = (0, 0, start + count)
    return bytes[start..<offset]
  }

  /// Whether only the rest of a byte is left.
  var isAtEnd: Bool { position >= bytes.count }
}
