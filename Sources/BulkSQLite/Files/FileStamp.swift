internal import BulkPlatform

/// The file system's attributes of a file, which change whenever the file is written or replaced.
///
/// They show whether a file changed while it was read; they cannot be compared with those of a copy.
struct FileStamp: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64
  private let size: Int64
  /// The time of the last change, in seconds and nanoseconds.
  private let seconds: Int64
  private let nanoseconds: Int64

  init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(status.st_size)
    seconds = Int64(status.modified.tv_sec)
    nanoseconds = Int64(status.modified.tv_nsec)
  }
}

/// The file system's attributes of a database and its logs, which reveal changes that leave the first page
/// and the size as they were.
package struct DatabaseStamp: Hashable, Sendable {
  private let files: [FileStamp?]

  /// The current state of the files.
  package init(path: String) {
    // Every reader creates and deletes an empty log.
    files =
      [Self.stamp(path, evenIfEmpty: true)]
      + ["-wal", "-journal"].map { Self.stamp(path + $0, evenIfEmpty: false) }
  }

  private static func stamp(_ path: String, evenIfEmpty: Bool) -> FileStamp? {
    var status = stat()
    guard stat(path, &status) == 0, evenIfEmpty || status.st_size > 0 else { return nil }
    return FileStamp(status)
  }
}
