package import BulkSQLite

/// The destination of a store's rows.
///
/// All rows go through here: a statement over the source as a transfer, evaluated ones row by row, those of
/// a policy object by object. How rows get into the file is up to the sink, which the migration chooses in one line.
///
/// - A table is created, and empty, before it is filled. While it is being filled it must not be
///   read or changed otherwise; in between its rows may be read and changed through the session.
/// - Rows that are written inside ``TransactionLog/batch(_:)`` are committed with it, all others
///   separately. Replayed rows are not passed again: a sink that keeps anything beside the file
///   saves it with the checkpoint of each transaction, see ``TransactionLog/willCommit``.
/// - A value that is ``SQLiteValue/streamed(_:)`` is read from the source while its row is written, and
///   never held.
package protocol RowSink: AnyObject {
  var counted: RowCount { get }

  /// Makes the objects required before the first row; all tables of the model exist.
  func begin() throws(StoreError)

  /// Fills a table with rows whose first columns ascend, as keys do.
  ///
  /// The table may be filled several times. The sink of the rows is valid until the body returns.
  func fill(
    _ table: String,
    _ columns: [String],
    _ body: (TableSink) throws -> Void
  ) throws

  /// Fills tables with the rows of one transfer each, range by range.
  ///
  /// There is one transfer, or several from one source table for which ``canFillTogether(by:)``
  /// holds. What writes a range is valid until the body returns.
  func fill(
    by transfers: [RowTransfer],
    _ body: (RangeAppending) throws -> Void
  ) throws

  /// Whether the table of a transfer can be filled together with others, so that the source is read once for all.
  ///
  /// The answer is the same in every session of a file.
  func canFillTogether(by transfer: RowTransfer) throws(StoreError) -> Bool

  /// Copies all rows of an unmanaged source table, with their row ids, to which other tables may refer.
  func copy(_ table: FileTable) throws(StoreError) -> Int64

  /// Inserts one object's row in a batch, at any time and under any key.
  ///
  /// Throws if the row violates a rule of its table or the disk is full.
  func insert(_ row: EntityRow) throws(StoreError)

  /// Whether it is known that all keys that a check is about lead to objects, as far as rows came here and
  /// columns were not set afterwards.
  func knowsToHold(_ check: ReferenceCheck) -> Bool

  /// Whether a column of a table is known to have no NULL, unless it was set afterwards.
  func knowsNoNull(in column: String, of table: String) -> Bool

  /// Makes an index when all tables are filled, unless it is unique and rows violate it.
  func make(_ index: SchemaIndex, isKnownToConflict isKnown: Bool) throws(StoreError) -> Bool
}

/// Writes the rows that transfers make from source rows with keys in a range, after all ranges before, and returns the
/// number of rows that each transfer wrote; of several transfers the range ends with a `KeyBlock`.
package typealias RangeAppending = (ClosedRange<Int64>) throws(StoreError) -> [Int64]

/// Receives the rows of one table, in the order of their keys.
package struct TableSink {
  /// Writes rows, one after another in the order of the columns.
  package let append: (_ values: [SQLiteValue]) throws(StoreError) -> Void

  /// Prepares to make rows of given values and those of a statement over the source; `nil` where all are better given.
  package var selector: (_ rows: PartlyGivenRows) throws(StoreError) -> RowCopying? = { _ in nil }

  /// Prepares to make rows from the records of a source table; `nil` where that is not possible, or rows are not
  /// written as pages.
  package var copier:
    (_ source: String, _ copy: (RecordCompiler) -> RecordCopy?) throws(StoreError) -> RowCopying? =
      { _, _ in nil }

  package init(append: @escaping (_ values: [SQLiteValue]) throws(StoreError) -> Void) {
    self.append = append
  }

  package func append(row numbers: [Int64]) throws(StoreError) {
    try append(numbers.map { .integer($0) })
  }
}

/// Writes the rows of source rows with keys in a range, after all rows before, within a ``TransactionLog/batch(_:)``.
///
/// Values may be given, at the indexes of their columns. The caller must handle the `needingSQL` keys before it continues behind
/// them.
package typealias RowCopying = (
  _ range: ClosedRange<Int64>, _ give: ValueGiving?, _ made: KeyNoting?
) throws -> CopiedRows

/// Counts the rows of objects and of many-to-many pairs that a session has written, without replayed ones.
package final class RowCount {
  package var rows: Int64 { written }
  // Swift checks exclusive access at run time, for every row, to what other layers may change.
  private var written: Int64 = 0
  private var isPaused = false

  package init() {}

  package func add(_ rows: Int64) { if !isPaused { written += rows } }

  package func setPaused(to isPaused: Bool) { self.isPaused = isPaused }

  /// Writes the rows of source rows with keys in a range to tables, in one transaction with their
  /// count.
  ///
  /// Returns the number of rows that each table got.
  func append(
    _ range: ClosedRange<Int64>,
    to tables: [(ClosedRange<Int64>) throws(StoreError) -> Int64],
    _ transactions: TransactionLog
  ) throws(StoreError) -> [Int64] {
    var written = tables.map { _ in 0 as Int64 }
    try transactions.transaction { () throws(StoreError) in
      for part in tables.count > 1 ? Array(KeyBlock.parts(of: range)) : [range] {
        for (index, append) in tables.enumerated() { written[index] += try append(part) }
      }
      add(written.reduce(0, +))
    }
    return written
  }
}
