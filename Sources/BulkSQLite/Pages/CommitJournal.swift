internal import BulkSupport

/// The rollback journal of a commit: the pages that it overwrites, as they were.
///
/// It is the journal that SQLite itself would write, so that SQLite rolls an interrupted commit back.
///
/// Source: “The Rollback Journal”, section 3 of SQLite's file format document.
struct CommitJournal {
  typealias Page = (number: UInt32, bytes: [UInt8])

  /// The bytes from the header to the first page.
  private static let sectorSize = 512

  private let path: String

  init(of database: String) { path = database + "-journal" }

  /// Writes the journal, and waits until it is on disk; from then on the database may be changed.
  ///
  /// If it is rolled back, the database is cut to a number of pages.
  func write(_ pages: [Page], keeping count: UInt32, of pageSize: Int) throws(SQLiteError) {
    // SQLite rolls no page behind the count back, and cuts such pages off.
    precondition(
      pages.allSatisfy { $0.number >= 1 && $0.number <= count && $0.bytes.count == pageSize },
      "a journal keeps whole pages of the last commit"
    )
    let check = count &* 0x9E37_79B1
    var bytes = RollbackJournal.magic
    for number in [UInt32(pages.count), check, count, UInt32(Self.sectorSize), UInt32(pageSize)] {
      bytes.append(bigEndian: number)
    }
    bytes += [UInt8](repeating: 0, count: Self.sectorSize - bytes.count)
    for page in pages {
      bytes.append(bigEndian: page.number)
      bytes += page.bytes
      bytes.append(bigEndian: RollbackJournal.sum(of: page.bytes[...], from: check))
    }
    let (file, isNew) = try opened()
    try file.write(bytes, at: 0)
    try synchronize(file, if: !isNew || synchronizeName())
  }

  /// Empties the journal, and waits until that is on disk; this commits the change.
  func clear() throws(SQLiteError) {
    let (file, isNew) = try opened()
    try synchronize(file, if: ftruncate(file.descriptor, 0) == 0 && (!isNew || synchronizeName()))
  }

  /// The open file; SQLite leaves an empty one, unless it has rolled one back.
  private func opened() throws(SQLiteError) -> (file: PlainFile, isNew: Bool) {
    if let file = try PlainFile(path: path, PlainFile.own) { return (file, false) }
    return (try PlainFile.existing(path, PlainFile.own | O_CREAT | O_EXCL), true)
  }

  private func synchronize(_ file: PlainFile, if isDone: Bool) throws(SQLiteError) {
    guard isDone, fsync(file.descriptor) == 0 else { throw file.failure("it cannot be written") }
  }

  /// Waits until the name of a new file is on disk.
  private func synchronizeName() -> Bool {
    let end = path.lastIndex(of: "/")
    let folder = open(end.map { String(path[...$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return false }
    defer { close(folder) }
    return fsync(folder) == 0
  }
}

extension [UInt8] {
  fileprivate mutating func append(bigEndian number: UInt32) {
    append(contentsOf: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
  }
}
