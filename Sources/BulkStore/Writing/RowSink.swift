package import BulkSQLite

/// The destination of a store's rows.
///
/// All rows go through here: a statement over the source as a transfer, evaluated ones row by row, those of
/// a policy object by object. How rows get into the file is up to the sink: ``SQLRowSink`` lets SQLite
/// insert them, ``PageRowSink`` writes finished pages where it can.
///
/// - A table is created, and empty, before it is filled. While it is being filled it must not be
///   read or changed otherwise; in between its rows may be read and changed through the session.
/// - Rows that are written inside ``TransactionLog/batch(_:)`` are committed with it, all others
///   separately. Replayed rows are not passed again: a sink that keeps anything beside the file
///   saves it with the checkpoint of each transaction, see ``TransactionLog/willCommit``.
/// - A value that is ``SQLiteValue/streamed(_:)`` is read from the source while its row is written, and
///   never held.
package protocol RowSink: AnyObject {
  /// The count of the rows written so far.
  var counted: RowCount { get }

  /// Makes the objects required before the first row; all tables of the model exist.
  ///
  /// - Throws: ``StoreError`` if the file cannot be written.
  func begin() throws(StoreError)

  /// Fills a table with rows whose first columns ascend, as keys do.
  ///
  /// - Parameters:
  ///   - table: The table; it may be filled several times.
  ///   - columns: The columns for which rows have values.
  ///   - streamsLargeValues: Whether some values may be ``SQLiteValue/streamed(_:)``.
  ///   - body: Called with the sink of the rows, which is valid until it returns.
  /// - Throws: ``StoreError`` if the table lacks a column, and any error of the body.
  func fill(
    _ table: String,
    _ columns: [String],
    streamsLargeValues: Bool,
    _ body: (any TableSink) throws -> Void
  ) throws

  /// Fills tables with the rows of one transfer each, range by range.
  ///
  /// - Parameters:
  ///   - transfers: The transfers: one, or several from one source table for which ``canFillTogether(by:)`` holds.
  ///   - streamsLargeValues: Whether the source table has large values, which are streamed if the transfers
  ///     only copy them.
  ///   - body: Called with what writes a range, which is valid until it returns.
  /// - Throws: ``StoreError`` if a transfer does not fit the two stores, and any error of the body.
  func fill(
    by transfers: [RowTransfer],
    streamsLargeValues: Bool,
    _ body: (RangeAppending) throws -> Void
  ) throws

  /// Whether the table of a transfer can be filled together with others, so that the source is read once for all.
  ///
  /// The answer is the same in every session of a file.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read.
  func canFillTogether(by transfer: RowTransfer) throws(StoreError) -> Bool

  /// Copies all rows of an unmanaged source table, with their row ids, to which other tables may refer.
  ///
  /// - Returns: The number of rows that were written.
  /// - Throws: ``StoreError`` if the table cannot be read or written.
  func copy(_ table: FileTable) throws(StoreError) -> Int64

  /// Inserts one object's row in a batch, at any time and under any key.
  ///
  /// - Throws: ``StoreError`` if the row violates a rule of its table or the disk is full.
  func insert(_ row: EntityRow) throws(StoreError)

  /// Whether it is known that all keys that a check is about lead to objects, as far as rows came here and
  /// columns were not set afterwards.
  func knowsToHold(_ check: ReferenceCheck) -> Bool

  /// Whether a column of a table is known to have no NULL, unless it was set afterwards.
  func knowsNoNull(in column: String, of table: String) -> Bool

  /// Makes an index when all tables are filled, unless it is unique and rows violate it.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - isKnown: Whether an earlier session found that rows violate it.
  /// - Returns: Whether the index was made.
  /// - Throws: ``StoreError`` if the file cannot be written.
  func make(_ index: SchemaIndex, isKnownToConflict isKnown: Bool) throws(StoreError) -> Bool
}

/// Writes the rows that transfers make from source rows with keys in a range, after all ranges before, and returns the
/// number of rows that each transfer wrote; of several transfers the range ends with a `KeyBlock`.
package typealias RangeAppending = (ClosedRange<Int64>) throws(StoreError) -> [Int64]

