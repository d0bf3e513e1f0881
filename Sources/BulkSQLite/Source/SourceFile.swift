internal import BulkPlatform

/// A database that is only read, and the file from which its pages are read.
package struct SourceFile: Sendable {
  /// The path of the database, which errors name.
  package let path: String
  /// The file that is read in place of the one at the path; `nil` for that one.
  let substitute: PlainFile?
  /// The file that all readers of this value share; `nil` where each opens its own.
  private var shared: ReadOnlyFile?

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

  /// The same database, opened once for all that read it: they see one state of file and log.
  ///
  /// - Throws: ``SQLiteError`` if the file does not exist or cannot be read.
  package func opened() throws(SQLiteError) -> SourceFile {
    var result = self
    result.shared = try reading()
    return result
  }

  /// The same database, which every reader opens again.
  var closed: SourceFile {
    var result = self
    result.shared = nil
    return result
  }

  /// The file to read from.
  ///
  /// - Throws: ``SQLiteError`` if the file does not exist or cannot be read.
  func reading() throws(SQLiteError) -> ReadOnlyFile {
    if let shared { return shared }
    return try ReadOnlyFile(self)
  }
}
