internal import BulkSQLite

/// A transfer whose statement is ready to be run for one range of keys after the other.
package final class PreparedTransfer {
  private let statement: Statement

  init(_ statement: consuming Statement) { self.statement = statement }

  func run(_ range: ClosedRange<Int64>) throws(SQLiteError) {
    try statement.bind(.integer(range.lowerBound), at: 1)
    try statement.bind(.integer(range.upperBound), at: 2)
    try statement.run()
  }
}
