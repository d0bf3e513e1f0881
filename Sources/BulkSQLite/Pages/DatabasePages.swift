internal import BulkSupport
internal import CBulkSQLite

/// The open file of a connection's main database, in which pages are read and written past SQLite.
///
/// SQLite must not have a transaction open at the time. It notices the change by the counter in the
/// header.
struct DatabasePages {
  let path: String
  private let file: UnsafeMutablePointer<sqlite3_file>

  /// Whether a ``PageLog`` records the written pages.
  var isRecorded: Bool { SQLiteFile.of(file)?.pointee.log != nil }

  init(of connection: Connection) throws(SQLiteError) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(
      connection.handle,
      "main",
      SQLITE_FCNTL_FILE_POINTER,
      &file
    )
    guard code == SQLITE_OK, let file, file.pointee.pMethods != nil else {
      throw SQLiteError(.cannotOpen, message: "it has no file", path: connection.path)
    }
    path = connection.path
    self.file = file
  }

  func size() throws(SQLiteError) -> Int64 {
    var size: sqlite3_int64 = 0
    try check("its size cannot be read") { file.pointee.pMethods.pointee.xFileSize(file, &size) }
    return size
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SQLiteError) {
    try check("it cannot be read") {
      file.pointee.pMethods.pointee.xRead(
        file,
        buffer.baseAddress,
        Int32(buffer.count),
        offset
      )
    }
  }

  /// The maximum number of bytes that SQLite's file system writes at once: it takes 2^17 for none.
  private static let mostAtOnce = 1 << 16

  func write(
    _ pages: UnsafeRawBufferPointer,
    of pageSize: Int,
    at offset: Int64
  ) throws(SQLiteError) {
    assert(
      offset >= 0 && offset.isMultiple(of: Int64(pageSize)) && pages.count.isMultiple(of: pageSize),
      "only whole pages are written"
    )
    for start in stride(from: 0, to: pages.count, by: Self.mostAtOnce) {
      let end = min(start + Self.mostAtOnce, pages.count)
      try check("it cannot be written") {
        SQLiteFile.write(pages.part(start..<end), of: pageSize, at: offset + Int64(start), to: file)
      }
    }
  }

  /// Records pages that were written past the connection.
  func record(_ part: WriteBehind.Part, of pageSize: Int) throws(SQLiteError) {
    guard isRecorded else { return }
    try check("it cannot be written") {
      SQLiteFile.record(part.digests, of: pageSize, at: part.offset, of: file)
    }
  }

  func truncate(to size: Int64) throws(SQLiteError) {
    try check("it cannot be cut") { file.pointee.pMethods.pointee.xTruncate(file, size) }
  }

  /// Throws if the file no longer has its name, as SQLite does before it makes a journal: another
  /// process may have taken over.
  func refuseMoved() throws(SQLiteError) {
    var hasMoved: Int32 = 0
    _ = file.pointee.pMethods.pointee.xFileControl(file, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    guard hasMoved != 0 else { return }
    throw SQLiteError(
      code: Int32(BULK_SQLITE_READONLY_DBMOVED),
      message: "attempt to write a readonly database",
      path: path
    )
  }

  func synchronize() throws(SQLiteError) {
    try check("it cannot be synced") {
      file.pointee.pMethods.pointee.xSync(file, SQLITE_SYNC_NORMAL)
    }
  }

  private func check(_ message: String, _ call: () -> Int32) throws(SQLiteError) {
    // A call may fail without a system call that fails: the reason of an earlier one must not be its own.
    errno = 0
    let code = call()
    guard code != SQLITE_OK else { return }
    throw SQLiteError(code: code, message: message, path: path, systemError: errno)
  }
}
