internal import BulkSupport
internal import BulkSQLite

/// A copy that is read in place of a store: without its rows of no entity, or with corrected values.
package struct SourceCopy: Sendable {
  package let strays: [StrayRows]
  /// A digest of the values that the copy has in place of the store's; `nil` where none were corrected.
  package let corrections: String?
  let file: SourceFile

  /// Copies a store without some rows.
  ///
  /// The copy takes as much space in the folder as the store, as long as a reader has it open; it has no name.
  package init(
    of path: String,
    without strays: [StrayRows],
    copyingTo folder: String
  ) throws(StoreError) {
    let copy = "\(folder)/bulkmigrate-readable-\(SystemHost.current.identifier())"
    do throws(StoreError) {
      guard FileManager.default.createFile(atPath: copy, contents: nil) else {
        throw StoreError(.cannotOpen, message: "it cannot be made", path: copy)
      }
      try PersistentStore(path: path).copy(to: copy) { false }
      try self.init(of: path, without: strays, reading: copy, corrections: nil)
    } catch {
      try? FileManager.default.removeItem(atPath: copy)
      throw error.of(path, insteadOf: copy)
    }
  }

  /// Reads an existing copy without some rows; the name of the copy is removed.
  package init(
    of path: String,
    without strays: [StrayRows],
    reading copy: String,
    corrections: String?
  ) throws(StoreError) {
    (self.strays, self.corrections) = (strays, corrections)
    if !strays.isEmpty {
      let connection = try Connection(path: copy, access: .readWrite)
      try connection.fireNoTriggers()
      try connection.execute("PRAGMA main.journal_mode = OFF")
      try connection.execute("PRAGMA main.synchronous = OFF")
      for rows in strays { try rows.remove(from: connection) }
    }
    file = try SourceFile(path: path, reading: copy)
  }
}

extension StoreError {
  /// The error of a copy as that of its store: what is damaged in the copy is damaged there.
  func of(_ path: String, insteadOf copy: String) -> StoreError {
    guard self.path == copy, result == .corrupt else { return self }
    return StoreError(code: code, message: message, path: path)
  }
}
