package import BulkSupport

/// The free space on the disk of a file or folder.
package struct DiskSpace {
  private let path: String

  package init(_ path: String) { self.path = path }

  /// `nil` where the system does not report them.
  package var free: ByteCount? {
    var status = statvfs()
    let folder = URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path
    // The calls fill the status and keep neither it nor a path.
    guard unsafe statvfs(path, &status) == 0 || statvfs(folder, &status) == 0 else { return nil }
    return ByteCount(bytes: Int64(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize)))
  }

  package func isShared(with other: String) -> Bool {
    guard let one = Self.device(of: path), let two = Self.device(of: other) else { return true }
    return one == two
  }

  private static func device(of path: String) -> dev_t? {
    var status = stat()
    let folder = URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent().path
    // The calls fill the status and keep neither it nor a path.
    guard unsafe stat(path, &status) == 0 || stat(folder, &status) == 0 else { return nil }
    return status.st_dev
  }

  /// Refuses to begin if there is much less space than a destination takes.
  ///
  /// Sizes are estimates; an estimate that is wrong by a factor of two still begins. The bytes of files are known.
  func refuse(lessThan size: ByteCount, plus files: ByteCount) throws(MigrationError) {
    guard let free, free.bytes < size.bytes / 2 + files.bytes else { return }
    throw .tooLittleDisk(path: path, free: free, needed: size + files)
  }
}