/// Receives the rows of one table, in the order of their keys.
package protocol TableSink: AnyObject {
  /// Writes rows, one after another in the order of the columns.
  ///
  /// - Throws: ``StoreError`` if a row violates a rule of its table or the disk is full.
  func append(_ values: [SQLiteValue]) throws(StoreError)

  /// Prepares to make rows of given values and those of a statement over the source; `nil` where all are better given.
  ///
  /// - Throws: ``StoreError`` if the source cannot be read.
  func selector(of rows: PartlyGivenRows) throws(StoreError) -> (any CopySink)?

  /// Prepares to make rows from the records of a source table; `nil` where that is not possible, or rows are not
  /// written as pages.
  ///
  /// - Throws: ``StoreError`` if the source cannot be read.
  func copier(
    from source: String,
    _ copy: (RecordCompiler) -> RecordCopy?
  ) throws(StoreError) -> (any CopySink)?
}

extension TableSink {
  package func selector(of rows: PartlyGivenRows) throws(StoreError) -> (any CopySink)? { nil }

  package func copier(
    from source: String,
    _ copy: (RecordCompiler) -> RecordCopy?
  ) throws(StoreError) -> (any CopySink)? { nil }

  /// Writes a row of integers, such as a pair of a join table.
  package func append(row numbers: [Int64]) throws(StoreError) {
    try append(numbers.map { .integer($0) })
  }
}

/// Makes rows of a table from the records of source rows.
package protocol CopySink: AnyObject {
  /// Writes the rows of source rows with keys in a range, after all rows before, within a
  /// ``TransactionLog/batch(_:)``.
  ///
  /// - Parameters:
  ///   - range: The range.
  ///   - made: Called with the key of each source row and that of its row; `nil` if nobody wants to know.
  /// - Returns: The numbers of source rows, and the keys of those that the caller must handle before it continues
  ///   behind them.
  /// - Throws: ``StoreError`` if rows cannot be read or written, and any error of `made`.
  func append(
    _ range: ClosedRange<Int64>,
    made: ((_ source: Int64, _ key: Int64) throws -> Void)?
  ) throws -> CopiedRows

  /// Writes the rows of source rows with keys in a range, after all rows before, within a
  /// ``TransactionLog/batch(_:)``.
  ///
  /// - Parameters:
  ///   - range: The range.
  ///   - give: Called with each source key; it calls its second argument once with the given values, at the places
  ///     of their columns, or not at all where no row is made.
  /// - Returns: The first source key whose row cannot be copied, so that it and those behind are left to the caller;
  ///   `nil` if there is none.
  /// - Throws: ``StoreError`` if rows cannot be read or written, and any error of the body.
  func append(
    _ range: ClosedRange<Int64>,
    give: (_ key: Int64, _ make: ([SQLiteValue]) throws -> Void) throws -> Void
  ) throws -> Int64?
}

/// The outcome of making rows from records.
package struct CopiedRows {
  /// The number of source rows that became rows.
  package let made: Int64
  /// The number of those that satisfy the conditions, but not the filter.
  package let leftOut: Int64
  /// The source keys behind these whose rows cannot be made from records; `nil` if there are none.
  package let odd: ClosedRange<Int64>?
}

/// Counts the rows of objects and of many-to-many pairs that a session has written, without replayed ones.
package final class RowCount {
  /// The number of rows so far.
  package var rows: Int64 { written }
  // Swift checks exclusive access at run time, for every row, to what other layers may change.
  private var written: Int64 = 0
  private var isPaused = false

  package init() {}

  /// Counts rows that were written.
  package func add(_ rows: Int64) { if !isPaused { written += rows } }

  /// Sets whether rows written from now on are not counted.
  package func setPaused(to isPaused: Bool) { self.isPaused = isPaused }

  /// Writes the rows of source rows with keys in a range to tables, in one transaction with their count.
  ///
  /// - Returns: The number of rows that each table got.
  func append<Table>(
    _ range: ClosedRange<Int64>,
    to tables: [Table],
    _ transactions: TransactionLog,
    _ write: (Table, ClosedRange<Int64>) throws(StoreError) -> Int64
  ) throws(StoreError) -> [Int64] {
    var written = tables.map { _ in 0 as Int64 }
    try transactions.transaction { () throws(StoreError) in
      for part in tables.count > 1 ? Array(KeyBlock.parts(of: range)) : [range] {
        for (index, table) in tables.enumerated() { written[index] += try write(table, part) }
      }
      add(written.reduce(0, +))
    }
    return written
  }
}
