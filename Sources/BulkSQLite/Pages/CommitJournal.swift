internal import BulkPlatform

/// The rollback journal of a commit: the pages that it overwrites, as they were.
///
/// It is the journal that SQLite itself would write, so that SQLite rolls an interrupted commit back.
///
/// Source: “The Rollback Journal”, section 3 of SQLite's file format document.
struct CommitJournal {
  /// A page as it was.
  struct Page {
    let number: UInt32
    let bytes: [UInt8]
  }

  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  /// The bytes from the header to the first page.
  private static let sectorSize = 512

  private let path: String

  /// The journal of a database.
  init(of database: String) { path = database + "-journal" }

  /// Writes the journal, and waits until it is on disk; from then on the database may be changed.
  ///
  /// - Parameters:
  ///   - pages: The pages.
  ///   - count: The number of pages to which the database is cut if it is rolled back.
  ///   - pageSize: The size of a page in bytes.
  /// - Throws: ``SQLiteError`` if it cannot be written.
  func write(
    _ pages: [Page],
    keeping count: UInt32,
    of pageSize: Int
  ) throws(SQLiteError) {
    let check = count &* 0x9E37_79B1
    var bytes = Self.magic
    for number in [UInt32(pages.count), check, count, UInt32(Self.sectorSize), UInt32(pageSize)] {
      bytes.append(bigEndian: number)
    }
    bytes += [UInt8](repeating: 0, count: Self.sectorSize - bytes.count)
    for page in pages {
      bytes.append(bigEndian: page.number)
      bytes += page.bytes
      bytes.append(bigEndian: Self.sum(of: page.bytes, from: check))
    }
    try inFile { descriptor in
      var done = 0
      while done < bytes.count {
        let count = bytes.withUnsafeBytes {
          pwrite(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done, off_t(done))
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return fsync(descriptor) == 0
    }
  }

  /// Empties the journal, and waits until that is on disk; this commits the change.
  func clear() throws(SQLiteError) {
    try inFile { ftruncate($0, 0) == 0 && fsync($0) == 0 }
  }

  /// The checksum of a page: every 200th byte from its end.
  private static func sum(of bytes: [UInt8], from start: UInt32) -> UInt32 {
    stride(from: bytes.count - 200, to: 0, by: -200).reduce(start) { $0 &+ UInt32(bytes[$1]) }
  }

  private func inFile(_ body: (Int32) -> Bool) throws(SQLiteError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure() }
    let isDone = body(descriptor)
    let error = isDone ? nil : failure()
    close(descriptor)
    if let error { throw error }
  }

  private func failure() -> SQLiteError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(errno)
    return SQLiteError(
      code: isFull ? SQLiteResult.full.rawValue : SQLiteResult.inputOutput.rawValue,
      message: "it cannot be written",
      path: path,
      systemError: errno
    )
  }
}

extension [UInt8] {
  /// Appends a number, most significant byte first.
  fileprivate mutating func append(bigEndian number: UInt32) {
    append(contentsOf: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
  }
}
