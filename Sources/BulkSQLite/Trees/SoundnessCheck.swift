/// Finds whether a database is as SQLite leaves it, so that a copy of it can be changed.
///
/// Every page is read once: trees, records, free pages and the pointer map must be consistent, and each index
/// must hold the values of its table, of which sums of digests are compared. Where it finds anything unusual, the
/// file may still be readable, but SQLite's own reading of every row must show that.
package struct SoundnessCheck: Sendable {
  private let path: String
  /// The indexes whose entries do not matter.
  private let left: Set<String>

  /// A check of a database.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - left: The names of indexes that will be removed, so that their entries do not matter.
  package init(of path: String, besides left: Set<String>) {
    self.path = path
    self.left = left
  }

  /// Reads the whole file.
  ///
  /// - Parameters:
  ///   - census: Notes the keys of tables, if that is wanted; it knows all of them if everything is as usual.
  ///   - willRead: Called with the offset of every page before it is read.
  ///   - isStopped: Called every few hundred pages; returns whether to stop.
  /// - Returns: Whether everything is as usual.
  /// - Throws: ``SQLiteError`` if the schema cannot be read, or the work was stopped.
  package func isSound(
    noting census: KeyCensus? = nil,
    willRead: (Int64) -> Void = { _ in },
    isStopped: () -> Bool
  ) throws(SQLiteError) -> Bool {
    let connection = try Connection(path: path, access: .source)
    do {
      return try withoutActuallyEscaping(isStopped) { isStopped in
        try withoutActuallyEscaping(willRead) { willRead in
          let check = try TreeCheck(path: path, willRead: willRead, isStopped: isStopped)
          return try isSound(connection, census, check)
        }
      }
    } catch let error as SQLiteError {
      throw error
    } catch is TreeCheck.Stopped {
      throw SQLiteError(.interrupted, message: "told to stop", path: path)
    } catch {
      return false
    }
  }

  private func isSound(
    _ connection: Connection,
    _ census: KeyCensus?,
    _ check: TreeCheck
  ) throws -> Bool {
    try check.visit(root: 1, isTable: true, RecordReader(CheckedTable.schema))
    var indexes = try roots(ofType: "index", connection)
    for (name, root) in try roots(ofType: "table", connection).sorted(by: { $0.value < $1.value }) {
      guard let table = try CheckedTable(name, root: root, besides: left, connection) else {
        return false
      }
      let rows = RecordReader(table, noting: census?.begin(name, table.columns))
      try check.visit(root: root, isTable: true, rows)
      for (place, index) in table.indexes.enumerated() {
        let entries = RecordReader()
        try check.visit(root: index.root, isTable: false, entries)
        guard entries.sum(of: 0) == rows.sum(of: place) else { return false }
        indexes = indexes.filter { $0.value != index.root }
      }
    }
    for root in indexes.values.sorted() {
      try check.visit(root: root, isTable: false, RecordReader())
    }
    try check.visitRest()
    return true
  }

  /// The roots of all trees of tables or of indexes, by name.
  private func roots(
    ofType type: String,
    _ connection: Connection
  ) throws(SQLiteError) -> [String: UInt32] {
    let statement = try connection.prepare(
      "SELECT name, rootpage FROM sqlite_schema WHERE type = \(SQLText.quoted(literal: type)) "
        + "AND rootpage > 0"
    )
    var result: [String: UInt32] = [:]
    while try statement.step() {
      result[statement.text(at: 0)] = UInt32(clamping: statement.int64(at: 1))
    }
    return result
  }
}
