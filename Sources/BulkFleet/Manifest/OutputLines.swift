internal import BulkSupport
internal import BulkExecute
internal import BulkModel

/// A file that is written line by line.
package final class OutputLines {
  private let path: String
  private let descriptor: Int32
  private var hash = SHA256()
  private var buffer: [UInt8] = []

  private static let partSize = 1 << 16

  package init(_ path: String) throws(FleetError) {
    self.path = path
    descriptor = try FleetError.writing(path, try OutputFile(path).make(mode: 0o644))
  }

  deinit { close(descriptor) }

  package func append(_ line: String) throws(FleetError) {
    buffer += Array((line + "\n").utf8)
    if buffer.count >= Self.partSize { try flush() }
  }

  /// Ends the file, and returns its digest.
  @discardableResult
  package func end() throws(FleetError) -> String {
    try flush()
    return VersionHash.hexadecimal(hash.finalize())
  }

  private func flush() throws(FleetError) {
    guard FileWriting.write(buffer, to: descriptor) else { throw .cannotWrite(path: path) }
    hash.update(buffer)
    buffer = []
  }
}
