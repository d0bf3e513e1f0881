internal import BulkSQLite

/// Writes the rows of a store as finished pages where it can, and lets SQLite insert all others.
///
/// A table that is filled for the first time, with rows in the order of their keys, gets pages. Its indexes
/// over integers are made before, while it is empty, and are built as soon as it is filled; from then on
/// SQLite reads and changes it like any other. Each range or batch of rows is a transaction, and so is each
/// index.
package final class PageRowSink: RowSink {
  package let counted = RowCount()
  private let session: StoreSession
  private let inserted: SQLRowSink
  private let pages: PageWriter
  private let indexes: [SchemaIndex]
  /// The tables that have rows, or had the chance to get some.
  private var filled: Set<String> = []
  /// The names of the indexes that are made while the tables are empty, by table.
  private var made: [String: Set<String>] = [:]

  /// - Parameters:
  ///   - session: The session that reads and writes.
  ///   - indexes: The indexes of tables that are filled once, over columns that do not change afterwards.
  package init(_ session: StoreSession, indexes: [SchemaIndex]) {
    self.session = session
    inserted = SQLRowSink(session, counting: counted)
    pages = session.pageWriter()
    self.indexes = indexes
  }

  private var transactions: TransactionLog { session.transactions }

  package func begin() throws(StoreError) {
    for index in indexes where !index.isUnique && index.condition == nil {
      let isOfIntegers = try StoreError.sqlite { () throws(SQLiteError) in
        try pages.holdsIntegers(index.terms.map(\.column), of: index.table)
      }
      guard isOfIntegers else { continue }
      try transactions.execute(index.sql)
      made[index.table, default: []].insert(index.name)
    }
  }

  package func fill(
    _ table: String,
    _ columns: [String],
    streamsLargeValues: Bool,
    _ body: (any TableSink) throws -> Void
  ) throws {
    guard !streamsLargeValues, let writer = try writer(of: table, columns) else {
      filled.insert(table)
      return try inserted.fill(table, columns, streamsLargeValues: streamsLargeValues, body)
    }
    try write(writer) {
      try body(
        CountedTableSink(valueCount: writer.valueCount, transactions, counted) {
          values throws(SQLiteError) in try writer.append(values)
        }
      )
    }
  }

  package func fill(
    by transfer: RowTransfer,
    streamsLargeValues: Bool,
    _ body: (any TransferSink) throws -> Void
  ) throws {
    guard !streamsLargeValues, !transfer.ignoresDuplicates,
      let writer = try writer(of: transfer.destination, transfer.assignments.map(\.column))
    else {
      filled.insert(transfer.destination)
      return try inserted.fill(by: transfer, streamsLargeValues: streamsLargeValues, body)
    }
    let rows = try PageTransfer(transfer, writer, session)
    try write(writer) {
      try body(
        CountedTransferSink(transactions, counted) { range throws(SQLiteError) in
          try rows.run(range)
        }
      )
    }
  }

  /// The writer of a table that is filled for the first time.
  private func writer(of table: String, _ columns: [String]) throws(StoreError) -> TableWriter? {
    guard filled.insert(table).inserted else {
      pages.written.forget(table)
      return nil
    }
    return try StoreError.sqlite { () throws(SQLiteError) in
      try pages.table(table, columns, indexes: made[table] ?? [])
    }
  }

  /// Fills a table, and builds its indexes.
  private func write(_ table: TableWriter, _ body: () throws -> Void) throws {
    pages.begin(table)
    transactions.pages = pages
    do {
      try body()
      table.finish()
      for index in table.indexNames.indices { try build(index, of: table) }
    } catch {
      transactions.pages = nil
      throw error
    }
    transactions.pages = nil
    pages.end()
  }

  /// Builds an index in a transaction.
  private func build(_ index: Int, of table: TableWriter) throws(StoreError) {
    let isReplayed = transactions.isReplaying
    let isBuilt = try StoreError.sqlite { () throws(SQLiteError) in
      if isReplayed { return true }
      return try pages.buildIndex(index, of: table)
    }
    if isBuilt { return try transactions.transaction { () throws(SQLiteError) in } }
    // A column of integers may hold anything else.
    pages.end()
    transactions.pages = nil
    try transactions.execute("REINDEX main.\(SQLText.quoted(table.indexNames[index]))")
    transactions.pages = pages
  }

  package func copy(_ table: FileTable) throws(StoreError) -> Int64 {
    try inserted.copy(table)
  }

  package func insert(_ row: EntityRow) throws(StoreError) {
    filled.insert(row.shape.table)
    pages.written.forget(row.shape.table)
    try inserted.insert(row)
  }

  package func knowsToHold(_ check: ReferenceCheck) -> Bool {
    check.entities == nil
      && pages.written.lead(from: check.column, of: check.table, to: check.target)
  }

  package func knowsNoNull(in column: String, of table: String) -> Bool {
    pages.written.haveNoNull(in: column, of: table)
  }

  package func make(
    _ index: SchemaIndex,
    isKnownToConflict isKnown: Bool
  ) throws(StoreError) -> Bool {
    if made[index.table]?.contains(index.name) == true { return true }
    return try inserted.make(index, isKnownToConflict: isKnown)
  }
}

/// The rows of a transfer as pages.
private final class PageTransfer {
  private let table: TableWriter
  private let statement: Statement
  /// Makes the rows without SQL, where that is possible.
  private let copier: RecordCopier?

  init(
    _ transfer: RowTransfer,
    _ table: TableWriter,
    _ session: StoreSession
  ) throws(StoreError) {
    self.table = table
    statement = try session.prepare(transfer.selectSQL)
    copier = try session.copier(of: transfer, to: table)
  }

  /// Writes the rows of a range.
  ///
  /// - Returns: Their number.
  func run(_ range: ClosedRange<Int64>) throws(SQLiteError) -> Int64 {
    guard let copier else { return try runStatement(range) }
    return try table.append(copier, range) { range throws(SQLiteError) in
      try runStatement(range)
    }
  }

  private func runStatement(_ range: ClosedRange<Int64>) throws(SQLiteError) -> Int64 {
    try statement.bind(.integer(range.lowerBound), at: 1)
    try statement.bind(.integer(range.upperBound), at: 2)
    defer { statement.reset() }
    return try table.append(statement)
  }
}
