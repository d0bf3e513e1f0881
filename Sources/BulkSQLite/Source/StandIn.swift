internal import BulkPlatform
internal import Synchronization

/// A file that is read in place of a database, as long as the value lives.
///
/// Every reader of the database gets the pages of the other file, in the whole process. What identifies the
/// database it is, its digest and its attributes, stays its own.
package final class StandIn: Sendable {
  private static let files = Mutex<[String: PlainFile]>([:])

  /// The database, with symbolic links resolved.
  private let path: String

  /// Reads a file in place of a database, and removes the file's name.
  ///
  /// - Parameters:
  ///   - path: The database, which nothing stands in for yet.
  ///   - copy: The file; its contents last as long as they are read.
  /// - Throws: ``SQLiteError`` if a file cannot be read.
  package init(for path: String, reading copy: String) throws(SQLiteError) {
    self.path = try PlainFile.resolved(path)
    guard let file = try PlainFile(path: copy) else {
      throw SQLiteError(.cannotOpen, message: "no such file", path: copy)
    }
    unlink(copy)
    Self.files.withLock { $0[self.path] = file }
  }

  deinit { Self.files.withLock { $0[path] = nil } }

  /// The file that is read in place of a database, whose path has no symbolic links.
  static func file(for path: String) -> PlainFile? { files.withLock { $0[path] } }

  /// Whether another file is read in place of a database.
  package static func exists(for path: String) -> Bool {
    (try? PlainFile.resolved(path)).map { file(for: $0) != nil } ?? false
  }
}
