package import BulkSQLite

/// Where the rows of a store are written.
///
/// Whoever makes rows hands them over here: a statement over the source as a transfer, the evaluator row
/// by row, a policy object by object. How rows get into the file is the sink's own affair: ``SQLRowSink``
/// lets SQLite insert them.
///
/// - A table is made, and empty, before it is filled. While it is being filled nobody else reads or
///   changes it; in between its rows may be read and changed through the session.
/// - Rows that are written inside of ``TransactionLog/batch(_:)`` are committed with it, all others by
///   themselves. What is replayed is not handed over again: a sink that keeps anything beside the file
///   saves it with the checkpoint of each transaction, see ``TransactionLog/willCommit``.
/// - A value that is ``SQLiteValue/streamed(_:)`` is read from its place in the source while its row is
///   written, and never held.
package protocol RowSink: AnyObject {
  /// The rows that were written so far.
  var counted: RowCount { get }

  /// Fills a table with rows whose first columns ascend, as keys do.
  ///
  /// - Parameters:
  ///   - table: The table; it may be filled several times.
  ///   - columns: The columns for which rows have values.
  ///   - body: Is given what takes the rows, as long as it runs.
  /// - Throws: ``StoreError`` if the table lacks a column, and what the body throws.
  func fill(
    _ table: String,
    _ columns: [String],
    _ body: (any TableSink) throws -> Void
  ) throws

  /// Fills a table with the rows of a transfer, range by range.
  ///
  /// - Parameters:
  ///   - transfer: The transfer.
  ///   - streamsLargeValues: Whether the source table has large values, which are streamed where the
  ///     transfer only carries them.
  ///   - body: Is given what takes the ranges, as long as it runs.
  /// - Throws: ``StoreError`` if the transfer does not fit the two stores, and what the body throws.
  func fill(
    by transfer: RowTransfer,
    streamsLargeValues: Bool,
    _ body: (any TransferSink) throws -> Void
  ) throws

  /// Moves all rows of a source table as they are into a table that is made in the same way, and makes
  /// indexes of it whose like the source has.
  ///
  /// - Returns: The number of rows that were written.
  /// - Throws: ``StoreError`` if the table cannot be read or written.
  func move(
    _ source: String,
    to destination: String,
    _ indexes: [SchemaIndex]
  ) throws(StoreError) -> Int64

  /// Copies all rows of a source table that no model explains, with their row ids, to which other tables
  /// may refer.
  ///
  /// - Returns: The number of rows that were written.
  /// - Throws: ``StoreError`` if the table cannot be read or written.
  func copy(_ table: FileTable) throws(StoreError) -> Int64

  /// Inserts one object's row inside of a batch, at any time and under any key.
  ///
  /// - Throws: ``StoreError`` if the row breaks a rule of its table or the disk is full.
  func insert(_ row: EntityRow) throws(StoreError)

  /// Makes an index when all tables are filled, unless it is unique and rows stand against it.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - isKnown: Whether rows stand against it, as an earlier session found.
  /// - Returns: Whether the index is there.
  /// - Throws: ``StoreError`` if the file cannot be written.
  func make(_ index: SchemaIndex, isKnownToConflict isKnown: Bool) throws(StoreError) -> Bool
}

/// What takes the rows of one table, in the order of their keys.
package protocol TableSink: AnyObject {
  /// Writes rows.
  ///
  /// - Parameter values: The values of the rows, one row after the other in the order of the columns.
  /// - Throws: ``StoreError`` if a row breaks a rule of its table or the disk is full.
  func append(_ values: [SQLiteValue]) throws(StoreError)
}

extension TableSink {
  /// Writes a row of whole numbers, such as a pair of a join table.
  package func append(row numbers: [Int64]) throws(StoreError) {
    try append(numbers.map { .integer($0) })
  }
}

/// What takes the rows of one transfer, in the order of the source's keys.
package protocol TransferSink: AnyObject {
  /// Writes what the transfer makes of the source rows with keys in a range, behind all ranges before.
  ///
  /// - Returns: The number of rows that were written.
  /// - Throws: ``StoreError`` if rows cannot be read or written.
  func append(_ range: ClosedRange<Int64>) throws(StoreError) -> Int64
}

/// Counts the rows of objects and of many-to-many pairs that a session has written; those that were
/// replayed are not among them.
package final class RowCount {
  /// The rows so far.
  package private(set) var rows: Int64 = 0
  /// Whether rows that are written now are not counted.
  package var isPaused = false

  package init() {}

  /// Counts rows that were written.
  package func add(_ written: Int64) { if !isPaused { rows += written } }
}
