internal import BulkCoding
internal import BulkModel
internal import BulkPlatform

/// A file that is written line by line.
package final class OutputLines {
  private let path: String
  private let descriptor: Int32
  private var hash = SHA256()
  private var buffer: [UInt8] = []

  private static let partSize = 1 << 16

  /// Makes the file, or empties it.
  ///
  /// - Throws: ``FleetError/cannotWrite(path:reason:)``.
  package init(_ path: String) throws(FleetError) {
    self.path = path
    // The call reads the path and does not keep it.
    descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw Self.failure(path) }
  }

  deinit { close(descriptor) }

  /// Writes a line.
  ///
  /// - Throws: ``FleetError/cannotWrite(path:reason:)``.
  package func append(_ line: String) throws(FleetError) {
    buffer += Array((line + "\n").utf8)
    if buffer.count >= Self.partSize { try flush() }
  }

  /// Ends the file.
  ///
  /// - Returns: Its digest.
  @discardableResult
  package func end() throws(FleetError) -> String {
    try flush()
    return VersionHash.hexadecimal(hash.finalize())
  }

  private func flush() throws(FleetError) {
    guard FileWriting.write(buffer, to: descriptor) else { throw Self.failure(path) }
    hash.update(buffer)
    buffer = []
  }

  private static func failure(_ path: String) -> FleetError {
    // The text belongs to the system and is copied at once.
    .cannotWrite(path: path, reason: unsafe String(cString: strerror(errno)))
  }
}
