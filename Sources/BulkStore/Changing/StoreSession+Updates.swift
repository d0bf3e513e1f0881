internal import BulkSQLite

extension StoreSession {
  /// The number of rows that are changed at once: SQLite lists the rows to change in memory.
  private static let rowsAtOnce: Int64 = 10_000

  /// Runs a statement that changes the rows of a table with row ids from parameter 1 to parameter 2, for all rows,
  /// range after range, in the open transaction.
  func run(_ sql: String, overRowsOf table: String) throws(StoreError) {
    let count = min(Self.rowsAtOnce, transactions.batchRows)
    let end = try PreparedStatement(
      "SELECT rowid FROM main.\(SQLText.quoted(table)) WHERE rowid >= ?1 ORDER BY rowid LIMIT 1 "
        + "OFFSET \(count - 1)",
      connection
    )
    let update = try PreparedStatement(sql, connection)
    var first: Int64? = .min
    while let start = first {
      let last = try end.integer(of: start) ?? .max
      try update.run(start...last)
      first = last == .max ? nil : last + 1
    }
  }

  /// Runs statements, each for the rows with row ids from parameter 1 to parameter 2, over the row ids of a source
  /// table, which the rows of the changed table have too, range after range.
  ///
  /// Throws also any error of `changed`, which is called after every range.
  package func run(
    _ updates: [String],
    over source: String,
    rows: Int64,
    _ changed: () throws -> Void
  ) throws {
    guard !updates.isEmpty else { return }
    let updates = try updates.map { try PreparedStatement($0, connection) }
    var ranges = try KeyRanges(of: source, rows: rows, self)
    while true {
      let group = try ranges.nextRanges()
      if group.isEmpty { return }
      try transactions.batch {
        for range in group {
          for update in updates { try update.run(range) }
          position.reach(range.upperBound)
          try changed()
        }
      }
    }
  }

  /// Changes the rows of the history and of CloudKit's tables, within a batch.
  package func change(_ ancillary: [AncillaryChange]) throws(StoreError) {
    for sql in ancillary.flatMap(\.updates).joined() {
      try PreparedStatement(sql, connection).run(.min ... .max)
    }
  }
}
