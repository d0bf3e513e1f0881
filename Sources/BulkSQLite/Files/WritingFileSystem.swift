internal import BulkPlatform
internal import CBulkSQLite

/// SQLite's standard file system (a “VFS”), which also reports a full disk when a file cannot be created:
/// the standard one then tries to open the file for reading, and the reason is lost.
enum WritingFileSystem {
  static let system = NamedFileSystem("bulkmigrate-writing") { system in
    system.xOpen = { _, path, place, flags, outFlags in
      WritingFileSystem.openFile(at: place, path: path, flags: flags, outFlags: outFlags)
    }
  }

  /// Opens a file as the standard file system does, if there is room for it.
  ///
  /// - Parameters:
  ///   - place: Memory that SQLite provides for its part of an open file.
  ///   - path: The file; `nil` for a temporary one.
  ///   - flags: The requested open flags.
  ///   - outFlags: The actual open flags.
  /// - Returns: SQLite's code.
  static func openFile(
    at place: UnsafeMutablePointer<sqlite3_file>?,
    path: UnsafePointer<CChar>?,
    flags: Int32,
    outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let place, let standard = sqlite3_vfs_find(nil), let open = standard.pointee.xOpen else {
      return SQLITE_MISUSE
    }
    guard canBeMade(path, flags) else {
      place.pointee.pMethods = nil
      return failure(SQLITE_CANTOPEN)
    }
    let code = open(standard, path, place, flags, outFlags)
    return code == SQLITE_OK ? code : failure(code)
  }

  /// Creates the file where and how SQLite would: a log or journal gets the mode of its database, and its
  /// owner if possible.
  ///
  /// An existing file is not opened: closing it would release this process's locks on it.
  ///
  /// - Returns: Whether there is room for it.
  private static func canBeMade(_ path: UnsafePointer<CChar>?, _ flags: Int32) -> Bool {
    guard let path, flags & SQLITE_OPEN_CREATE != 0, flags & SQLITE_OPEN_EXCLUSIVE == 0 else {
      return true
    }
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return ![ENOSPC, EDQUOT, EFBIG].contains(errno) }
    defer { close(descriptor) }
    var status = stat()
    if let database = database(of: path, flags), stat(database, &status) == 0 {
      _ = fchmod(descriptor, status.st_mode & 0o777)
      _ = fchown(descriptor, status.st_uid, status.st_gid)
    }
    return true
  }

  /// The database to which a log or journal belongs; `nil` if the file is neither.
  private static func database(of path: UnsafePointer<CChar>, _ flags: Int32) -> String? {
    guard flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0 else { return nil }
    let text = String(cString: path)
    return text.lastIndex(of: "-").map { String(text[..<$0]) }
  }

  /// The result code for the call that just failed; the standard file system reports a full disk only for
  /// writes.
  static func failure(_ code: Int32) -> Int32 {
    [ENOSPC, EDQUOT, EFBIG].contains(errno) ? SQLITE_FULL : code
  }
}
