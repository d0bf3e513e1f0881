internal import BulkSQLite

/// Inserts the rows of a store with SQLite.
package final class SQLRowSink: RowSink {
  package let counted: RowCount
  private let session: StoreSession
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
    _ body: (TableSink) throws -> Void
  ) throws {
    let inserter = try RowInserter(into: table, columns, session)
    let sink = TableSink { [transactions, counted] values throws(StoreError) in
      try transactions.transaction { () throws(StoreError) in
        try inserter.insert(values)
        counted.add(Int64(values.count / inserter.columnCount))
      }
    }
    try body(sink)
  }

  package func fill(
    by transfers: [RowTransfer],
    _ body: (RangeAppending) throws -> Void
  ) throws {
    let tables = try transfers.map { try appending(by: $0) }
    try body { range throws(StoreError) in
      try counted.append(range, to: tables, transactions)
    }
  }

  /// Writes the rows of a transfer in one range of keys after another, and returns their number.
  ///
  /// The rows with large values that it only copies may be streamed, one at a time. A transfer that leaves out
  /// duplicates has no large values.
  private func appending(
    by transfer: RowTransfer
  ) throws(StoreError) -> (ClosedRange<Int64>) throws(StoreError) -> Int64 {
    // Those of the source rows with large values, ascending; the first ones are behind the last range.
    var keys = session.streamed.contains(transfer.source) ? largeKeys(of: transfer) : []
    let statement = try session.prepare(transfer.sql)
    let connection = session.connection
    func run(_ range: ClosedRange<Int64>) throws(StoreError) -> Int64 {
      try statement.bind(range)
      try statement.run()
      return connection.changes
    }
    guard !keys.isEmpty else { return run }
    let values = transfer.assignments.map(\.value)
    let rows = try SourceRows(of: transfer, values: values, streamsLargeValues: true, session)
    let columns = transfer.assignments.map(\.column)
    let inserter = try RowInserter(into: transfer.destination, columns, session)
    return { range throws(StoreError) in
      keys = keys.drop { $0 < range.lowerBound }
      var written: Int64 = 0
      var first: Int64? = range.lowerBound
      while let key = keys.first, key <= range.upperBound {
        if let start = first, start < key { written += try run(start...(key - 1)) }
        try rows.start(key...key)
        while let row = try rows.next() {
          try inserter.insert(row.values)
          written += 1
        }
        keys = keys.dropFirst()
        first = key == .max ? nil : key + 1
      }
      if let first, first <= range.upperBound { written += try run(first...range.upperBound) }
      return written
    }
  }

  /// The keys of the source rows with large values that a transfer copies.
  ///
  /// Each has more than ``LargeValue/bound`` bytes in the source, so they are few.
  private func largeKeys(of transfer: RowTransfer) -> ArraySlice<Int64> {
    guard transfer.assignments.contains(where: { $0.value.largeColumnSQL != nil }) else {
      return []
    }
    var keys: ArraySlice<Int64> = []
    try? session.source?.eachRecord(of: transfer.source, above: LargeValue.bound) {
      key,
      _,
      values in
      if values.contains(where: { !$0.isText }) { keys.append(key) }
    }
    return keys
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
