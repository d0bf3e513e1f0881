internal import BulkPlatform

extension FileError {
  /// The migration error for a failure to make or write something.
  package var asMigrationError: MigrationError {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
    case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, EEXIST, ELOOP,
      ENXIO:
      .cannotCreate(path: path, reason: reason)
    default: .inputOutput(path: path, reason: reason)
    }
  }
}
