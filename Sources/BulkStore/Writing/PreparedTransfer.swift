internal import BulkSQLite

/// A transfer whose statement is ready to be run for one range of keys after the other.
package final class PreparedTransfer {
  private let statement: Statement
  private let connection: Connection
  private let streamed: StreamedRows?

  init(
    _ statement: consuming Statement,
    _ connection: Connection,
    streaming streamed: StreamedRows? = nil
  ) {
    self.statement = statement
    self.connection = connection
    self.streamed = streamed
  }

  /// Transfers the rows of a range in the order of their keys.
  ///
  /// - Returns: The number of rows that were written.
  func run(_ range: ClosedRange<Int64>) throws(SQLiteError) -> Int64 {
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

  private func runStatement(_ range: ClosedRange<Int64>) throws(SQLiteError) -> Int64 {
    try statement.bind(.integer(range.lowerBound), at: 1)
    try statement.bind(.integer(range.upperBound), at: 2)
    try statement.run()
    return connection.changes
  }
}
