internal import BulkSQLite

/// The keys of objects that policies found or made, each under a text that stands for what was looked for.
///
/// They lie in a table of the store that is made, so that they commit with the rows and an interruption
/// does not lose them.
package struct FoundKeys {
  private let session: StoreSession

  package init(_ session: StoreSession) { self.session = session }

  /// Makes the table.
  ///
  /// It comes before source rows are read: SQLite ends a query that looks for partners when a table is
  /// made in its midst.
  package func makeTable() throws(StoreError) {
    try session.transactions.execute(
      "CREATE TABLE main.bulkmigrate_remembered (name TEXT PRIMARY KEY, key INTEGER) WITHOUT ROWID"
    )
  }

  /// Drops the table, which is no part of the store.
  package func dropTable() throws(StoreError) {
    try session.transactions.execute("DROP TABLE main.bulkmigrate_remembered")
  }

  /// The key that was added under a text.
  package func key(for text: String) throws(StoreError) -> Int64? {
    let statement = try session.prepare(
      "SELECT key FROM main.bulkmigrate_remembered WHERE name = ?1"
    )
    return try StoreError.sqlite { () throws(SQLiteError) in
      try statement.bind(.text(text), at: 1)
      return try statement.step() ? statement.int64(at: 0) : nil
    }
  }

  /// Adds a key under a text, inside of a batch.
  package func add(_ key: Int64, for text: String) throws(StoreError) {
    let statement = try session.prepare("INSERT INTO main.bulkmigrate_remembered VALUES (?1, ?2)")
    try StoreError.sqlite { () throws(SQLiteError) in
      try statement.bind(.text(text), at: 1)
      try statement.bind(.integer(key), at: 2)
      try statement.run()
    }
  }
}
