internal import BulkPlatform

extension FileError {
  /// The migration error for a failure to make or write something.
  var asMigrationError: MigrationError {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
    case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, ENAMETOOLONG, EEXIST, ELOOP:
      .cannotCreate(path: path, reason: reason)
    default: .inputOutput(path: path, reason: reason)
    }
  }
}
