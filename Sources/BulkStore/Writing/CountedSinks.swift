internal import BulkSQLite

/// Receives the rows of one table, and writes and counts them in the transaction to which they belong.
final class CountedTableSink: TableSink {
  private let valueCount: Int
  private let transactions: TransactionLog
  private let counted: RowCount
  private let write: ([SQLiteValue]) throws(StoreError) -> Void
  private let copier: Copier
  /// Prepares to make rows of given values and those of a statement.
  var selector: (PartlyGivenRows) throws(StoreError) -> (any CopySink)? = { _ in nil }

  /// Prepares to make rows from the records of a source table.
  typealias Copier = (
    _ source: String, _ copy: (RecordCompiler) -> RecordCopy?
  ) throws(StoreError) -> (any CopySink)?

  /// Counts rows of some values, given one row after another, and writes them in transactions.
  init(
    valueCount: Int,
    _ transactions: TransactionLog,
    _ counted: RowCount,
    copier: @escaping Copier = { _, _ in nil },
    _ write: @escaping ([SQLiteValue]) throws(StoreError) -> Void
  ) {
    self.valueCount = valueCount
    self.transactions = transactions
    self.counted = counted
    self.write = write
    self.copier = copier
  }

  func selector(of rows: PartlyGivenRows) throws(StoreError) -> (any CopySink)? {
    try selector(rows)
  }

  func copier(
    from source: String,
    _ copy: (RecordCompiler) -> RecordCopy?
  ) throws(StoreError) -> (any CopySink)? { try copier(source, copy) }

  func append(_ values: [SQLiteValue]) throws(StoreError) {
    try transactions.transaction { () throws(StoreError) in
      try write(values)
      counted.add(Int64(values.count / valueCount))
    }
  }
}

/// Writes the rows of one transfer.
protocol TransferWriter: AnyObject {
  /// Writes the rows that are made from source rows with keys in a range, in their order, and returns their number.
  ///
  /// - Throws: ``StoreError`` if they cannot be read or written.
  func run(_ range: ClosedRange<Int64>) throws(StoreError) -> Int64
}

/// Receives the rows of transfers, and writes and counts them in the transaction to which they belong.
final class CountedTransferSink: TransferSink {
  private let transactions: TransactionLog
  private let counted: RowCount
  private let writers: [any TransferWriter]

  init(_ transactions: TransactionLog, _ counted: RowCount, _ writers: [any TransferWriter]) {
    self.transactions = transactions
    self.counted = counted
    self.writers = writers
  }

  func append(_ range: ClosedRange<Int64>) throws(StoreError) -> [Int64] {
    var written = writers.map { _ in 0 as Int64 }
    try transactions.transaction { () throws(StoreError) in
      for part in writers.count > 1 ? Array(KeyBlock.parts(of: range)) : [range] {
        for (index, writer) in writers.enumerated() { written[index] += try writer.run(part) }
      }
      counted.add(written.reduce(0, +))
    }
    return written
  }
}
