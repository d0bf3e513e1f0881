internal import BulkSupport
internal import BulkExecute
internal import BulkModel

/// A file that is written line by line.
package final class OutputLines {
  private let file: OpenFile
  private var hash = SHA256()
  private var buffer: [UInt8] = []

  private static let partSize = 1 << 16

  package init(_ path: String) throws(FleetError) {
    file = try FleetError.writing(path, try OutputFile(path).make(mode: 0o644))
  }

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
    try FleetError.writing(file.path, try file.write(buffer))
    hash.update(buffer)
    buffer = []
  }
}
