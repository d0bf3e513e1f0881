import Foundation

/// Why a file could not be written, in a few words.
enum CocoaReason {
  /// The system's own reason where there is one.
  static func text(of error: CocoaError) -> String {
    if let underlying = error.underlying as? POSIXError {
      // The text is the system's own and is copied at once.
      return unsafe String(cString: strerror(underlying.code.rawValue))
    }
    switch error.code {
    case .fileWriteNoPermission: return "permission denied"
    case .fileNoSuchFile, .fileReadNoSuchFile: return "its folder is not there"
    case .fileWriteOutOfSpace: return "the disk is full"
    case .fileWriteVolumeReadOnly: return "the disk is read-only"
    default: return error.localizedDescription
    }
  }
}
