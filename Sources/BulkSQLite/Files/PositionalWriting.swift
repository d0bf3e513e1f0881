internal import BulkPlatform

/// Writes to open files at given places.
enum PositionalWriting {
  /// Writes all bytes from an offset on.
  ///
  /// - Returns: Whether they are written; if not, `errno` says why.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) -> Bool
  {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor,
        bytes.baseAddress?.advanced(by: done),
        bytes.count - done,
        off_t(offset) + off_t(done)
      )
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// The error for the call that just failed.
  static func failure(_ message: String, path: String) -> SQLiteError {
    let isFull = [ENOSPC, EDQUOT, EFBIG].contains(errno)
    return SQLiteError(
      code: (isFull ? SQLiteResult.full : .inputOutput).rawValue,
      message: message,
      path: path,
      systemError: errno
    )
  }
}
