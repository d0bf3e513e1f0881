internal import BulkSQLite

/// Rows of a table with a `Z_ENT` that no entity of the table has.
///
/// Core Data never fetches them.
package struct StrayRows: Codable, Hashable, Sendable {
  package let table: String
  package let entities: [Int64]
  package let rows: Int64
  /// The least key of them, and its `Z_ENT` in SQL.
  package let firstKey: Int64
  let firstNumber: String

  /// `nil` if there are none.
  ///
  /// Indexes are not used: a corrupt one may have other numbers than the rows.
  package init?(
    in table: String,
    of store: PersistentStore,
    except entities: Set<Int64>
  ) throws(StoreError) {
    let entities = entities.sorted()
    let statement = try store.connection.prepare(
      "SELECT count(*), min(rowid), quote(Z_ENT) FROM \(SQLText.quoted(table)) NOT INDEXED WHERE "
        + Self.condition(except: entities)
    )
    guard try statement.step(), statement.int64(at: 0) > 0 else { return nil }
    (self.table, self.entities) = (table, entities)
    (rows, firstKey) = (statement.int64(at: 0), statement.int64(at: 1))
    firstNumber = statement.text(at: 2)
  }

  private static func condition(except entities: [Int64]) -> String {
    "(typeof(Z_ENT) <> 'integer' OR Z_ENT NOT IN (\(ColumnExpression.list(entities))))"
  }

  /// Removes the rows from a copy of the store; triggers are off.
  ///
  /// Indexes are filled again afterwards, since they may contradict the rows. One that a run leaves behind, because it
  /// compares or computes by functions that are not known or not allowed, keeps its entries.
  func remove(from connection: Connection) throws(StoreError) {
    let isIndex =
      "type = 'index' AND sql IS NOT NULL AND tbl_name = \(SQLText.quoted(literal: table)) COLLATE NOCASE"
    try connection.execute(
      "CREATE TEMP TABLE hidden AS SELECT rowid AS place, * FROM main.sqlite_schema WHERE \(isIndex)"
    )
    try change(connection, "DELETE FROM main.sqlite_schema WHERE \(isIndex)")
    try connection.execute(
      "DELETE FROM main.\(SQLText.quoted(table)) WHERE \(Self.condition(except: entities))"
    )
    try change(
      connection,
      "INSERT INTO main.sqlite_schema (rowid, type, name, tbl_name, rootpage, sql) SELECT * FROM temp.hidden"
    )
    let trial = try StoreSession(inMemoryFor: connection.path).connection
    for (_, sql) in try texts(
      "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table' "
        + "AND name = \(SQLText.quoted(literal: table)) COLLATE NOCASE",
      connection
    ) {
      // A column that is computed may not be allowed, and then its indexes are not.
      try? trial.execute(foreign: sql)
    }
    for (name, sql) in try texts("SELECT name, sql FROM temp.hidden", connection) {
      guard (try? trial.execute(foreign: sql)) != nil else { continue }
      try connection.execute("REINDEX main.\(SQLText.quoted(name))")
    }
    try connection.execute("DROP TABLE temp.hidden")
  }

  /// Changes the list of the objects, and reads it again.
  private func change(_ connection: Connection, _ sql: String) throws(StoreError) {
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute(sql)
    try connection.execute("PRAGMA writable_schema = RESET")
  }

  private func texts(
    _ sql: String,
    _ connection: Connection
  ) throws(StoreError) -> [(String, String)] {
    let statement = try connection.prepare(sql)
    var result: [(String, String)] = []
    while try statement.step() { result.append((statement.text(at: 0), statement.text(at: 1))) }
    return result
  }
}

extension StrayRows: CustomStringConvertible {
  package var description: String {
    "the \(rows == 1 ? "row" : "first row") with key \(firstKey) has Z_ENT \(firstNumber), which is not the number of an "
      + "entity of the table, so Core Data never fetches it"
  }
}
