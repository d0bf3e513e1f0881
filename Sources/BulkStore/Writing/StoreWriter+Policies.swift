internal import BulkSQLite

extension StoreWriter {
  /// Whether a table of the destination has a row with a key.
  package func hasRow(_ key: Int64, in table: String) throws(StoreError) -> Bool {
    try StoreError.sqlite { () throws(SQLiteError) in
      try connection.value(
        "SELECT 1 FROM main.\(SQLText.quoted(table)) WHERE rowid = \(key)"
      ) != nil
    }
  }

  /// The key that was remembered under a text.
  package func remembered(_ text: String) throws(StoreError) -> Int64? {
    try StoreError.sqlite { () throws(SQLiteError) in
      try makeMemory()
      let statement = try connection.prepare("SELECT key FROM temp.remembered WHERE name = ?1")
      try statement.bind(.text(text), at: 1)
      return try statement.step() ? statement.int64(at: 0) : nil
    }
  }

  /// Remembers a key under a text, in a temporary file of SQLite's.
  package func remember(_ text: String, _ key: Int64) throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      let statement = try connection.prepare("INSERT INTO temp.remembered VALUES (?1, ?2)")
      try statement.bind(.text(text), at: 1)
      try statement.bind(.integer(key), at: 2)
      try statement.run()
    }
  }

  private func makeMemory() throws(SQLiteError) {
    try connection.execute(
      "CREATE TEMP TABLE IF NOT EXISTS remembered (name TEXT PRIMARY KEY, key INTEGER) WITHOUT ROWID"
    )
  }
}
