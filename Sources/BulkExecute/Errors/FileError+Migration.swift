internal import BulkPlatform

extension FileError {
  /// The migration error for a failure to make or write something.
  package var asMigrationError: MigrationError {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
    case ENOENT: .cannotCreate(path: path, reason: "its folder does not exist")
    case EACCES, EPERM, EROFS, ENOTDIR, EISDIR, ENAMETOOLONG, EEXIST, ELOOP,
      ENXIO:
      .cannotCreate(path: path, reason: reason)
    default: .inputOutput(path: path, reason: reason)
    }
  }
}
