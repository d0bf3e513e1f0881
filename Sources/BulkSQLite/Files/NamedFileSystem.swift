internal import CBulkSQLite
internal import Synchronization
internal import BulkSupport

/// A custom file system (a “VFS”) registered with SQLite under a name: the standard one with some of its
/// methods replaced.
///
/// SQLite keeps the pointers it is given, so they live as long as the process.
final class NamedFileSystem: Sendable {
  let name: String
  private let replace: @Sendable (inout sqlite3_vfs) -> Void
  private let isRegistered = Mutex<Bool>(false)

  init(_ name: String, replacing replace: @escaping @Sendable (inout sqlite3_vfs) -> Void) {
    self.name = name
    self.replace = replace
  }

  func register() throws(SQLiteError) {
    let code = isRegistered.withLock { isDone in
      let code = isDone ? SQLITE_OK : registerLocked()
      isDone = code == SQLITE_OK
      return code
    }
    guard code == SQLITE_OK else {
      throw SQLiteError(code: code, message: "the file system was refused", path: name)
    }
  }

  /// Takes a path for the whole one, so that SQLite looks at none of its folders.
  static let keepPath:
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<CChar>?
    ) -> Int32 = { _, path, capacity, result in
      guard let path, let result, strlen(path) < Int(capacity) else { return SQLITE_CANTOPEN }
      strcpy(result, path)
      return SQLITE_OK
    }

  private func registerLocked() -> Int32 {
    guard let standard = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    system.initialize(to: standard.pointee)
    system.pointee.zName = UnsafePointer(strdup(name))
    system.pointee.pNext = nil
    replace(&system.pointee)
    return sqlite3_vfs_register(system, 0)
  }
}

/// Encodes a path as a URI for SQLite, so that no character of it has a special meaning.
enum FileURI {
  /// The URI of a path, without parameters.
  ///
  /// An absolute path follows an empty authority, so that none of its own slashes begins one. A
  /// relative path begins with a dot, so that it is neither empty nor `:memory:`, which are not files.
  static func text(for path: String) -> String {
    var result = path.utf8.first == UInt8(ascii: "/") ? "file://" : "file:./"
    for byte in path.utf8 {
      if isPlain(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16)
        result += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return result
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

/// The file system of databases that one process alone makes, without a journal: SQLite does not look for a journal or a
/// log of others whenever it begins to read.
enum ScratchFileSystem {
  static let system = NamedFileSystem("bulkmigrate-scratch") { system in
    system.xOpen = { _, path, file, flags, outFlags in
      WritingFileSystem.openFile(at: file, path: path, flags: flags, outFlags: outFlags)
    }
    system.xFullPathname = NamedFileSystem.keepPath
    system.xAccess = { _, _, _, result in
      result?.pointee = 0
      return SQLITE_OK
    }
  }
}

/// SQLite's standard file system (a “VFS”), which also reports a full disk when a file cannot be created:
/// the standard one then tries to open the file for reading, and the reason is lost.
enum WritingFileSystem {
  static let system = NamedFileSystem("bulkmigrate-writing") { system in
    system.xOpen = { _, path, file, flags, outFlags in
      WritingFileSystem.openFile(at: file, path: path, flags: flags, outFlags: outFlags)
    }
  }

  static func openFile(
    at file: UnsafeMutablePointer<sqlite3_file>?,
    path: UnsafePointer<CChar>?,
    flags: Int32,
    outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let file, let standard = sqlite3_vfs_find(nil), let open = standard.pointee.xOpen else {
      return SQLITE_MISUSE
    }
    guard canBeMade(path, flags) else {
      file.pointee.pMethods = nil
      return failure(SQLITE_CANTOPEN)
    }
    let code = open(standard, path, file, flags, outFlags)
    return code == SQLITE_OK ? code : failure(code)
  }

  /// Creates the file where and how SQLite would: a log or journal gets the mode of its database, and its
  /// owner if possible.
  ///
  /// An existing file is not opened: closing it would release this process's locks on it.
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
