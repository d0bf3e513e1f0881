internal import CBulkSQLite
internal import Synchronization
internal import BulkPlatform

/// The standard file system of SQLite (a “VFS”), which also tells of a full disk where a file cannot be
/// made: the standard one then tries to read the file, and the reason is lost.
enum WritingFileSystem {
  static let name = "bulkmigrate-writing"

  /// SQLite keeps the pointers that it is given, so they live as long as the process.
  private static let registration = Mutex<Bool>(false)

  /// Makes the file system known to SQLite, once.
  static func register() throws(SQLiteError) {
    let code = registration.withLock { isDone -> Int32 in
      guard !isDone else { return SQLITE_OK }
      let code = registerLocked()
      isDone = code == SQLITE_OK
      return code
    }
    guard code == SQLITE_OK else {
      throw SQLiteError(code: code, message: "the file system was refused", path: name)
    }
  }

  private static func registerLocked() -> Int32 {
    guard let standard = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    system.initialize(to: standard.pointee)
    let nameBytes = UnsafeMutablePointer<CChar>.allocate(capacity: name.utf8.count + 1)
    for (index, byte) in name.utf8.enumerated() { nameBytes[index] = CChar(bitPattern: byte) }
    nameBytes[name.utf8.count] = 0
    system.pointee.zName = UnsafePointer(nameBytes)
    system.pointee.pNext = nil
    system.pointee.xOpen = openFile
    return sqlite3_vfs_register(system, 0)
  }

  private static let openFile:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?,
      UnsafeMutablePointer<sqlite3_file>?, Int32, UnsafeMutablePointer<Int32>?
    ) -> Int32 = { _, path, place, flags, outFlags in
      guard let place, let standard = sqlite3_vfs_find(nil), let open = standard.pointee.xOpen
      else {
        return SQLITE_MISUSE
      }
      guard canBeMade(path, flags) else {
        place.pointee.pMethods = nil
        return failure(SQLITE_CANTOPEN)
      }
      let code = open(standard, path, place, flags, outFlags)
      return code == SQLITE_OK ? code : failure(code)
    }

  /// Makes the file where SQLite would make it, as SQLite would: a log or journal has the mode of its
  /// database, and its owner where that can be.
  ///
  /// A file that is there is not opened: closing it would give up the locks that this process has on it.
  ///
  /// - Returns: Whether there is room for it.
  static func canBeMade(_ path: UnsafePointer<CChar>?, _ flags: Int32) -> Bool {
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

  /// The database to which a log or journal belongs; `nil` where the file is neither.
  private static func database(of path: UnsafePointer<CChar>, _ flags: Int32) -> String? {
    guard flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL) != 0 else { return nil }
    let text = String(cString: path)
    return text.lastIndex(of: "-").map { String(text[..<$0]) }
  }

  /// The code of a call that failed just now; of a full disk the standard system tells only when it
  /// writes.
  static func failure(_ code: Int32) -> Int32 {
    [ENOSPC, EDQUOT, EFBIG].contains(errno) ? SQLITE_FULL : code
  }
}
