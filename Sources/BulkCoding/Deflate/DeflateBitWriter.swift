/// Writes bits to a DEFLATE stream, least significant bit of a byte first.
struct DeflateBitWriter {
  private(set) var bytes: [UInt8] = []
  private var buffer: UInt64 = 0
  private var bufferedBits = 0

  /// Writes up to 32 bits.
  mutating func put(_ value: Int, _ count: Int) {
    buffer |= UInt64(value) << UInt64(bufferedBits)
    bufferedBits += count
    while bufferedBits >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: buffer))
      buffer >>= 8
      bufferedBits -= 8
    }
  }

  /// Pads a partially written byte with zero bits.
  mutating func alignToByte() {
    guard bufferedBits > 0 else { return }
    put(0, 8 - bufferedBits)
  }

  /// Writes whole bytes, at a byte boundary.
  mutating func put(_ bytes: ArraySlice<UInt8>) { self.bytes += bytes }
}
