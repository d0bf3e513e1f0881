internal import BulkSQLite
#if DEBUG
internal import Foundation
#endif

/// The keys of a source table in ascending ranges, each with a bounded number of rows.
///
/// Where the keys are dense a range is as many keys as a batch has rows. Where they have wide gaps
/// the end of each range is looked up, so that a range is never nearly empty.
package struct KeyRanges: ~Copyable {
  /// The rows of a batch where nobody says otherwise: large enough that a transaction costs nothing beside
  /// its rows, small enough that progress is seen and little is lost by an interruption.
  package static let usualBatchRows: Int64 = rowsForProofs ?? 100_000

  /// What the environment of a debug build says instead, so that the many interruptions of a proof can be
  /// tried on a small store: with `BULKMIGRATE_BATCH_ROWS=100` a batch has 100 rows, and a migration of
  /// 100 rows has checkpoints already.
  private static var rowsForProofs: Int64? {
    #if DEBUG
    ProcessInfo.processInfo.environment["BULKMIGRATE_BATCH_ROWS"].flatMap { Int64($0) }
    #else
    nil
    #endif
  }

  private let batchRows: Int64
  private let first: Statement
  private let endOfBatch: Statement
  private let isDense: Bool
  private var lowestLeft: Int64? = .min

  init(_ connection: Connection, table: String, rows: Int64, batchRows: Int64) throws(SQLiteError) {
    self.batchRows = batchRows
    let name = "source.\(SQLText.quoted(table))"
    let first = try connection.prepare(
      "SELECT rowid FROM \(name) WHERE rowid >= ?1 ORDER BY rowid LIMIT 1"
    )
    let endOfBatch = try connection.prepare(
      "SELECT rowid FROM \(name) WHERE rowid >= ?1 ORDER BY rowid LIMIT 1 "
        + "OFFSET \(batchRows - 1)"
    )
    // Two statements, because SQLite finds only one end at a time without reading all rows.
    let lowest = try connection.value("SELECT min(rowid) FROM \(name)")
    let highest = try connection.value("SELECT max(rowid) FROM \(name)")
    self.first = first
    self.endOfBatch = endOfBatch
    isDense = Self.isDense(from: lowest, to: highest, rows: rows)
  }

  private static func isDense(from low: SQLiteValue?, to high: SQLiteValue?, rows: Int64) -> Bool {
    guard case .integer(let low) = low, case .integer(let high) = high else { return true }
    let (width, overflow) = high.subtractingReportingOverflow(low)
    return !overflow && width / 4 <= rows
  }

  /// The ranges that are written in one transaction where SQLite alone makes the rows: what an
  /// interruption costs is done again in about a second, and waiting for the disk costs little.
  ///
  /// Small batches are more of them, so that their size is no matter of speed.
  private var rangesAtOnce: Int { max(Int(5 * Self.usualBatchRows / batchRows), 1) }

  /// The next ranges, at most as many as are written at once; none after the last row.
  package mutating func nextRanges() throws(StoreError) -> [ClosedRange<Int64>] {
    var result: [ClosedRange<Int64>] = []
    while result.count < rangesAtOnce, let range = try nextRange() { result.append(range) }
    return result
  }

  /// The next range; `nil` after the last row.
  package mutating func nextRange() throws(StoreError) -> ClosedRange<Int64>? {
    do throws(SQLiteError) {
      return try next()
    } catch {
      throw .sqlite(error)
    }
  }

  private mutating func next() throws(SQLiteError) -> ClosedRange<Int64>? {
    guard let from = lowestLeft, let start = try Self.value(first, from: from) else { return nil }
    let end: Int64
    if isDense {
      let (sum, overflow) = start.addingReportingOverflow(batchRows - 1)
      end = overflow ? .max : sum
    } else {
      end = try Self.value(endOfBatch, from: start) ?? .max
    }
    lowestLeft = end == .max ? nil : end + 1
    return start...end
  }

  private static func value(
    _ statement: borrowing Statement,
    from key: Int64
  ) throws(SQLiteError) -> Int64? {
    try statement.bind(.integer(key), at: 1)
    let found = try statement.step() ? statement.int64(at: 0) : nil
    statement.reset()
    return found
  }
}
