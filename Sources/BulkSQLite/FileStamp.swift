#if canImport(Darwin)
internal import Darwin
#elseif canImport(Musl)
internal import Musl
#else
internal import Glibc
#endif

/// What the file system says of a database and of the logs beside it, by which a change is noticed
/// that leaves the first page and the size as they are.
package struct FileStamp: Hashable, Sendable {
  /// One file, as far as it is told from another or from itself at another time.
  private struct File: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let seconds: Int64
    let nanoseconds: Int64
  }

  private let files: [File?]

  /// The state of the files now.
  package init(path: String) {
    files =
      [Self.file(path)]
      + ["-wal", "-journal"].map { suffix in
        // A log without content comes and goes with every reader.
        Self.file(path + suffix).flatMap { $0.size > 0 ? $0 : nil }
      }
  }

  private static func file(_ path: String) -> File? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    return File(
      device: UInt64(truncatingIfNeeded: status.st_dev),
      number: UInt64(truncatingIfNeeded: status.st_ino),
      size: Int64(status.st_size),
      seconds: Int64(time.tv_sec),
      nanoseconds: Int64(time.tv_nsec)
    )
  }
}
