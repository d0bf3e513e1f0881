#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// A call of the operating system that failed.
struct FileError: Error {
  /// The error number.
  let code: Int32
  /// The file or folder.
  let path: String

  /// The last failure of this thread.
  static func last(_ path: String) -> FileError { FileError(code: errno, path: path) }

  /// What the system says of it.
  var reason: String { String(cString: strerror(code)) }

  /// Whether there was no space left.
  var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

  /// The error as one of the migration, met while something was made or written.
  var asMigrationError: MigrationError {
    switch code {
    case ENOSPC, EDQUOT: .diskFull(path: path)
    case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, ENAMETOOLONG, EEXIST:
      .cannotCreate(path: path, reason: reason)
    default: .inputOutput(path: path, reason: reason)
    }
  }
}
