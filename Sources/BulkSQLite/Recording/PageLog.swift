internal import BulkPlatform

/// Digests of a database's pages, recorded in a file beside it while SQLite writes them, so that later
/// changes to a page are detected.
///
/// The file's name is that of the database followed by `-pages`; it is a sequence of ``PageRecord``s. Before
/// SQLite commits, it syncs the database; the log then ends a group and is synced too. So every committed
/// transaction has its group in the log, and records after the last such group are ignored.
final class PageLog {
  /// The bytes that are buffered before they are written.
  private static let bufferSize = 1 << 16

  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var end: Int64
  private var digest = ContentDigest()
  private var transaction: UInt32 = 0
  /// The page size in bytes; 0 before the first page is written.
  private var pageSize: Int64 = 0
  private var hasOpenGroup = false

  /// The log of a database.
  static func path(of database: String) -> String { database + "-pages" }

  /// Creates a log, or continues one that ``PageCheck`` has cut to its valid part.
  ///
  /// - Returns: `nil` if the file cannot be created or read.
  init?(of database: String) {
    path = Self.path(of: database)
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return nil }
    end = Int64(lseek(descriptor, 0, SEEK_END))
    buffer.reserveCapacity(Self.bufferSize)
    guard end >= 0, takeUp() else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Adds the existing records to the digest.
  private func takeUp() -> Bool {
    guard end > 0, let reader = try? PageLogReader(path) else { return end == 0 }
    return
      (try? reader.each { record, _ in
        digest.take(record)
        if record.kind == .end { transaction = record.number }
      }) != nil
  }

  /// Records that a page was written.
  ///
  /// - Returns: Whether it was recorded.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    // SQLite writes a database page by page.
    guard !bytes.isEmpty, let number = UInt32(exactly: offset / Int64(bytes.count) + 1) else {
      return false
    }
    if number == 1, bytes.count >= PageRecord.applicationNumber + 4 {
      transaction = UInt32(
        bigEndian: bytes.loadUnaligned(
          fromByteOffset: PageRecord.applicationNumber,
          as: UInt32.self
        )
      )
    }
    pageSize = Int64(bytes.count)
    return append(PageRecord(.page, number, PageRecord.digest(of: bytes, number: number)))
  }

  /// Records that a page was written, which is not the first one.
  ///
  /// - Parameters:
  ///   - digest: Its digest.
  ///   - offset: Its place in the file.
  ///   - size: Its size in bytes.
  /// - Returns: Whether it was recorded.
  func record(_ digest: UInt64, at offset: Int64, pageSize size: Int) -> Bool {
    guard let number = UInt32(exactly: offset / Int64(size) + 1), number > 1 else { return false }
    pageSize = Int64(size)
    return append(PageRecord(.page, number, digest))
  }

  /// Records that the file was truncated to a size in bytes.
  ///
  /// - Returns: Whether it was recorded.
  func cut(toSize size: Int64) -> Bool {
    // Before the first page is written, there is nothing that truncation could invalidate.
    guard pageSize > 0 else { return true }
    return append(PageRecord(.cut, UInt32(clamping: size / pageSize), 0))
  }

  /// Ends a group, and waits until it is on disk.
  ///
  /// - Returns: Whether it is on disk.
  func synchronize() -> Bool {
    guard hasOpenGroup else { return true }
    guard append(PageRecord(.end, transaction, digest.word)), flush(), fsync(descriptor) == 0 else {
      return false
    }
    hasOpenGroup = false
    return true
  }

  private func append(_ record: PageRecord) -> Bool {
    hasOpenGroup = true
    record.append(to: &buffer)
    digest.take(record)
    return buffer.count < Self.bufferSize || flush()
  }

  private func flush() -> Bool {
    let (descriptor, end) = (descriptor, end)
    guard buffer.withUnsafeBytes({ PositionalWriting.write($0, to: descriptor, at: end) }) else {
      return false
    }
    self.end += Int64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
    return true
  }
}
