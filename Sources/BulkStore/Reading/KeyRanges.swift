internal import BulkSQLite

/// The keys of a source table in ascending ranges, each with a bounded number of rows.
///
/// Where the keys are dense, a range has as many keys as a batch has rows. Where they have wide gaps, the
/// end of each range is looked up, so that a range is never nearly empty. Of a session with a sample the ranges
/// are the blocks of keys that it takes, at least one.
package struct KeyRanges: ~Copyable {
  private let batchRows: Int64
  private let first: PreparedStatement
  private let endOfBatch: PreparedStatement
  /// Whether the keys have no wide gaps: at least one in four is given.
  package let isDense: Bool
  private let endsWithBlocks: Bool
  private let keys: ClosedRange<Int64>?
  private let position: ScanPosition
  private let sample: KeySample?
  private var lowestLeft: Int64? = .min
  private var hasTaken = false

  /// The ranges of a source table, which may end with a `KeyBlock` unless they are those of a sample.
  ///
  /// Without a sample the number of rows may be that of ``PersistentStore/rowsAmongKeys(in:)``.
  package init(
    of table: String,
    rows: Int64,
    _ session: StoreSession,
    endsWithBlocks: Bool = false
  ) throws(StoreError) {
    let batchRows = session.transactions.batchRows
    let name = "source.\(SQLText.quoted(table))"
    let next = "SELECT rowid FROM \(name) WHERE rowid >= ?1 ORDER BY rowid LIMIT 1"
    let first = try PreparedStatement(next, session.connection)
    let end = try PreparedStatement("\(next) OFFSET \(batchRows - 1)", session.connection)
    let keys = try session.connection.keys(in: name)
    (self.first, endOfBatch, self.keys) = (first, end, keys)
    (self.batchRows, self.endsWithBlocks) = (batchRows, endsWithBlocks)
    isDense = keys.map { Self.isDense($0, rows) } ?? true
    position = session.position
    sample = session.sample?.covering(rows)
  }

  private static func isDense(_ keys: ClosedRange<Int64>, _ rows: Int64) -> Bool {
    let (width, overflow) = keys.upperBound.subtractingReportingOverflow(keys.lowerBound)
    return !overflow && width / 4 <= rows
  }

  /// The number of ranges in one transaction where SQLite alone makes the rows: an interruption costs about
  /// a second of work, and waiting for the disk costs little.
  ///
  /// Smaller batches are grouped in greater number, so that their size does not affect the speed.
  private var rangesAtOnce: Int { Int(Self.rowsAtOnce(batchRows) / batchRows) }

  /// The number of rows in one transaction where SQLite alone makes the rows.
  package static func rowsAtOnce(_ batchRows: Int64) -> Int64 {
    max(5 * TransactionLog.defaultBatchRows / batchRows, 1) * batchRows
  }

  /// At most as many as one transaction takes; none after the last row.
  package mutating func nextRanges() throws(StoreError) -> [ClosedRange<Int64>] {
    var result: [ClosedRange<Int64>] = []
    while result.count < rangesAtOnce, let range = try nextRange() { result.append(range) }
    return result
  }

  /// `nil` after the last row.
  package mutating func nextRange() throws(StoreError) -> ClosedRange<Int64>? {
    if lowestLeft == .min, !hasTaken { position.begin(keys) }
    guard let sample else { return try nextOfAll() }
    while let from = lowestLeft, let start = try first.integer(of: from) {
      let block = KeySample.block(of: start)
      if sample.takes(block) {
        lowestLeft = Self.key(after: block)
        hasTaken = true
        return start...block.upperBound
      }
      // Where nearly all keys are given, only blocks that are taken are looked up.
      lowestLeft =
        isDense
        ? sample.firstBlock(after: block, upTo: keys?.upperBound ?? .min) : Self.key(after: block)
    }
    // Of every table some rows are read, however the keys fall.
    guard !hasTaken, let start = try first.integer(of: .min) else { return nil }
    hasTaken = true
    return start...KeySample.block(of: start).upperBound
  }

  private static func key(after block: ClosedRange<Int64>) -> Int64? {
    block.upperBound == .max ? nil : block.upperBound + 1
  }

  private mutating func nextOfAll() throws(StoreError) -> ClosedRange<Int64>? {
    guard let from = lowestLeft, let start = try first.integer(of: from) else { return nil }
    var end: Int64
    if isDense {
      let (sum, overflow) = start.addingReportingOverflow(batchRows - 1)
      end = overflow ? .max : sum
    } else {
      end = try endOfBatch.integer(of: start) ?? .max
    }
    if endsWithBlocks { end = KeyBlock.end(of: end) }
    lowestLeft = end == .max ? nil : end + 1
    hasTaken = true
    return start...end
  }
}

extension Connection {
  /// From the first key of a table, as SQL names it, to the last one.
  func keys(in name: String) throws(StoreError) -> ClosedRange<Int64>? {
    // Two statements, because SQLite optimizes only one of min and max at a time; both would read all rows.
    guard let least = try integer("SELECT min(rowid) FROM \(name)"),
      let greatest = try integer("SELECT max(rowid) FROM \(name)"), least <= greatest
    else { return nil }
    return least...greatest
  }
}

/// The keys of a source table in blocks of a fixed number, in which several tables are filled in turn.
///
/// The order of the pages that are written depends on the blocks alone, not on the sizes of batches; and a block is small
/// enough that the system still holds what one transfer read when the next one reads it.
enum KeyBlock {
  /// The number of keys in a block, a power of 2.
  static let keys: Int64 = 1 << 14

  static func end(of key: Int64) -> Int64 { key | (keys - 1) }

  /// The parts of a range that lie in one block each, in ascending order.
  static func parts(
    of range: ClosedRange<Int64>
  ) -> UnfoldSequence<ClosedRange<Int64>, ClosedRange<Int64>?> {
    sequence(state: range) { rest in
      guard let left = rest else { return nil }
      let last = min(end(of: left.lowerBound), left.upperBound)
      rest = last < left.upperBound ? (last + 1)...left.upperBound : nil
      return left.lowerBound...last
    }
  }
}
