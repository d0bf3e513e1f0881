package import BulkSQLite

/// Reads source rows with values that follow from them, in ranges of their keys.
package final class SourceRows {
  /// A value of a column as it stands.
  package typealias Value = SQLiteValue

  private let statement: Statement
  private let count: Int32

  init(
    _ connection: Connection,
    _ rows: RowTransfer,
    values: [ColumnExpression]
  ) throws(SQLiteError) {
    let list = (["s.rowid"] + values.map(\.sql)).joined(separator: ", ")
    statement = try connection.prepare("SELECT \(list) \(rows.rowsSQL)")
    count = Int32(values.count)
  }

  /// Begins to read the rows of a range.
  package func start(_ range: ClosedRange<Int64>) throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      statement.reset()
      try statement.bind(.integer(range.lowerBound), at: 1)
      try statement.bind(.integer(range.upperBound), at: 2)
    }
  }

  /// The next row: its key and its values; `nil` behind the last row of the range.
  package func next() throws(StoreError) -> (key: Int64, values: [SQLiteValue])? {
    try StoreError.sqlite { () throws(SQLiteError) in
      guard try statement.step() else { return nil }
      return (statement.int64(at: 0), (0..<count).map { statement.value(at: $0 + 1) })
    }
  }
}
