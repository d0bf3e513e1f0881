/// Finds whether a database is as SQLite leaves it, so that a copy of it can be changed.
///
/// Every page is read once: trees, records, free pages and the pointer map must be consistent, and
/// each index must hold the values of its table, compared by sums of digests. After an irregularity
/// the file may still be readable, but only SQLite's own reading of every row can show that.
///
/// A check of some tables reads their pages, the schema and the list of free pages.
package struct SoundnessCheck: Sendable {
  private let file: SourceFile
  private let left: Set<String>
  /// `nil` for the whole file.
  private let tables: Set<String>?

  /// A check of a database, or of some of its tables, in which the entries of some indexes do not matter because these
  /// will be removed.
  package init(of file: SourceFile, except left: Set<String>, only tables: Set<String>? = nil) {
    self.file = file
    self.left = left
    self.tables = tables
  }

  /// The census knows the keys of all tables if the file is regular.
  ///
  /// `willRead` gets the offset of every page before it is read. `isStopped` is asked every few
  /// hundred pages; a stop is an error.
  package func isSound(
    noting census: KeyCensus? = nil,
    willRead: (Int64) -> Void = { _ in },
    isStopped: () -> Bool
  ) throws(SQLiteError) -> Bool {
    do {
      let connection = try Connection(reading: file)
      return try withoutActuallyEscaping(isStopped) { isStopped in
        try withoutActuallyEscaping(willRead) { willRead in
          let check = try TreeCheck(file, willRead: willRead, isStopped: isStopped)
          return try isSound(connection, census, check)
        }
      }
    } catch is TreeCheck.Stopped {
      throw SQLiteError(.interrupted, message: "told to stop", path: file.path)
    } catch {
      return false
    }
  }

  private func isSound(
    _ connection: Connection,
    _ census: KeyCensus?,
    _ check: TreeCheck
  ) throws -> Bool {
    try check.visit(root: 1, isTable: true, RecordReader(.schema))
    let indexes = try roots(ofType: "index", connection)
    var visited: Set<UInt32> = []
    for (name, root) in try roots(ofType: "table", connection).sorted(by: { $0.value < $1.value })
    where tables?.contains(name) ?? true {
      guard let table = try connection.table(name)?.checked(except: left) else { return false }
      let rows = RecordReader(table, noting: census?.begin(name, table.columns.map(\.name)))
      try check.visit(root: root, isTable: true, rows)
      for (position, index) in table.indexes.enumerated() {
        let entries = RecordReader()
        try check.visit(root: index.root, isTable: false, entries)
        guard entries.sum(of: 0) == rows.sum(of: position) else { return false }
        visited.insert(index.root)
      }
    }
    guard tables == nil else {
      try check.visitFreePages()
      return true
    }
    for root in indexes.values.sorted() where !visited.contains(root) {
      try check.visit(root: root, isTable: false, RecordReader())
    }
    try check.visitRest()
    return true
  }

  /// By name.
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
