internal import BulkSQLite

/// Counts the rows of a table in ranges of keys.
///
/// A reader of the table for another purpose can advance the count, so that the system reads each
/// part from the disk once for both.
package final class CountSteps {
  private let statement: Statement
  private var counts: [Int64]
  /// The first key that is not counted; `nil` after the last one.
  private var next: Int64? = .min

  init(_ statement: consuming Statement, count: Int) {
    self.statement = statement
    counts = Array(repeating: 0, count: count)
  }

  /// Counts the rows through a key that are not counted yet.
  ///
  /// - Throws: ``StoreError`` if they cannot be read.
  package func advance(through key: Int64) throws(StoreError) {
    guard let first = next, first <= key else { return }
    try statement.bind(first...key)
    defer { statement.reset() }
    if try statement.step() {
      for index in counts.indices { counts[index] += statement.int64(at: Int32(index)) }
    }
    next = key == .max ? nil : key + 1
  }

  /// Counts the rest, and returns the numbers of all rows, in the order of the parts.
  ///
  /// - Throws: ``StoreError`` if the rows cannot be read.
  package func finish() throws(StoreError) -> [Int64] {
    try advance(through: .max)
    return counts
  }
}
