internal import BulkSQLite

/// Inserts the rows of a store with SQLite.
package final class SQLRowSink: RowSink {
  package let counted: RowCount
  private let session: StoreSession
  /// The inserters of single objects, by table.
  private var inserters: [String: RowInserter] = [:]
  /// The shape of the object that was inserted last, and its inserter.
  private var last: (shape: EntityRowShape, inserter: RowInserter)?

  package init(_ session: StoreSession, counting counted: RowCount = RowCount()) {
    self.session = session
    self.counted = counted
  }

  private var transactions: TransactionLog { session.transactions }

  package func begin() {}

  package func fill(
    _ table: String,
    _ columns: [String],
    streamsLargeValues: Bool,
    _ body: (any TableSink) throws -> Void
  ) throws {
    let inserter = try RowInserter(into: table, columns, session)
    try body(InsertingTableSink(inserter, transactions, counted))
  }

  package func fill(
    by transfers: [RowTransfer],
    streamsLargeValues: Bool,
    _ body: (RangeAppending) throws -> Void
  ) throws {
    let prepared = try transfers.map {
      try PreparedTransfer($0, streamsLargeValues: streamsLargeValues, session)
    }
    try body { range throws(StoreError) in
      try counted.append(range, to: prepared, transactions) { transfer, range throws(StoreError) in
        try transfer.run(range)
      }
    }
  }

  package func canFillTogether(by transfer: RowTransfer) -> Bool { false }

  package func copy(_ table: FileTable) throws(StoreError) -> Int64 {
    let name = SQLText.quoted(table.name)
    let columns = table.copiedColumns.map { SQLText.quoted($0) }.joined(separator: ", ")
    var rows: Int64 = 0
    try transactions.transaction { () throws(StoreError) in
      try session.connection.execute(
        "INSERT INTO main.\(name) (\(columns)) SELECT \(columns) FROM source.\(name)"
      )
      rows = session.connection.changes
      counted.add(rows)
    }
    if table.countsKeys { try keepCount(of: table.name) }
    return rows
  }

  package func insert(_ row: EntityRow) throws(StoreError) {
    try inserter(for: row.shape).insert(row.values)
    counted.add(1)
  }

  private func inserter(for shape: EntityRowShape) throws(StoreError) -> RowInserter {
    if let last, last.shape === shape { return last.inserter }
    let inserter =
      if let known = inserters[shape.table] {
        known
      } else {
        try RowInserter(into: shape.table, shape.columns, session)
      }
    inserters[shape.table] = inserter
    last = (shape, inserter)
    return inserter
  }

  package func knowsToHold(_ check: ReferenceCheck) -> Bool { false }

  package func knowsNoNull(in column: String, of table: String) -> Bool { false }

  package func make(
    _ index: SchemaIndex,
    isKnownToConflict isKnown: Bool
  ) throws(StoreError) -> Bool {
    if isKnown { return false }
    do throws(StoreError) {
      try transactions.execute(index.sql)
      return true
    } catch {
      guard index.isUnique, error.cause == .constraint else { throw error }
      return false
    }
  }

  /// Keeps the highest key that a table with `AUTOINCREMENT` ever handed out.
  private func keepCount(of table: String) throws(StoreError) {
    let name = SQLText.quoted(literal: table)
    let connection = session.connection
    try transactions.transaction { () throws(StoreError) in
      let counter = "SELECT 1 FROM source.sqlite_schema WHERE name = 'sqlite_sequence'"
      guard try connection.value(counter) != nil else { return }
      try connection.execute("DELETE FROM main.sqlite_sequence WHERE name = \(name)")
      try connection.execute(
        "INSERT INTO main.sqlite_sequence (name, seq) "
          + "SELECT name, seq FROM source.sqlite_sequence WHERE name = \(name)"
      )
    }
  }
}

/// Inserts the rows of one table, and counts them in the transaction to which they belong.
private final class InsertingTableSink: TableSink {
  private let inserter: RowInserter
  private let transactions: TransactionLog
  private let counted: RowCount

  init(_ inserter: RowInserter, _ transactions: TransactionLog, _ counted: RowCount) {
    (self.inserter, self.transactions, self.counted) = (inserter, transactions, counted)
  }

  func append(_ values: [SQLiteValue]) throws(StoreError) {
    try transactions.transaction { () throws(StoreError) in
      try inserter.insert(values)
      counted.add(Int64(values.count / inserter.columnCount))
    }
  }
}
