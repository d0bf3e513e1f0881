internal import BulkSupport

/// Digests of a database's pages, recorded in a file beside it while SQLite writes them, so that later
/// changes to a page are detected.
///
/// The file's name is that of the database followed by `-pages`; it is a sequence of ``PageRecord``s. Before
/// SQLite commits, it syncs the database; the log then ends a group and is synced too. So every committed
/// transaction has its group in the log, and records after the last such group are ignored.
final class PageLog {
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

  static func path(of database: String) -> String { database + "-pages" }

  /// Creates a log, or continues one that ``PageCheck`` has cut to its valid part; `nil` if the file cannot be
  /// created or read.
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

  private func takeUp() -> Bool {
    guard end > 0, let reader = try? PageLogReader(path) else { return end == 0 }
    return
      (try? reader.each { record, _ in
        digest.take(record)
        if record.kind == .end { transaction = record.number }
      }) != nil
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    // SQLite writes a database page by page.
    guard !bytes.isEmpty, let number = UInt32(exactly: offset / Int64(bytes.count) + 1) else {
      return false
    }
    if number == 1, bytes.count >= PageRecord.userVersion + 4 {
      transaction = UInt32(
        bigEndian: bytes.loadUnaligned(
          fromByteOffset: PageRecord.userVersion,
          as: UInt32.self
        )
      )
    }
    pageSize = Int64(bytes.count)
    return append(PageRecord(.page, number, PageRecord.digest(of: bytes, number: number)))
  }

  /// The page is not the first one.
  func record(_ digest: UInt64, at offset: Int64, pageSize size: Int) -> Bool {
    guard let number = UInt32(exactly: offset / Int64(size) + 1), number > 1 else { return false }
    pageSize = Int64(size)
    return append(PageRecord(.page, number, digest))
  }

  /// The size is in bytes.
  func cut(toSize size: Int64) -> Bool {
    // Before the first page is written, there is nothing that truncation could invalidate.
    guard pageSize > 0 else { return true }
    return append(PageRecord(.cut, UInt32(clamping: size / pageSize), 0))
  }

  /// Returns whether the group is on disk.
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

/// Reads a ``PageLog`` from its beginning to the end of its whole records.
struct PageLogReader {
  private static let recordsAtOnce = 4096
  private let file: PlainFile

  init(_ path: String) throws(SQLiteError) {
    file = try PlainFile.existing(path)
  }

  /// Calls a body with every record and the offset after it, up to the first invalid record.
  func each(_ body: (PageRecord, Int64) -> Void) throws(SQLiteError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.recordsAtOnce * PageRecord.size,
      alignment: 16
    )
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      let count = file.read(into: buffer, at: offset)
      guard count >= 0 else { throw file.readFailure }
      for position in stride(from: 0, through: count - PageRecord.size, by: PageRecord.size) {
        guard let record = PageRecord(UnsafeRawBufferPointer(buffer), at: position) else { return }
        offset += Int64(PageRecord.size)
        body(record, offset)
      }
      if count < buffer.count { return }
    }
  }
}

extension ContentDigest {
  mutating func take(_ record: PageRecord) {
    withUnsafeBytes(
      of: (
        UInt64(record.number).littleEndian, UInt64(record.kind.rawValue).littleEndian,
        record.value.littleEndian, UInt64(0)
      )
    ) { update($0) }
  }
}

/// A record of a ``PageLog``: 16 bytes, little-endian.
///
/// | offset | width | of a page              | of the end of a group        | of a truncation     |
/// |-------:|------:|------------------------|------------------------------|---------------------|
/// |      0 |     4 | its number, from 1     | the transaction's number     | the remaining pages |
/// |      4 |     4 | 0                      | 1                            | 2                   |
/// |      8 |     8 | its digest             | the digest of all before it  | 0                   |
struct PageRecord: Equatable {
  static let size = 16

  enum Kind: UInt32 {
    case page = 0
    /// Everything before this is on disk.
    case end = 1
    case cut = 2
  }

  var kind: Kind
  /// The page, the transaction that a group belongs to, or the remaining pages.
  var number: UInt32
  var value: UInt64

  func append(to bytes: inout [UInt8]) {
    withUnsafeBytes(of: (number.littleEndian, kind.rawValue.littleEndian)) {
      bytes.append(contentsOf: $0)
    }
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  init(_ kind: Kind, _ number: UInt32, _ value: UInt64) {
    (self.kind, self.number, self.value) = (kind, number, value)
  }

  init?(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    let kind = UInt32(
      littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
    )
    guard let kind = Kind(rawValue: kind) else { return nil }
    self.kind = kind
    number = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    value = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
  }
}

extension PageRecord {
  /// The fields of the first page that change without a transaction: the read and write versions,
  /// the change counter, the user version, the application ID, and the version-valid-for number (The
  /// SQLite Database File Format, 1.3).
  private static let leftOut = [18..<20, 24..<28, 60..<64, 68..<72, 92..<96]
  /// The offset of the user version, which holds the number of the transaction.
  static let userVersion = 60

  /// The digest of a page, without those fields of the first page; never 0.
  static func digest(of page: UnsafeRawBufferPointer, number: UInt32) -> UInt64 {
    var digest = ContentDigest()
    if number == 1 {
      var copy = [UInt8](page)
      for field in leftOut where field.upperBound <= copy.count {
        for position in field { copy[position] = 0 }
      }
      copy.withUnsafeBytes { digest.update($0) }
    } else {
      digest.update(page)
    }
    return max(digest.word, 1)
  }
}
