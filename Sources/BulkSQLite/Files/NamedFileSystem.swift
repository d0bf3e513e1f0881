internal import CBulkSQLite
internal import Synchronization

/// A custom file system (a “VFS”) registered with SQLite under a name: the standard one with some of its
/// methods replaced.
///
/// SQLite keeps the pointers it is given, so they live as long as the process.
final class NamedFileSystem: Sendable {
  /// The name.
  let name: String
  private let replace: @Sendable (inout sqlite3_vfs) -> Void
  private let isRegistered = Mutex<Bool>(false)

  /// Describes a file system, which is not registered yet.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - replace: Replaces methods of the standard file system.
  init(_ name: String, replacing replace: @escaping @Sendable (inout sqlite3_vfs) -> Void) {
    self.name = name
    self.replace = replace
  }

  /// Registers the file system with SQLite, once.
  func register() throws(SQLiteError) {
    let code = isRegistered.withLock { isDone -> Int32 in
      guard !isDone else { return SQLITE_OK }
      let code = registerLocked()
      isDone = code == SQLITE_OK
      return code
    }
    guard code == SQLITE_OK else {
      throw SQLiteError(code: code, message: "the file system was refused", path: name)
    }
  }

  private func registerLocked() -> Int32 {
    guard let standard = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    system.initialize(to: standard.pointee)
    let nameBytes = UnsafeMutablePointer<CChar>.allocate(capacity: name.utf8.count + 1)
    for (index, byte) in name.utf8.enumerated() { nameBytes[index] = CChar(bitPattern: byte) }
    nameBytes[name.utf8.count] = 0
    system.pointee.zName = UnsafePointer(nameBytes)
    system.pointee.pNext = nil
    replace(&system.pointee)
    return sqlite3_vfs_register(system, 0)
  }
}
