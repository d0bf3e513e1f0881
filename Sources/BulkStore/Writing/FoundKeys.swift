internal import BulkSQLite

/// The keys of objects that policies found or made, by the values searched for.
///
/// They are in a table of the store being made, so that they are committed with the rows and survive an
/// interruption.
package final class FoundKeys {
  private let session: StoreSession
  private var statements: Statements?

  private typealias Statements = (search: PreparedStatement, insertion: PreparedStatement)

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
    try prepared().search.integer([.blob(values.name)])
  }

  /// Adds a key for values, in a batch.
  package func add(_ key: Int64, for values: FoundValues) throws(StoreError) {
    _ = try prepared().insertion.integer([.blob(values.name), .integer(key)])
  }

  private func prepared() throws(StoreError) -> Statements {
    if let statements { return statements }
    let table = "main.bulkmigrate_remembered"
    let prepared = (
      search: try PreparedStatement("SELECT key FROM \(table) WHERE name = ?1", session.connection),
      insertion: try PreparedStatement("INSERT INTO \(table) VALUES (?1, ?2)", session.connection)
    )
    statements = prepared
    return prepared
  }
}
