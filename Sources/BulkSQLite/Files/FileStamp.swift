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
