/// Makes the checksums of a write-ahead log again, from the description of the format alone.
///
/// Source: section 4.2 “Checksum Algorithm” of SQLite's file format document.
enum LogChecksum {
  enum Order: Sendable {
    /// The magic number 0x377f0683.
    case bigEndian
    /// The magic number 0x377f0682.
    case littleEndian
  }

  /// The same log with the magic number and the checksums of a byte order.
  static func rewritten(_ log: [UInt8], _ order: Order) -> [UInt8] {
    var log = log
    let pageSize = Int(log[8]) << 24 | Int(log[9]) << 16 | Int(log[10]) << 8 | Int(log[11])
    log[3] = order == .bigEndian ? 0x83 : 0x82
    var sum: (UInt32, UInt32) = (0, 0)
    add(log[0..<24], to: &sum, order)
    store(sum, in: &log, at: 24)
    var frame = 32
    while frame + 24 + pageSize <= log.count {
      add(log[frame..<(frame + 8)], to: &sum, order)
      add(log[(frame + 24)..<(frame + 24 + pageSize)], to: &sum, order)
      store(sum, in: &log, at: frame + 16)
      frame += 24 + pageSize
    }
    return log
  }

  private static func add(
    _ bytes: ArraySlice<UInt8>,
    to sum: inout (UInt32, UInt32),
    _ order: Order
  ) {
    for offset in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
      sum.0 &+= word(bytes, offset, order) &+ sum.1
      sum.1 &+= word(bytes, offset + 4, order) &+ sum.0
    }
  }

  private static func word(_ bytes: ArraySlice<UInt8>, _ offset: Int, _ order: Order) -> UInt32 {
    let big =
      UInt32(bytes[offset]) << 24 | UInt32(bytes[offset + 1]) << 16
      | UInt32(bytes[offset + 2]) << 8 | UInt32(bytes[offset + 3])
    return order == .bigEndian ? big : big.byteSwapped
  }

  private static func store(_ sum: (UInt32, UInt32), in log: inout [UInt8], at offset: Int) {
    for byte in 0..<4 {
      log[offset + byte] = UInt8(truncatingIfNeeded: sum.0 >> UInt32(24 - 8 * byte))
      log[offset + 4 + byte] = UInt8(truncatingIfNeeded: sum.1 >> UInt32(24 - 8 * byte))
    }
  }
}
