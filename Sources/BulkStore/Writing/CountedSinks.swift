internal import BulkSQLite

/// Receives the rows of one table, and writes and counts them in the transaction to which they belong.
final class CountedTableSink: TableSink {
  private let valueCount: Int
  private let transactions: TransactionLog
  private let counted: RowCount
  private let write: ([SQLiteValue]) throws(SQLiteError) -> Void

  /// - Parameters:
  ///   - valueCount: The number of values of a row.
  ///   - transactions: The transactions.
  ///   - counted: The count of the rows.
  ///   - write: Writes rows whose values are given one row after another.
  init(
    valueCount: Int,
    _ transactions: TransactionLog,
    _ counted: RowCount,
    _ write: @escaping ([SQLiteValue]) throws(SQLiteError) -> Void
  ) {
    self.valueCount = valueCount
    self.transactions = transactions
    self.counted = counted
    self.write = write
  }

  func append(_ values: [SQLiteValue]) throws(StoreError) {
    try transactions.transaction { () throws(SQLiteError) in
      try write(values)
      counted.add(Int64(values.count / valueCount))
    }
  }
}

/// Receives the rows of one transfer, and writes and counts them in the transaction to which they belong.
final class CountedTransferSink: TransferSink {
  private let transactions: TransactionLog
  private let counted: RowCount
  private let write: (ClosedRange<Int64>) throws(SQLiteError) -> Int64

  /// - Parameters:
  ///   - transactions: The transactions.
  ///   - counted: The count of the rows.
  ///   - write: Writes the rows of a range, and returns their number.
  init(
    _ transactions: TransactionLog,
    _ counted: RowCount,
    _ write: @escaping (ClosedRange<Int64>) throws(SQLiteError) -> Int64
  ) {
    self.transactions = transactions
    self.counted = counted
    self.write = write
  }

  func append(_ range: ClosedRange<Int64>) throws(StoreError) -> Int64 {
    var written: Int64 = 0
    try transactions.transaction { () throws(SQLiteError) in
      written = try write(range)
      counted.add(written)
    }
    return written
  }
}
