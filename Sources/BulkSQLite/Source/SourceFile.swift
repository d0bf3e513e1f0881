internal import BulkPlatform

/// A database that is only read, and the file from which its pages are read.
package struct SourceFile: Sendable {
  /// The path of the database, which errors name.
  package let path: String
  /// The file that is read in place of the one at the path; `nil` for that one.
  let substitute: PlainFile?

  /// A database that is read from its own file.
  package init(path: String) { (self.path, substitute) = (path, nil) }

  /// A database whose pages are read from another file, which has its log applied.
  ///
  /// Its identity, digest and attributes remain its own. The name of the other file is removed.
  ///
  /// - Throws: ``SQLiteError`` if the other file cannot be read.
  package init(path: String, reading copy: String) throws(SQLiteError) {
    self.path = path
    substitute = try PlainFile.existing(copy)
    unlink(copy)
  }

  /// A database whose pages are read from an open file.
  ///
  /// - Throws: ``SQLiteError`` if the descriptor cannot be duplicated.
  init(path: String, sharing descriptor: Int32) throws(SQLiteError) {
    (self.path, substitute) = (path, try PlainFile(sharing: descriptor, path: path))
  }
}
