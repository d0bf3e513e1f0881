import BulkPlatform

/// Why a file could not be written.
enum CocoaReason {
  /// The system's own reason, if there is one.
  static func text(of error: CocoaError) -> String {
    if let underlying = error.underlying as? POSIXError {
      // The system owns the text, so it is copied at once.
      return unsafe String(cString: strerror(underlying.code.rawValue))
    }
    switch error.code {
    case .fileWriteNoPermission: return "permission denied"
    case .fileNoSuchFile, .fileReadNoSuchFile: return "its folder does not exist"
    case .fileWriteOutOfSpace: return "the disk is full"
    case .fileWriteVolumeReadOnly: return "the disk is read-only"
    case .fileWriteInvalidFileName: return "its name is invalid"
    default: return "error \(error.code.rawValue) of Foundation"
    }
  }
}
