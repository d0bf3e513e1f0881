internal import BulkSQLite

extension StoreWriter {
  /// The version of SQLite, which decides how pages are laid out.
  package static var libraryVersion: String { Connection.libraryVersion }

  /// Copies all rows of a table of the source in one transaction.
  ///
  /// Row ids are kept, because other tables may refer to them.
  ///
  /// - Returns: The number of rows that were written.
  /// - Throws: ``StoreError`` if the table cannot be read or written.
  package func copyRows(of table: FileTable) throws(StoreError) -> Int64 {
    let name = SQLText.quoted(table.name)
    let columns = table.copiedColumns.map { SQLText.quoted($0) }.joined(separator: ", ")
    let rows = try insert(
      "INSERT INTO main.\(name) (\(columns)) SELECT \(columns) FROM source.\(name)"
    )
    if table.countsKeys { try keepCount(of: table.name) }
    return rows
  }

  /// Moves all rows of a source table, and the entries of its indexes, into an empty table that is
  /// made in the same way.
  ///
  /// SQLite then copies whole records without taking them apart (its “transfer optimisation”), as long
  /// as every index of the destination has its like in the source. Damaged ones are copied too, which
  /// ``TableCheck`` finds out.
  ///
  /// - Returns: The number of rows that were written.
  package func moveRows(of source: String, to destination: String) throws(StoreError) -> Int64 {
    try insert(
      "INSERT INTO main.\(SQLText.quoted(destination)) SELECT * FROM source.\(SQLText.quoted(source))"
    )
  }

  private func insert(_ sql: String) throws(StoreError) -> Int64 {
    var written: Int64 = 0
    try transaction { () throws(SQLiteError) in
      try connection.execute(sql)
      written = connection.changes
      count(written)
    }
    return written
  }

  /// Keeps the highest key that a table with `AUTOINCREMENT` ever gave out.
  private func keepCount(of table: String) throws(StoreError) {
    let name = SQLText.quoted(literal: table)
    try transaction { () throws(SQLiteError) in
      let counter = "SELECT 1 FROM source.sqlite_schema WHERE name = 'sqlite_sequence'"
      guard try connection.value(counter) != nil else { return }
      try connection.execute("DELETE FROM main.sqlite_sequence WHERE name = \(name)")
      try connection.execute(
        "INSERT INTO main.sqlite_sequence (name, seq) "
          + "SELECT name, seq FROM source.sqlite_sequence WHERE name = \(name)"
      )
    }
  }

  /// Gives places to the members of an ordered relationship that have none.
  package func assignPlaces(_ ordering: MemberOrdering) throws(StoreError) {
    try transaction { () throws(SQLiteError) in
      if ordering.isSymmetric && !ordering.renumbers {
        try PairPlaceAssignment(ordering, connection).run()
      } else {
        try PlaceAssignment(ordering, connection).run()
      }
    }
  }

  /// Computes the values of a derived attribute for all rows.
  package func compute(_ derived: DerivedAttribute) throws(StoreError) {
    try transaction { () throws(SQLiteError) in try connection.execute(derived.updateSQL) }
  }

  /// The highest key of a table of the destination; 0 if it is empty.
  package func highestKey(in table: String) throws(StoreError) -> Int64 {
    let value = try StoreError.sqlite { () throws(SQLiteError) in
      try connection.value("SELECT max(rowid) FROM main.\(SQLText.quoted(table))")
    }
    guard case .integer(let key) = value else { return 0 }
    return key
  }

  /// The highest key among the source rows of a transfer; 0 if there are none.
  package func highestKey(amongRowsOf rows: RowTransfer) throws(StoreError) -> Int64 {
    let value = try StoreError.sqlite { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "SELECT s.rowid \(rows.rowsSQL) DESC LIMIT 1"
      )
      try statement.bind(.integer(.min), at: 1)
      try statement.bind(.integer(.max), at: 2)
      return try statement.step() ? statement.value(at: 0) : nil
    }
    guard case .integer(let key) = value else { return 0 }
    return key
  }

  /// Writes the rows of `Z_PRIMARYKEY`.
  package func insert(_ entries: [PrimaryKeyEntry]) throws(StoreError) {
    try transaction { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, ?3, ?4)"
      )
      for entry in entries {
        try statement.bind(.integer(entry.number), at: 1)
        try statement.bind(.text(entry.name), at: 2)
        try statement.bind(.integer(entry.superentity), at: 3)
        try statement.bind(.integer(entry.highestKey), at: 4)
        try statement.run()
      }
    }
  }

  /// Writes the store's metadata and the cache of its model.
  package func insert(_ metadata: StoreMetadata, modelCache: [UInt8]) throws(StoreError) {
    try transaction { () throws(SQLiteError) in
      let row = try connection.prepare(
        "INSERT INTO main.Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)"
      )
      try row.bind(.text(metadata.uuid), at: 1)
      try connection.withoutValueLimit { () throws(SQLiteError) in
        try row.bind(.blob(metadata.propertyListBytes), at: 2)
        try row.run()
      }
      let cache = try connection.prepare("INSERT INTO main.Z_MODELCACHE (Z_CONTENT) VALUES (?1)")
      try connection.withoutValueLimit { () throws(SQLiteError) in
        try cache.bind(.blob(modelCache), at: 1)
        try cache.run()
      }
    }
  }

  /// Puts the file into the journal mode in which Core Data keeps its stores, and closes the log.
  package func useWriteAheadMode() throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      // One that nobody else may open needs no memory to share with others, which would be a file.
      try connection.execute("PRAGMA main.locking_mode = EXCLUSIVE")
      try connection.execute("PRAGMA main.journal_mode = WAL")
      // The log opens with the first look at the file. To checkpoint one that is not open yet, SQLite lists
      // all tables, and compiles every view for that.
      _ = try connection.value("PRAGMA main.schema_version")
      try connection.execute("PRAGMA main.wal_checkpoint(TRUNCATE)")
    }
  }
}
