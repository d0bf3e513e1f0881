internal import BulkSQLite

/// The keys of objects that policies found or made, by a text for the values searched for.
///
/// They are in a table of the store being made, so that they are committed with the rows and survive an
/// interruption.
package struct FoundKeys {
  private let session: StoreSession

  package init(_ session: StoreSession) { self.session = session }

  /// Makes the table.
  ///
  /// Make it before source rows are read: SQLite ends a query that looks for partners if a table is created
  /// meanwhile.
  package func makeTable() throws(StoreError) {
    try session.transactions.execute(
      "CREATE TABLE main.bulkmigrate_remembered (name TEXT PRIMARY KEY, key INTEGER) WITHOUT ROWID"
    )
  }

  /// Drops the table, which is not part of the finished store.
  package func dropTable() throws(StoreError) {
    try session.transactions.execute("DROP TABLE main.bulkmigrate_remembered")
  }

  /// The key that was added for a text.
  package func key(for text: String) throws(StoreError) -> Int64? {
    let statement = try session.prepare(
      "SELECT key FROM main.bulkmigrate_remembered WHERE name = ?1"
    )
    return try StoreError.sqlite { () throws(SQLiteError) in
      try statement.bind(.text(text), at: 1)
      return try statement.step() ? statement.int64(at: 0) : nil
    }
  }

  /// Adds a key for a text, in a batch.
  package func add(_ key: Int64, for text: String) throws(StoreError) {
    let statement = try session.prepare("INSERT INTO main.bulkmigrate_remembered VALUES (?1, ?2)")
    try StoreError.sqlite { () throws(SQLiteError) in
      try statement.bind(.text(text), at: 1)
      try statement.bind(.integer(key), at: 2)
      try statement.run()
    }
  }
}
