/// The rows of `sqlite_schema`, which has no index, by the names of tables and indexes.
struct SchemaRows {
  /// A table or an index.
  struct Entry {
    let root: Int64
    let sql: String
    /// Its place in the order of the file.
    let rowID: Int64
  }

  private let rowIDs: [String: Int64]

  fileprivate init(_ connection: Connection, _ schema: String) throws(SQLiteError) {
    let rows = try connection.prepare(
      "SELECT rowid, name FROM \(schema).sqlite_schema WHERE type IN ('table', 'index')"
    )
    var rowIDs: [String: Int64] = [:]
    while try rows.step() { rowIDs[rows.text(at: 1)] = rows.int64(at: 0) }
    self.rowIDs = rowIDs
  }

  /// An entry whose row is where it was; `nil` if it is not.
  fileprivate func entry(
    _ name: String,
    isIndex: Bool,
    in schema: String,
    _ connection: Connection
  ) throws(SQLiteError) -> Entry? {
    guard let rowID = rowIDs[name] else { return nil }
    let row = try connection.prepare(
      "SELECT rootpage, sql FROM \(schema).sqlite_schema WHERE rowid = \(rowID) "
        + "AND type = '\(isIndex ? "index" : "table")' AND name = \(SQLText.quoted(literal: name))"
    )
    guard try row.step() else { return nil }
    return Entry(root: row.int64(at: 0), sql: row.text(at: 1), rowID: rowID)
  }
}

extension Connection {
  /// The entry of a table or an index in `sqlite_schema`; `nil` if there is none.
  func schemaEntry(
    _ name: String,
    isIndex: Bool = false,
    in schema: String = "main"
  ) throws(SQLiteError) -> SchemaRows.Entry? {
    if let known = try schemaRows[schema]?.entry(name, isIndex: isIndex, in: schema, self) {
      return known
    }
    let rows = try SchemaRows(self, schema)
    schemaRows[schema] = rows
    return try rows.entry(name, isIndex: isIndex, in: schema, self)
  }

  /// The root page of a table; `nil` if there is none.
  package func root(ofTable name: String) throws(SQLiteError) -> UInt32? {
    guard let entry = try schemaEntry(name), entry.root > 1 else { return nil }
    return UInt32(exactly: entry.root)
  }
}
