internal import BulkSQLite

/// The keys of objects that policies found or made, by the values searched for.
///
/// They are in a table of the store being made, so that they are committed with the rows and survive an
/// interruption.
package final class FoundKeys {
  private let session: StoreSession
  private var statements: (search: StoredKey, insertion: StoredKey)?

  /// A statement on the table of keys.
  private final class StoredKey {
    private let statement: Statement

    init(_ sql: String, _ session: StoreSession) throws(StoreError) {
      statement = try session.prepare(sql)
    }

    /// Runs the statement, and returns the first column of its row; `nil` if it has none.
    func run(_ values: [SQLiteValue]) throws(StoreError) -> Int64? {
      for (index, value) in values.enumerated() {
        try statement.bind(value, at: Int32(index) + 1)
      }
      defer { statement.reset() }
      return try statement.step() ? statement.int64(at: 0) : nil
    }
  }

  package init(_ session: StoreSession) { self.session = session }

  /// Makes the table.
  ///
  /// Make it before source rows are read: SQLite ends a query that looks for partners if a table is
  /// created while it runs.
  package func makeTable() throws(StoreError) {
    try session.transactions.execute(
      "CREATE TABLE main.bulkmigrate_remembered (name BLOB PRIMARY KEY, key INTEGER) WITHOUT ROWID"
    )
  }

  /// Drops the table, which is not part of the finished store.
  package func dropTable() throws(StoreError) {
    try session.transactions.execute("DROP TABLE main.bulkmigrate_remembered")
  }

  /// The key that was added for values.
  package func key(for values: FoundValues) throws(StoreError) -> Int64? {
    try prepared().search.run([.blob(values.name)])
  }

  /// Adds a key for values, in a batch.
  package func add(_ key: Int64, for values: FoundValues) throws(StoreError) {
    _ = try prepared().insertion.run([.blob(values.name), .integer(key)])
  }

  private func prepared() throws(StoreError) -> (search: StoredKey, insertion: StoredKey) {
    if let statements { return statements }
    let table = "main.bulkmigrate_remembered"
    let prepared = (
      search: try StoredKey("SELECT key FROM \(table) WHERE name = ?1", session),
      insertion: try StoredKey("INSERT INTO \(table) VALUES (?1, ?2)", session)
    )
    statements = prepared
    return prepared
  }
}
