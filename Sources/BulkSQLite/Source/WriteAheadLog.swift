/// Reads the committed frames of a write-ahead log.
///
/// Source of the format: “The Write-Ahead Log”, section 4 of SQLite's file format document.
struct WriteAheadLog {
  let overlay: PageOverlay
  /// The running checksum up to the last commit; it covers every valid byte.
  let checksum: UInt64

  private static let headerSize = 32
  private static let frameHeaderSize = 24

  private static let version: UInt32 = 3_007_000

  /// Reads a log; returns `nil` if it has no committed frame, because SQLite ignores such a log.
  init?(file: PlainFile) throws(SQLiteError) {
    guard
      let header = try file.read(Self.headerSize, at: 0),
      let checks = Header(header)
    else { return nil }
    let version = header.bigEndian32(at: 4)
    guard version == Self.version else {
      throw SQLiteError(
        .cannotOpen,
        message: "its log has version \(version), but only \(Self.version) is known",
        path: file.path
      )
    }
    var sum = checks.sum
    var found: [(page: UInt32, offset: Int64)] = []
    var committed = 0
    var pageCount: UInt32 = 0
    var committedSum = sum
    var offset = Int64(Self.headerSize)
    while let frame = try file.read(Self.frameHeaderSize + checks.pageSize, at: offset) {
      guard let page = checks.page(ofFrame: frame, sum: &sum) else { break }
      found.append((page, offset + Int64(Self.frameHeaderSize)))
      let sizeAfterCommit = frame.bigEndian32(at: 4)
      if sizeAfterCommit != 0 {
        committed = found.count
        pageCount = sizeAfterCommit
        committedSum = sum
      }
      offset += Int64(frame.count)
    }
    guard committed > 0 else { return nil }
    overlay = PageOverlay(
      pageSize: checks.pageSize,
      pageCount: Int64(pageCount),
      found: Array(found.prefix(committed)).filter { $0.page <= pageCount },
      keepsLast: true
    )
    checksum = UInt64(committedSum.0) << 32 | UInt64(committedSum.1)
  }

  private struct Header {
    let pageSize: Int
    let salt: [UInt8]
    let isBigEndian: Bool
    let sum: (UInt32, UInt32)

    init?(_ bytes: [UInt8]) {
      let magic = bytes.bigEndian32(at: 0)
      guard magic & ~1 == 0x377f_0682 else { return nil }
      isBigEndian = magic & 1 == 1
      let size = bytes.bigEndian32(at: 8)
      guard (512...65_536).contains(size), size.nonzeroBitCount == 1 else { return nil }
      pageSize = Int(size)
      salt = Array(bytes[16..<24])
      sum = Self.checksum(bytes[0..<24], from: (0, 0), isBigEndian: isBigEndian)
      guard sum.0 == bytes.bigEndian32(at: 24), sum.1 == bytes.bigEndian32(at: 28) else {
        return nil
      }
    }

    func page(ofFrame frame: [UInt8], sum: inout (UInt32, UInt32)) -> UInt32? {
      guard Array(frame[8..<16]) == salt else { return nil }
      var next = Self.checksum(frame[0..<8], from: sum, isBigEndian: isBigEndian)
      next = Self.checksum(
        frame[WriteAheadLog.frameHeaderSize...],
        from: next,
        isBigEndian: isBigEndian
      )
      guard next.0 == frame.bigEndian32(at: 16), next.1 == frame.bigEndian32(at: 20) else {
        return nil
      }
      sum = next
      let page = frame.bigEndian32(at: 0)
      return page == 0 ? nil : page
    }

    private static func checksum(
      _ bytes: ArraySlice<UInt8>,
      from start: (UInt32, UInt32),
      isBigEndian: Bool
    ) -> (UInt32, UInt32) {
      var (first, second) = start
      bytes.withUnsafeBytes { raw in
        for offset in stride(from: 0, to: raw.count - 7, by: 8) {
          let one = raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
          let two = raw.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          first &+= (isBigEndian ? UInt32(bigEndian: one) : UInt32(littleEndian: one)) &+ second
          second &+= (isBigEndian ? UInt32(bigEndian: two) : UInt32(littleEndian: two)) &+ first
        }
      }
      return (first, second)
    }
  }
}
