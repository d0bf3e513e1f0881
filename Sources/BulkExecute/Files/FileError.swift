internal import BulkSupport

/// A system call that failed.
package struct FileError: Error {
  let code: Int32
  let path: String
}

extension FileError {
  static func last(_ path: String) -> FileError { FileError(code: errno, path: path) }

  /// The system call that failed behind an error of a lower layer or of Foundation; `nil` if none did.
  init?(_ error: any Error) {
    switch error {
    case let error as FileError: self = error
    case AssociationError.system(let path, _, let code): self.init(code: code, path: path)
    case let error as CocoaError:
      guard let code = Self.code(of: error), let path = error.filePath else { return nil }
      self.init(code: code, path: path)
    default: return nil
    }
  }

  private static func code(of error: CocoaError) -> Int32? {
    if let underlying = error.underlying as? POSIXError { return underlying.code.rawValue }
    return error.code == .fileWriteOutOfSpace ? ENOSPC : nil
  }

  package var reason: String {
    switch code {
    case ELOOP: "it is a symbolic link"
    case ENXIO: "it is a named pipe, a socket or a device"
    // The text belongs to the system and is copied at once.
    default: unsafe String(cString: strerror(code))
    }
  }

  package var isTaken: Bool { code == EEXIST }

  /// Whether no space was left, or the file exceeds the size that the process may write.
  var isDiskFull: Bool { code == ENOSPC || code == EDQUOT || code == EFBIG }
}
