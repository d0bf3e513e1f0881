internal import BulkSQLite

extension StoreWriter {
  /// Makes the table in which policies remember what they found, and that in which association tables
  /// are turned round.
  ///
  /// It comes before source rows are read: SQLite ends a query that looks for partners when a table is
  /// made in its midst. The first table is part of the file, so that an interruption does not lose it;
  /// ``forget()`` drops it.
  package func makeMemory() throws(StoreError) {
    try transaction { () throws(SQLiteError) in
      try connection.execute(
        "CREATE TABLE main.bulkmigrate_remembered (name TEXT PRIMARY KEY, key INTEGER) WITHOUT ROWID"
      )
    }
    try StoreError.sqlite { () throws(SQLiteError) in
      try connection.execute(
        "CREATE TEMP TABLE reversed (association INTEGER, destination INTEGER, source INTEGER, "
          + "PRIMARY KEY (association, destination, source)) WITHOUT ROWID"
      )
    }
  }

  /// Whether a table of the source has a row with a key, of an entity with a number.
  package func hasSourceRow(
    _ key: Int64,
    in table: String,
    ofEntity number: Int64
  ) throws(StoreError) -> Bool {
    try StoreError.sqlite { () throws(SQLiteError) in
      try connection.value(
        "SELECT 1 FROM source.\(SQLText.quoted(table)) WHERE rowid = \(key) AND Z_ENT = \(number)"
      ) != nil
    }
  }

  /// The key that was remembered under a text.
  package func remembered(_ text: String) throws(StoreError) -> Int64? {
    try StoreError.sqlite { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "SELECT key FROM main.bulkmigrate_remembered WHERE name = ?1"
      )
      try statement.bind(.text(text), at: 1)
      return try statement.step() ? statement.int64(at: 0) : nil
    }
  }

  /// Remembers a key under a text, in a table that is dropped at the end.
  package func remember(_ text: String, _ key: Int64) throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "INSERT INTO main.bulkmigrate_remembered VALUES (?1, ?2)"
      )
      try statement.bind(.text(text), at: 1)
      try statement.bind(.integer(key), at: 2)
      try statement.run()
    }
  }

  /// Forgets everything that was remembered.
  package func forget() throws(StoreError) {
    try transaction { () throws(SQLiteError) in
      try connection.execute("DROP TABLE main.bulkmigrate_remembered")
    }
  }

  /// The source keys that an association table has for a destination key, ascending.
  ///
  /// The first question turns the table round.
  ///
  /// - Parameters:
  ///   - key: The destination key.
  ///   - index: The table's number.
  ///   - pairs: Tells all pairs of the table.
  /// - Returns: The source keys.
  /// - Throws: ``StoreError``, and what `pairs` throws.
  package func sources(
    of key: Int64,
    in index: Int,
    _ pairs: (_ add: (Int64, Int64) throws -> Void) throws -> Void
  ) throws -> [Int64] {
    if try !hasReversed(index) {
      let insertion = try StoreError.sqlite { () throws(SQLiteError) in
        try connection.prepare("INSERT OR IGNORE INTO temp.reversed VALUES (\(index), ?1, ?2)")
      }
      try pairs { source, destination in
        try StoreError.sqlite { () throws(SQLiteError) in
          try insertion.bind(.integer(destination), at: 1)
          try insertion.bind(.integer(source), at: 2)
          try insertion.run()
        }
      }
    }
    return try StoreError.sqlite { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "SELECT source FROM temp.reversed WHERE association = \(index) AND destination = ?1"
      )
      try statement.bind(.integer(key), at: 1)
      var result: [Int64] = []
      while try statement.step() { result.append(statement.int64(at: 0)) }
      return result
    }
  }

  private func hasReversed(_ index: Int) throws(StoreError) -> Bool {
    try StoreError.sqlite { () throws(SQLiteError) in
      try connection.value("SELECT 1 FROM temp.reversed WHERE association = \(index) LIMIT 1")
        != nil
    }
  }
}
