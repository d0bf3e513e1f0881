internal import BulkSQLite

/// Writes the rows of a store as finished pages where it can, and lets SQLite insert all others.
///
/// A table that is filled for the first time, with rows in the order of their keys, gets pages. Its indexes
/// over integers are made before, while it is empty, and are built as soon as it is filled; from then on
/// SQLite reads and changes it like any other. Each range or batch of rows is a transaction, and so is each
/// index.
package final class PageRowSink: RowSink {
  package enum Reading: Hashable, Sendable {
    /// By copying records from page to page where that is possible, else by statements.
    case records
    /// By statements alone. The written rows do not show which rules hold; whether keys lead to
    /// rows is known only if another check finds out.
    case statements(knowsKeys: Bool)
  }

  package let counted = RowCount()
  private let session: StoreSession
  private let inserter: SQLRowSink
  private let pages: PageWriter
  private let indexes: [SchemaIndex]
  private let reading: Reading
  private let choice: PageChoice
  package private(set) var writtenAsPages: Set<String> = []
  package private(set) var inserted: Set<String> = []
  /// The writer of a table that is expected to get further rows next; only it may write until then.
  private var open: TableWriter?
  /// The shape of the objects that were inserted last, until tables are written as pages.
  private var insertedShape: EntityRowShape?
  /// The indexes that exist and are not built, by table.
  private var unbuilt: [String: Set<String>] = [:]

  package init(_ session: StoreSession, _ fills: PageFills, reading: Reading = .records) {
    self.session = session
    self.reading = reading
    inserter = SQLRowSink(session, counting: counted)
    pages = session.pageWriter()
    choice = PageChoice(session, pages, fills: fills.rows)
    indexes = fills.indexes
  }

  // A writer and its table keep each other, and the file open.
  deinit { pages.end() }

  private var transactions: TransactionLog { session.transactions }

  package func begin() throws(StoreError) {
    for index in indexes { try choice.make(index) }
  }

  package func fill(
    _ table: String,
    _ columns: [String],
    _ body: (TableSink) throws -> Void
  ) throws {
    guard let (writer, areLast) = try writer(of: RowFill(table, columns)) else {
      return try inserter.fill(table, columns, body)
    }
    try write([writer], areLast: areLast) {
      try body(sink(into: writer))
    }
  }

  /// Its rows are counted in the transaction to which they belong.
  private func sink(into table: TableWriter) -> TableSink {
    var sink = TableSink { [transactions, counted] values throws(StoreError) in
      try transactions.transaction { () throws(StoreError) in
        try table.append(values)
        counted.add(Int64(values.count / table.valueCount))
      }
    }
    switch reading {
    case .statements:
      sink.selector = { [session, counted] rows throws(StoreError) in
        let statement = try session.prepare(rows.selectSQL)
        let columns = rows.selectedColumns
        return { range, give, _ in
          guard let give else { return (0, 0, range) }
          try statement.bind(range)
          defer { statement.reset() }
          let made = try table.append(statement, columns, give: give)
          counted.add(made)
          return (made, 0, nil)
        }
      }
    case .records:
      sink.copier = { [session, counted] source, copy throws(StoreError) in
        guard let copier = try session.copier(from: source, to: table, copy) else { return nil }
        return { range, give, made in
          let rows = try table.append(copier, range, give: give, made: made)
          counted.add(rows.made)
          return rows
        }
      }
    }
    return sink
  }

  package func fill(
    by transfers: [RowTransfer],
    _ body: (RangeAppending) throws -> Void
  ) throws {
    var writers: [TableWriter] = []
    var (areLast, areInserted) = (true, false)
    for transfer in transfers {
      let streams = session.streamed.contains(transfer.source)
      if let found = try writer(of: RowFill(by: transfer, streamsLargeValues: streams)) {
        writers.append(found.writer)
        areLast = found.areLast
      } else {
        areInserted = true
      }
    }
    guard !areInserted else {
      assert(transfers.count == 1, "tables that SQLite fills are not filled together")
      return try inserter.fill(by: transfers, body)
    }
    let tables = try zip(transfers, writers).map { try appending(by: $0, to: $1) }
    try write(writers, areLast: areLast) {
      try body { range throws(StoreError) in
        try counted.append(range, to: tables, transactions)
      }
    }
  }

  /// Writes rows of a transfer in their order, without SQL where that is possible, and returns their number.
  private func appending(
    by transfer: RowTransfer,
    to table: TableWriter
  ) throws(StoreError) -> (ClosedRange<Int64>) throws(StoreError) -> Int64 {
    let statement = try session.prepare(transfer.selectSQL)
    func appendBySQL(_ range: ClosedRange<Int64>) throws(StoreError) -> Int64 {
      try statement.bind(range)
      defer { statement.reset() }
      return try table.append(statement)
    }
    let copier =
      reading == .records
      ? try session.copier(from: transfer.source, to: table) { $0.copy(of: transfer) } : nil
    guard let copier else { return appendBySQL }
    return { range throws(StoreError) in
      do {
        return try table.append(copier, range, bySQL: appendBySQL).made
      } catch let error as StoreError {
        throw error
      } catch {
        preconditionFailure("only what is given can throw another error: \(error)")
      }
    }
  }

  package func canFillTogether(by transfer: RowTransfer) throws(StoreError) -> Bool {
    try choice.canFillTogether(RowFill(by: transfer))
  }

  private func writer(
    of rows: RowFill
  ) throws(StoreError) -> (writer: TableWriter, areLast: Bool)? {
    if let open, open.tableName != rows.table { close() }
    if let writer = try choice.writer(of: rows, after: open) { return writer }
    close()
    try buildRest(of: rows.table)
    inserted.insert(rows.table)
    return nil
  }

  /// Fills tables, and builds their indexes behind the last rows.
  private func write(_ tables: [TableWriter], areLast: Bool, _ body: () throws -> Void) throws {
    insertedShape = nil
    pages.begin(tables)
    transactions.pages = pages
    open = tables.last
    do {
      try body()
      writtenAsPages.formUnion(tables.map(\.tableName))
      guard areLast else {
        for table in tables { unbuilt[table.tableName] = Set(table.indexNames) }
        return
      }
      for table in tables { table.finish() }
      for table in tables {
        for index in table.indexNames.indices { try build(index, of: table) }
      }
    } catch {
      close()
      throw error
    }
    close()
  }

  /// Lets SQLite write again.
  private func close() {
    guard open != nil else { return }
    open = nil
    transactions.pages = nil
    pages.end()
  }

  private func buildRest(of table: String) throws(StoreError) {
    guard let names = unbuilt.removeValue(forKey: table) else { return }
    for name in names.sorted() {
      try transactions.execute("REINDEX main.\(SQLText.quoted(name))")
    }
  }

  private func build(_ index: Int, of table: TableWriter) throws(StoreError) {
    var isBuilt = transactions.isReplaying
    if !isBuilt { isBuilt = try pages.buildIndex(index, of: table) }
    unbuilt[table.tableName]?.remove(table.indexNames[index])
    if isBuilt { writtenAsPages.insert(table.indexNames[index]) }
    if isBuilt { return try transactions.transaction { () throws(StoreError) in } }
    // A column of integers may hold other values.
    pages.end()
    transactions.pages = nil
    try transactions.execute("REINDEX main.\(SQLText.quoted(table.indexNames[index]))")
    transactions.pages = pages
  }

  package func copy(_ table: FileTable) throws(StoreError) -> Int64 {
    close()
    inserted.insert(table.name)
    return try inserter.copy(table)
  }

  package func insert(_ row: EntityRow) throws(StoreError) {
    close()
    if insertedShape !== row.shape {
      choice.fill(row.shape.table)
      insertedShape = row.shape
    }
    try inserter.insert(row)
  }

  package func knowsToHold(_ check: ReferenceCheck) -> Bool {
    reading != .statements(knowsKeys: false) && check.entities == nil
      && pages.written.lead(from: check.column, of: check.table, to: check.target)
  }

  package func knowsNoNull(in column: String, of table: String) -> Bool {
    reading == .records && pages.written.haveNoNull(in: column, of: table)
  }

  package func make(
    _ index: SchemaIndex,
    isKnownToConflict isKnown: Bool
  ) throws(StoreError) -> Bool {
    close()
    try buildRest(of: index.table)
    if choice.hasMade(index) { return true }
    return try inserter.make(index, isKnownToConflict: isKnown)
  }
}
