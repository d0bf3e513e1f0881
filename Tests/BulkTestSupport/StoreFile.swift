internal import BulkSQLite

/// A store file, read and changed with plain SQL.
///
/// A copy is never made: a test reads and changes only stores of its own.
package struct StoreFile: Sendable {
  package let path: String
  /// The folder in which it lies, kept as long as the store is used.
  private let directory: TemporaryDirectory?

  package init(_ path: String, keeping directory: TemporaryDirectory? = nil) {
    self.path = path
    self.directory = directory
  }

  package func rows(_ sql: String) throws -> [[StoredValue]] {
    let connection = try Connection(path: path, access: .readWrite)
    let statement = try connection.prepare(sql)
    var result: [[StoredValue]] = []
    while try statement.step() {
      result.append((0..<statement.columnCount).map { StoredValue(statement.value(at: $0)) })
    }
    return result
  }

  /// Some columns of all rows of a table, in the order of their keys.
  package func rows(of table: String, _ columns: String...) throws -> [[StoredValue]] {
    let list = columns.isEmpty ? "*" : columns.map { SQLText.quoted($0) }.joined(separator: ", ")
    return try rows("SELECT \(list) FROM \(SQLText.quoted(table)) ORDER BY rowid")
  }

  /// The columns of a table, in its order.
  package func columns(of table: String) throws -> [StoredValue] {
    try rows("SELECT name FROM pragma_table_info(\(SQLText.quoted(literal: table)))").map { $0[0] }
  }

  /// The names of the tables, sorted.
  package func tables() throws -> [StoredValue] { try names(of: "table") }

  /// The names of the objects of a type (`table`, `index`, `trigger`, `view`), sorted.
  package func names(of type: String) throws -> [StoredValue] {
    try rows(
      "SELECT name FROM sqlite_schema WHERE type = \(SQLText.quoted(literal: type)) "
        + "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ).map { $0[0] }
  }

  /// What SQLite finds wrong with the file; `ok` where nothing is.
  package func integrity() throws -> [[StoredValue]] { try rows("PRAGMA integrity_check") }

  package func execute(_ sql: String) throws {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute(sql)
  }

  package func metadata() throws -> StoreMetadata { try PersistentStore(path: path).metadata }
}
