internal import BulkPlatform

extension FileError {
  /// The error as one of the migration, met while something was made or written.
  var asMigrationError: MigrationError {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .diskFull(path: path)
    case EACCES, EPERM, EROFS, ENOENT, ENOTDIR, ENAMETOOLONG, EEXIST, ELOOP:
      .cannotCreate(path: path, reason: reason)
    default: .inputOutput(path: path, reason: reason)
    }
  }
}
