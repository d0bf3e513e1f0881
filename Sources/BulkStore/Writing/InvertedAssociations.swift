internal import BulkSQLite

/// Association tables inverted, from destination keys to source keys, in a temporary table.
package struct InvertedAssociations {
  private let session: StoreSession

  package init(_ session: StoreSession) { self.session = session }

  /// Makes the temporary table, before source rows are read.
  package func makeTable() throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      try session.connection.execute(
        "CREATE TEMP TABLE reversed (association INTEGER, destination INTEGER, source INTEGER, "
          + "PRIMARY KEY (association, destination, source)) WITHOUT ROWID"
      )
    }
  }

  /// The source keys of a destination key in an association table, ascending.
  ///
  /// The first call inverts the table.
  ///
  /// - Parameters:
  ///   - key: The destination key.
  ///   - index: The number of the table.
  ///   - pairs: Calls a body with all pairs of the table.
  /// - Returns: The source keys.
  /// - Throws: ``StoreError``, and any error of `pairs`.
  package func sources(
    of key: Int64,
    in index: Int,
    _ pairs: (_ add: (Int64, Int64) throws -> Void) throws -> Void
  ) throws -> [Int64] {
    if try !holds(index) { try invert(index, pairs) }
    let statement = try session.prepare(
      "SELECT source FROM temp.reversed WHERE association = \(index) AND destination = ?1"
    )
    return try StoreError.sqlite { () throws(SQLiteError) in
      try statement.bind(.integer(key), at: 1)
      var result: [Int64] = []
      while try statement.step() { result.append(statement.int64(at: 0)) }
      return result
    }
  }

  private func invert(
    _ index: Int,
    _ pairs: (_ add: (Int64, Int64) throws -> Void) throws -> Void
  ) throws {
    let insertion = try session.prepare(
      "INSERT OR IGNORE INTO temp.reversed VALUES (\(index), ?1, ?2)"
    )
    try pairs { source, destination in
      try StoreError.sqlite { () throws(SQLiteError) in
        try insertion.bind(.integer(destination), at: 1)
        try insertion.bind(.integer(source), at: 2)
        try insertion.run()
      }
    }
  }

  private func holds(_ index: Int) throws(StoreError) -> Bool {
    try session.value("SELECT 1 FROM temp.reversed WHERE association = \(index) LIMIT 1") != nil
  }
}
