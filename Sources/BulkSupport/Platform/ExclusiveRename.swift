/// Renames a file to a name that nothing has, in one step.
package enum ExclusiveRename {
  private typealias Call =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32

  #if canImport(Darwin)
  private static let (symbol, flag) = ("renameatx_np", UInt32(RENAME_EXCL))
  #else
  // RENAME_NOREPLACE, “rename(2)”.
  private static let (symbol, flag) = ("renameat2", UInt32(1))
  #endif

  /// Not every system library has it.
  private static let call: Call? = unsafe dlsym(nil, symbol).map {
    unsafe unsafeBitCast($0, to: Call.self)
  }

  /// Returns 0, or the error of the system, `EEXIST` if something has the name.
  ///
  /// The folder is open, or `AT_FDCWD` for paths. Returns `nil` where the system or the file system cannot do
  /// that.
  package static func rename(_ path: String, to name: String, in folder: Int32 = AT_FDCWD) -> Int32?
  {
    guard let call = unsafe call else { return nil }
    if unsafe call(folder, path, folder, name, flag) == 0 { return 0 }
    return [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(errno) ? nil : errno
  }
}
