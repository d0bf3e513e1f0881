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
