internal import BulkSupport

/// The lines of a file as text, read piece by piece.
package final class FileLines {
  private let lines: ByteLines
  private let path: String

  /// - Throws: ``MigrationError/unusableRejects(_:)`` if it cannot be opened, or is not a regular file.
  package init(_ path: String) throws(MigrationError) {
    guard let lines = try? ByteLines(path) else {
      throw .unusableRejects("\(path) cannot be read, or is not a regular file")
    }
    (self.lines, self.path) = (lines, path)
  }

  /// The next line without its end; `nil` after the last.
  package func next() throws(MigrationError) -> String? {
    do {
      return try lines.next().map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw .inputOutput(path: path, reason: "it cannot be read")
    }
  }
}
