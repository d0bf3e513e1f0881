/// Writes bytes to open files, and to pipes.
package enum FileWriting {
  /// Writes all bytes.
  ///
  /// - Returns: Whether all were written; if not, `errno` says why.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      // The call reads within the rest of the array.
      let count = unsafe bytes[done...].withUnsafeBytes {
        unsafe BulkPlatform.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
