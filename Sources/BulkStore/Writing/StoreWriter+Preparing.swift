internal import BulkSQLite

extension StoreWriter {
  /// The ranges of keys in which the rows of a source table are transferred.
  ///
  /// - Parameters:
  ///   - table: The source table.
  ///   - rows: Its number of rows, as far as it is known.
  /// - Returns: The ranges, ascending.
  /// - Throws: ``StoreError`` if the table cannot be read.
  package func ranges(of table: String, rows: Int64) throws(StoreError) -> KeyRanges {
    try StoreError.sqlite { () throws(SQLiteError) in
      try KeyRanges(connection, table: table, rows: rows, batchRows: batchRows)
    }
  }

  /// Prepares a transfer for its ranges.
  ///
  /// - Parameters:
  ///   - transfer: The transfer.
  ///   - streamsLargeValues: Whether the source table has large values, which are streamed where the
  ///     transfer only carries them.
  /// - Returns: The transfer.
  /// - Throws: ``StoreError`` if its statement does not fit the two files.
  package func prepare(
    _ transfer: RowTransfer,
    streamsLargeValues: Bool = false
  ) throws(StoreError) -> PreparedTransfer {
    let keys = streamsLargeValues ? largeKeys(of: transfer) : []
    return try StoreError.sqlite { () throws(SQLiteError) in
      PreparedTransfer(
        try connection.prepare(transfer.sql),
        connection,
        streaming: keys.isEmpty ? nil : try StreamedRows(connection, transfer, keys: keys)
      )
    }
  }

  /// The keys of the source rows with large values that a transfer carries.
  ///
  /// Each stands for more than ``LargeValue/bound`` bytes of the source, so they are few.
  private func largeKeys(of transfer: RowTransfer) -> [Int64] {
    guard
      let sourcePath, transfer.assignments.contains(where: { $0.value.largeColumnSQL != nil }),
      let rows = try? LargeRows(of: transfer.source, in: sourcePath)
    else { return [] }
    var keys: [Int64] = []
    rows.forEach { row in
      if row.values.contains(where: { !$0.isText }) { keys.append(row.key) }
    }
    return keys
  }

  /// Readies a query of source rows.
  package func prepare(_ query: RowQuery) throws(StoreError) -> PreparedQuery {
    try StoreError.sqlite { () throws(SQLiteError) in
      PreparedQuery(try connection.prepare(query.sql), query.columns)
    }
  }

  /// Readies a query of the objects of a to-many relationship.
  package func prepare(_ query: MemberQuery) throws(StoreError) -> PreparedQuery {
    try StoreError.sqlite { () throws(SQLiteError) in
      PreparedQuery(try connection.prepare(query.sql), query.columns)
    }
  }

  /// Readies the reading of links.
  ///
  /// - Throws: ``StoreError`` if the source does not hold what the query asks.
  package func links(_ query: LinkQuery) throws(StoreError) -> LinkReader {
    try StoreError.sqlite { () throws(SQLiteError) in
      LinkReader(try connection.prepare(query.sql), query)
    }
  }

  /// The number of source rows that a transfer would read.
  package func count(_ rows: RowTransfer) throws(StoreError) -> Int64 {
    let value = try StoreError.sqlite { () throws(SQLiteError) -> SQLiteValue? in
      let statement = try connection.prepare("SELECT count(*) \(rows.rowsSQL)")
      try statement.bind(.integer(.min), at: 1)
      try statement.bind(.integer(.max), at: 2)
      return try statement.step() ? statement.value(at: 0) : nil
    }
    guard case .integer(let count) = value else { return 0 }
    return count
  }
}
