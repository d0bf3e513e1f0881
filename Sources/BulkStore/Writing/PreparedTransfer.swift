internal import BulkSQLite

/// A transfer with a prepared statement, which is run for one range of keys after another.
final class PreparedTransfer {
  private let statement: Statement
  private let connection: Connection
  private let streamed: StreamedRows?

  /// Prepares a transfer, which may stream large values that it only copies.
  ///
  /// - Throws: ``StoreError`` if its statement does not fit the two files.
  init(
    _ transfer: RowTransfer,
    streamsLargeValues: Bool,
    _ session: StoreSession
  ) throws(StoreError) {
    let keys = streamsLargeValues ? Self.largeKeys(of: transfer, session) : []
    statement = try session.prepare(transfer.sql)
    connection = session.connection
    streamed = keys.isEmpty ? nil : try StreamedRows(transfer, keys: keys, session)
  }

  /// The keys of the source rows with large values that a transfer copies.
  ///
  /// Each has more than ``LargeValue/bound`` bytes in the source, so they are few.
  private static func largeKeys(of transfer: RowTransfer, _ session: StoreSession) -> [Int64] {
    guard
      let source = session.source,
      transfer.assignments.contains(where: { $0.value.largeColumnSQL != nil }),
      let rows = try? LargeRows(of: transfer.source, in: source)
    else { return [] }
    var keys: [Int64] = []
    rows.forEach { row in
      if row.values.contains(where: { !$0.isText }) { keys.append(row.key) }
    }
    return keys
  }

  /// Writes the rows of source rows with keys in a range, in their order, and returns their number.
  func run(_ range: ClosedRange<Int64>) throws(StoreError) -> Int64 {
    guard let streamed else { return try runStatement(range) }
    var written: Int64 = 0
    var first: Int64? = range.lowerBound
    for key in streamed.keys(in: range) {
      if let start = first, start < key { written += try runStatement(start...(key - 1)) }
      written += try streamed.write(key)
      first = key == .max ? nil : key + 1
    }
    if let first, first <= range.upperBound {
      written += try runStatement(first...range.upperBound)
    }
    return written
  }

  private func runStatement(_ range: ClosedRange<Int64>) throws(StoreError) -> Int64 {
    try statement.bind(range)
    try statement.run()
    return connection.changes
  }
}
