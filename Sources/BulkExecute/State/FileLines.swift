internal import BulkPlatform

/// The lines of a file as text, read piece by piece.
public final class FileLines {
  private let lines: ByteLines
  private let path: String

  /// - Throws: ``MigrationError/inputOutput(path:reason:)`` if it cannot be opened, or is no regular file.
  public init(_ path: String) throws(MigrationError) {
    var status = stat()
    // A pipe would be waited for. The call fills the status and keeps no path.
    guard unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      throw .unusableRejects("\(path) is no regular file")
    }
    guard let lines = ByteLines(path) else {
      throw .inputOutput(path: path, reason: "it cannot be read")
    }
    (self.lines, self.path) = (lines, path)
  }

  /// The next line without its end; `nil` after the last.
  public func next() throws(MigrationError) -> String? {
    do {
      return try lines.next().map { String(decoding: $0, as: UTF8.self) }
    } catch {
      throw .inputOutput(path: path, reason: "it cannot be read")
    }
  }
}
