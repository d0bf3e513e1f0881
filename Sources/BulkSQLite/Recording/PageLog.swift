internal import BulkSupport

/// Digests of a database's pages, recorded in a file beside it while SQLite writes them, so that later
/// changes to a page are detected.
///
/// The file's name is that of the database followed by `-pages`; it is a sequence of ``PageRecord``s. Before
/// SQLite commits, it syncs the database; the log then ends a group and is synced too. So every committed
/// transaction has its group in the log, and records after the last such group are ignored.
final class PageLog {
  private static let bufferSize = 1 << 16

  private let file: PlainFile
  private var buffer: [UInt8] = []
  private var end: Int64
  private var digest = ContentDigest()
  private var transaction: UInt32 = 0
  /// The page size in bytes; 0 before the first page is written.
  private var pageSize: Int64 = 0
  private var hasOpenGroup = false

  static func path(of database: String) -> String { database + "-pages" }

  /// Creates a log, or continues one that ``PageCheck`` has cut to its valid part.
  init(of database: String) throws(SQLiteError) {
    file = try PlainFile.existing(Self.path(of: database), PlainFile.own | O_CREAT)
    end = file.size
    buffer.reserveCapacity(Self.bufferSize)
    try file.eachRecord { record, _ in
      digest.take(record)
      if record.kind == .end { transaction = record.number }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SQLiteError) {
    // SQLite writes a database page by page.
    let number = UInt32(offset / Int64(bytes.count) + 1)
    if number == 1, bytes.count >= PageRecord.userVersion + 4 {
      transaction = UInt32(
        bigEndian: bytes.loadUnaligned(
          fromByteOffset: PageRecord.userVersion,
          as: UInt32.self
        )
      )
    }
    pageSize = Int64(bytes.count)
    try append(PageRecord(.page, number, PageRecord.digest(of: bytes, number: number)))
  }

  /// The page is not the first one.
  func record(_ digest: UInt64, at offset: Int64, pageSize size: Int) throws(SQLiteError) {
    let number = UInt32(offset / Int64(size) + 1)
    precondition(number > 1, "the digest of the first page leaves fields out")
    pageSize = Int64(size)
    try append(PageRecord(.page, number, digest))
  }

  /// The size is in bytes.
  func cut(toSize size: Int64) throws(SQLiteError) {
    // Before the first page is written, there is nothing that truncation could invalidate.
    guard pageSize > 0 else { return }
    try append(PageRecord(.cut, UInt32(clamping: size / pageSize), 0))
  }

  /// Waits until the group is on disk.
  func synchronize() throws(SQLiteError) {
    guard hasOpenGroup else { return }
    try append(PageRecord(.end, transaction, digest.word))
    try flush()
    guard fsync(file.descriptor) == 0 else { throw file.failure("it cannot be synced") }
    hasOpenGroup = false
  }

  private func append(_ record: PageRecord) throws(SQLiteError) {
    hasOpenGroup = true
    record.append(to: &buffer)
    digest.take(record)
    if buffer.count >= Self.bufferSize { try flush() }
  }

  private func flush() throws(SQLiteError) {
    try file.write(buffer, at: end)
    end += Int64(buffer.count)
    buffer.removeAll(keepingCapacity: true)
  }
}

extension PlainFile {
  /// Calls a body with every record of a ``PageLog`` and the offset after it, up to the first one that is invalid or not
  /// whole.
  func eachRecord(_ body: (PageRecord, Int64) -> Void) throws(SQLiteError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: 4096 * PageRecord.size,
      alignment: 16
    )
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      let count = read(into: buffer, at: offset)
      guard count >= 0 else { throw failure("it cannot be read") }
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
