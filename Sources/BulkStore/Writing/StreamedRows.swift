/// The rows of a transfer whose large values are streamed, one row at a time.
final class StreamedRows {
  /// The keys of the source rows, ascending.
  private let keys: [Int64]
  private let rows: SourceRows
  private let inserter: RowInserter

  /// - Parameters:
  ///   - transfer: The transfer; one that leaves out duplicates has no large values.
  ///   - keys: The keys of the source rows with large values, ascending.
  ///   - session: The session that reads and writes.
  /// - Throws: ``StoreError`` if a statement cannot be made.
  init(_ transfer: RowTransfer, keys: [Int64], _ session: StoreSession) throws(StoreError) {
    self.keys = keys
    rows = try SourceRows(
      of: transfer,
      values: transfer.assignments.map(\.value),
      streamsLargeValues: true,
      session
    )
    inserter = try RowInserter(
      into: transfer.destination,
      transfer.assignments.map(\.column),
      session
    )
  }

  func keys(in range: ClosedRange<Int64>) -> ArraySlice<Int64> {
    let start = place(of: range.lowerBound)
    var end = start
    while end < keys.count, keys[end] <= range.upperBound { end += 1 }
    return keys[start..<end]
  }

  /// Writes the row that the transfer makes from a source row, and returns the number of rows written.
  func write(_ key: Int64) throws(StoreError) -> Int64 {
    var written: Int64 = 0
    try rows.start(key...key)
    while let row = try rows.next() {
      try inserter.insert(row.values)
      written += 1
    }
    return written
  }

  /// The index of the first key that is not less than a key.
  private func place(of key: Int64) -> Int {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
