package import BulkSQLite

/// Builds a new store file.
///
/// The file is one of the caller's own and counts for nothing until the caller has synced and published
/// it. A file without a journal can only be thrown away after a failure. One with a journal can be
/// continued by another writer, which passes over the transactions that were committed already: as long
/// as the caller does the same things in the same order, the outcome is the same file.
package final class StoreWriter {
  /// The memory of a writer; caches are in KiB.
  package struct CacheSizes: Sendable {
    /// Of the file that is written; SQLite's sorter for indexes keeps its runs within it too.
    package let destination: Int
    /// Of the store that is read.
    package let source: Int
    /// Of tables that live as long as the writer.
    package let temporary: Int
    /// The largest value or record that may be held, in bytes; SQLite holds one up to three times.
    package let largestValue: Int

    package init(
      destination: Int,
      source: Int,
      temporary: Int = 256,
      largestValue: Int = .max
    ) {
      self.largestValue = largestValue
      self.destination = destination
      self.source = source
      self.temporary = temporary
    }
  }

  let connection: Connection
  private let sourcePath: String?
  /// Whether transactions survive the end of the process.
  private let isDurable: Bool
  /// The transactions that an earlier writer committed.
  package let committed: Int64
  /// The transactions so far, those that are passed over included.
  package private(set) var transactions: Int64 = 0
  private var isInBatch = false
  /// The rows of objects and pairs that were written, as long as ``countsRows`` says so.
  package private(set) var rowsWritten: Int64 = 0
  /// Whether rows that are written now are counted.
  package var countsRows = true
  /// The rows of a batch; the same in every writer of one file.
  package var batchRows = KeyRanges.usualBatchRows
  /// Is called with the number of every transaction just before it is committed.
  package var willCommit: ((Int64) throws(StoreError) -> Void)?
  /// Is asked after every transaction whether to stop there.
  package var mustStop: (() -> Bool)?
  /// Is called just after every transaction was committed.
  package var didCommit: (() -> Void)?

  /// Makes a file, or continues one.
  ///
  /// - Parameters:
  ///   - path: The file to make; there must be none.
  ///   - sourcePath: The store to take rows from, if there is one.
  ///   - pageSize: The size of a page in bytes.
  ///   - encoding: The encoding of texts, as SQLite calls it; both files must have the same.
  ///   - caches: The caches of the two files.
  ///   - isDurable: Whether the file has a journal, so that it can be continued.
  /// - Throws: ``StoreError`` if the file cannot be made or the store cannot be read.
  package init(
    path: String,
    readingFrom sourcePath: String? = nil,
    pageSize: Int,
    encoding: String = "UTF-8",
    caches: CacheSizes,
    isDurable: Bool = false
  ) throws(StoreError) {
    self.isDurable = isDurable
    self.sourcePath = sourcePath
    let opened = try StoreError.sqlite { () throws(SQLiteError) in
      let connection = try Connection(path: path, access: isDurable ? .recorded : .readWrite)
      // These count only before the first table is made.
      try connection.execute("PRAGMA main.encoding = \(SQLText.quoted(literal: encoding))")
      try connection.execute("PRAGMA main.page_size = \(pageSize)")
      try connection.execute("PRAGMA main.auto_vacuum = INCREMENTAL")
      try connection.execute("PRAGMA main.journal_mode = \(isDurable ? "TRUNCATE" : "OFF")")
      try connection.execute("PRAGMA main.synchronous = \(isDurable ? "FULL" : "OFF")")
      try connection.execute("PRAGMA main.cache_size = -\(caches.destination)")
      try connection.execute("PRAGMA temp.cache_size = -\(caches.temporary)")
      connection.limitValues(to: caches.largestValue)
      if let sourcePath {
        try connection.attachSource(sourcePath, as: "source")
        try connection.execute("PRAGMA source.cache_size = -\(caches.source)")
      }
      return connection
    }
    connection = opened
    committed = isDurable ? try Self.committed(opened) : 0
  }

  /// Makes a store in memory that gets tables and other objects, but no rows.
  ///
  /// - Throws: ``StoreError`` if there is no memory left.
  package init(inMemoryFor name: String) throws(StoreError) {
    isDurable = false
    sourcePath = nil
    committed = 0
    connection = try StoreError.sqlite { () throws(SQLiteError) in
      try Connection(path: name, access: .memory)
    }
  }

  /// The tables and other objects that were made so far.
  package func schema() throws(StoreError) -> FileSchema {
    try StoreError.sqlite { () throws(SQLiteError) in try FileSchema(connection) }
  }

  /// The number of the last transaction of a file; its header has a place for an application's number.
  private static func committed(_ connection: Connection) throws(StoreError) -> Int64 {
    let value = try StoreError.sqlite { () throws(SQLiteError) in
      try connection.value("PRAGMA main.user_version")
    }
    guard case .integer(let number) = value else { return 0 }
    return number
  }

  /// The number of the last transaction of a file that an interrupted writer left.
  ///
  /// A transaction that was not committed is rolled back, and then every page compared with what was
  /// written down of it.
  ///
  /// - Returns: The number; `nil` if the file is not as the writer left it.
  /// - Throws: ``StoreError`` if the file is no database.
  package static func lastTransaction(of path: String) throws(StoreError) -> Int64? {
    let number = try committed(
      StoreError.sqlite { () throws(SQLiteError) in try Connection(path: path, access: .readWrite) }
    )
    return try StoreError.sqlite { () throws(SQLiteError) in
      try PageCheck(of: path).isSound(after: number) ? number : nil
    }
  }

  /// The file beside a file with a journal in which its pages are written down; one is nothing without
  /// the other.
  package static func pageLog(of path: String) -> String { PageCheck.log(of: path) }

  /// Whether a file that a writer finished is as it left it; counters in its header may be others.
  package static func isSound(_ path: String) throws(StoreError) -> Bool {
    try StoreError.sqlite { () throws(SQLiteError) in try PageCheck(of: path).isSound(after: nil) }
  }

  /// Whether what comes next was done by an earlier writer already.
  package var isPassingOver: Bool { transactions < committed }

  /// The steps of SQLite's machine between two questions whether to stop.
  package static var stepsBetweenQuestions: Int64 { Connection.stepsBetweenQuestions }

  /// Lets a body be asked every few milliseconds of work whether to stop.
  ///
  /// A statement that is stopped fails with ``StoreError/Cause/interruption`` and leaves a file that
  /// can only be thrown away.
  package func watch(_ shouldStop: @escaping () -> Bool) { connection.watch(shouldStop) }

  /// Runs a statement that makes a table, an index or a trigger, or takes one away.
  package func create(_ sql: String) throws(StoreError) {
    try transaction { () throws(SQLiteError) in try connection.execute(sql) }
  }

  /// Runs a statement out of a source's schema, which may be anything.
  ///
  /// - Throws: ``StoreError`` if it is more than one statement, or does anything but making a table, an
  ///   index, a view or a trigger.
  package func create(foreign sql: String) throws(StoreError) {
    try transaction { () throws(SQLiteError) in try connection.execute(foreign: sql) }
  }

  /// Registers a virtual table by its statement, without asking its module to make anything.
  ///
  /// The tables in which a module keeps its data are copied like any others, so the module itself is
  /// not needed.
  package func registerVirtualTable(_ object: FileObject) throws(StoreError) {
    try transaction { () throws(SQLiteError) in
      try connection.execute("PRAGMA main.writable_schema = ON")
      let statement = try connection.prepare(
        "INSERT INTO main.sqlite_schema (type, name, tbl_name, rootpage, sql) "
          + "VALUES ('table', ?1, ?1, 0, ?2)"
      )
      try statement.bind(.text(object.name), at: 1)
      try statement.bind(.text(object.sql), at: 2)
      try statement.run()
    }
    try StoreError.sqlite { () throws(SQLiteError) in
      try connection.execute("PRAGMA main.writable_schema = RESET")
    }
  }

  /// The ranges of keys in which the rows of a source table are transferred.
  ///
  /// - Parameters:
  ///   - table: The source table.
  ///   - rows: Its number of rows, as far as it is known.
  /// - Returns: The ranges, ascending.
  /// - Throws: ``StoreError`` if the table cannot be read.
  package func ranges(of table: String, rows: Int64) throws(StoreError) -> KeyRanges {
    try StoreError.sqlite { () throws(SQLiteError) in
      try KeyRanges(connection, table: table, rows: rows, batchRows: batchRows)
    }
  }

  /// Prepares a transfer for its ranges.
  ///
  /// - Parameters:
  ///   - transfer: The transfer.
  ///   - streamsLargeValues: Whether the source table has large values, which are streamed where the
  ///     transfer only carries them.
  /// - Returns: The transfer.
  /// - Throws: ``StoreError`` if its statement does not fit the two files.
  package func prepare(
    _ transfer: RowTransfer,
    streamsLargeValues: Bool = false
  ) throws(StoreError) -> PreparedTransfer {
    let keys = streamsLargeValues ? largeKeys(of: transfer) : []
    return try StoreError.sqlite { () throws(SQLiteError) in
      PreparedTransfer(
        try connection.prepare(transfer.sql),
        connection,
        streaming: keys.isEmpty ? nil : try StreamedRows(connection, transfer, keys: keys)
      )
    }
  }

  /// The keys of the source rows with large values that a transfer carries.
  ///
  /// Each stands for more than ``LargeValue/bound`` bytes of the source, so they are few.
  private func largeKeys(of transfer: RowTransfer) -> [Int64] {
    guard
      let sourcePath, transfer.assignments.contains(where: { $0.value.largeColumnSQL != nil }),
      let rows = try? LargeRows(of: transfer.source, in: sourcePath)
    else { return [] }
    var keys: [Int64] = []
    rows.forEach { row in
      if row.values.contains(where: { !$0.isText }) { keys.append(row.key) }
    }
    return keys
  }

  /// Prepares an update for its ranges.
  package func prepare(_ update: RowUpdate) throws(StoreError) -> PreparedTransfer {
    try StoreError.sqlite { () throws(SQLiteError) in
      PreparedTransfer(try connection.prepare(update.sql), connection)
    }
  }

  /// Readies a query of source rows.
  package func prepare(_ query: RowQuery) throws(StoreError) -> PreparedQuery {
    try StoreError.sqlite { () throws(SQLiteError) in
      PreparedQuery(try connection.prepare(query.sql), query.columns)
    }
  }

  /// Readies a query of the objects of a to-many relationship.
  package func prepare(_ query: MemberQuery) throws(StoreError) -> PreparedQuery {
    try StoreError.sqlite { () throws(SQLiteError) in
      PreparedQuery(try connection.prepare(query.sql), query.columns)
    }
  }

  /// The number of source rows that a transfer would read.
  package func count(_ rows: RowTransfer) throws(StoreError) -> Int64 {
    let value = try StoreError.sqlite { () throws(SQLiteError) -> SQLiteValue? in
      let statement = try connection.prepare("SELECT count(*) \(rows.rowsSQL)")
      try statement.bind(.integer(.min), at: 1)
      try statement.bind(.integer(.max), at: 2)
      return try statement.step() ? statement.value(at: 0) : nil
    }
    guard case .integer(let count) = value else { return 0 }
    return count
  }

  /// Lets transfers and updates ask association tables, by the number of a table and a source key.
  package func define(
    associations body: @escaping (Int64, Int64) throws -> Int64?
  ) throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      try connection.define(AssociationFunction.name, body)
    }
  }

  /// Tells the keys of a destination table's rows in a range, in ascending order.
  package func keys(
    of table: String,
    in range: ClosedRange<Int64>,
    _ body: (Int64) throws -> Void
  ) throws {
    let statement = try StoreError.sqlite { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "SELECT rowid FROM main.\(SQLText.quoted(table)) WHERE rowid BETWEEN ?1 AND ?2 "
          + "ORDER BY rowid"
      )
      try statement.bind(.integer(range.lowerBound), at: 1)
      try statement.bind(.integer(range.upperBound), at: 2)
      return statement
    }
    while try StoreError.sqlite({ () throws(SQLiteError) in try statement.step() }) {
      try body(statement.int64(at: 0))
    }
  }

  /// Gives the rows of a query one by one.
  func rows(of sql: String, _ body: (borrowing Statement) throws -> Void) throws {
    let statement = try StoreError.sqlite { () throws(SQLiteError) in try connection.prepare(sql) }
    while try StoreError.sqlite({ () throws(SQLiteError) in try statement.step() }) {
      try body(statement)
    }
  }

  /// Transfers the rows of one range.
  ///
  /// - Returns: The number of rows that were written.
  package func run(
    _ transfer: PreparedTransfer,
    range: ClosedRange<Int64>
  ) throws(StoreError) -> Int64 {
    var written: Int64 = 0
    try transaction { () throws(SQLiteError) in
      written = try transfer.run(range)
      count(written)
    }
    return written
  }

  /// Prepares the insertion of rows that are made elsewhere.
  package func inserter(
    into table: String,
    columns: [String]
  ) throws(StoreError) -> RowInserter {
    try StoreError.sqlite { () throws(SQLiteError) in
      try RowInserter(connection, into: table, columns: columns)
    }
  }

  /// Prepares the insertion of rows of one entity, one at a time.
  package func inserter(of shape: EntityRowShape) throws(StoreError) -> RowInserter {
    try inserter(into: shape.table, columns: shape.columns)
  }

  /// Inserts a row inside of a ``batch(_:)``.
  package func insert(_ row: EntityRow, with inserter: RowInserter) throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in try inserter.insert(row.values) }
    count(1)
  }

  private func count(_ rows: Int64) { if countsRows { rowsWritten += rows } }

  /// Prepares the reading of the source rows of a transfer, with values that follow from each.
  ///
  /// - Parameters:
  ///   - rows: The transfer.
  ///   - values: The values.
  ///   - streamsLargeValues: Whether large values that are only carried are left where they are until
  ///     their row is inserted.
  /// - Returns: What reads the rows.
  /// - Throws: ``StoreError`` if the source cannot be read.
  package func sourceRows(
    of rows: RowTransfer,
    values: [ColumnExpression],
    streamsLargeValues: Bool
  ) throws(StoreError) -> SourceRows {
    try StoreError.sqlite { () throws(SQLiteError) in
      try SourceRows(connection, rows, values: values, streamsLargeValues: streamsLargeValues)
    }
  }

  /// Runs a body whose insertions count together.
  package func batch(_ body: () throws -> Void) throws {
    if isPassingOver {
      transactions += 1
      return
    }
    try StoreError.sqlite { () throws(SQLiteError) in try connection.execute("BEGIN IMMEDIATE") }
    isInBatch = true
    defer { isInBatch = false }
    do {
      try body()
      try commit()
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Inserts rows in one transaction.
  ///
  /// - Parameters:
  ///   - values: The values of all rows, one row after the other in the order of its columns.
  ///   - inserter: What the rows are inserted with.
  /// - Returns: The number of rows.
  /// - Throws: ``StoreError`` if a row breaks a rule of its table or the disk is full.
  package func insert(
    _ values: [SQLiteValue],
    with inserter: RowInserter
  ) throws(StoreError) -> Int64 {
    try transaction { () throws(SQLiteError) in try inserter.insert(values) }
    return Int64(values.count / inserter.columnCount)
  }

  /// Copies all rows of a table of the source in one transaction.
  ///
  /// Row ids are kept, because other tables may refer to them.
  ///
  /// - Returns: The number of rows that were written.
  /// - Throws: ``StoreError`` if the table cannot be read or written.
  package func copyRows(of table: FileTable) throws(StoreError) -> Int64 {
    let name = SQLText.quoted(table.name)
    let columns = table.copiedColumns.map { SQLText.quoted($0) }.joined(separator: ", ")
    let rows = try insert(
      "INSERT INTO main.\(name) (\(columns)) SELECT \(columns) FROM source.\(name)"
    )
    if table.countsKeys { try keepCount(of: table.name) }
    return rows
  }

  /// Moves all rows of a source table, and the entries of its indexes, into an empty table that is
  /// made in the same way.
  ///
  /// SQLite then copies whole records without taking them apart (its “transfer optimisation”), as long
  /// as every index of the destination has its like in the source. Damaged ones are copied too, which
  /// ``TableCheck`` finds out.
  ///
  /// - Returns: The number of rows that were written.
  package func moveRows(of source: String, to destination: String) throws(StoreError) -> Int64 {
    try insert(
      "INSERT INTO main.\(SQLText.quoted(destination)) SELECT * FROM source.\(SQLText.quoted(source))"
    )
  }

  private func insert(_ sql: String) throws(StoreError) -> Int64 {
    var written: Int64 = 0
    try transaction { () throws(SQLiteError) in
      try connection.execute(sql)
      written = connection.changes
      count(written)
    }
    return written
  }

  /// Keeps the highest key that a table with `AUTOINCREMENT` ever gave out.
  private func keepCount(of table: String) throws(StoreError) {
    let name = SQLText.quoted(literal: table)
    try transaction { () throws(SQLiteError) in
      let counter = "SELECT 1 FROM source.sqlite_schema WHERE name = 'sqlite_sequence'"
      guard try connection.value(counter) != nil else { return }
      try connection.execute("DELETE FROM main.sqlite_sequence WHERE name = \(name)")
      try connection.execute(
        "INSERT INTO main.sqlite_sequence (name, seq) "
          + "SELECT name, seq FROM source.sqlite_sequence WHERE name = \(name)"
      )
    }
  }

  /// Gives places to the members of an ordered relationship that have none.
  package func assignPlaces(_ ordering: MemberOrdering) throws(StoreError) {
    try transaction { () throws(SQLiteError) in
      try PlaceAssignment(ordering, connection).run()
    }
  }

  /// Computes the values of a derived attribute for all rows.
  package func compute(_ derived: DerivedAttribute) throws(StoreError) {
    try transaction { () throws(SQLiteError) in try connection.execute(derived.updateSQL) }
  }

  /// The highest key of a table of the destination; 0 if it is empty.
  package func highestKey(in table: String) throws(StoreError) -> Int64 {
    let value = try StoreError.sqlite { () throws(SQLiteError) in
      try connection.value("SELECT max(rowid) FROM main.\(SQLText.quoted(table))")
    }
    guard case .integer(let key) = value else { return 0 }
    return key
  }

  /// The highest key among the source rows of a transfer; 0 if there are none.
  package func highestKey(amongRowsOf rows: RowTransfer) throws(StoreError) -> Int64 {
    let value = try StoreError.sqlite { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "SELECT s.rowid \(rows.rowsSQL) DESC LIMIT 1"
      )
      try statement.bind(.integer(.min), at: 1)
      try statement.bind(.integer(.max), at: 2)
      return try statement.step() ? statement.value(at: 0) : nil
    }
    guard case .integer(let key) = value else { return 0 }
    return key
  }

  /// Writes the rows of `Z_PRIMARYKEY`.
  package func insert(_ entries: [PrimaryKeyEntry]) throws(StoreError) {
    try transaction { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "INSERT INTO main.Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, ?3, ?4)"
      )
      for entry in entries {
        try statement.bind(.integer(entry.number), at: 1)
        try statement.bind(.text(entry.name), at: 2)
        try statement.bind(.integer(entry.superentity), at: 3)
        try statement.bind(.integer(entry.highestKey), at: 4)
        try statement.run()
      }
    }
  }

  /// Writes the store's metadata and the cache of its model.
  package func insert(_ metadata: StoreMetadata, modelCache: [UInt8]) throws(StoreError) {
    try transaction { () throws(SQLiteError) in
      let row = try connection.prepare(
        "INSERT INTO main.Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?1, ?2)"
      )
      try row.bind(.text(metadata.uuid), at: 1)
      try connection.withoutValueLimit { () throws(SQLiteError) in
        try row.bind(.blob(metadata.propertyListBytes), at: 2)
        try row.run()
      }
      let cache = try connection.prepare("INSERT INTO main.Z_MODELCACHE (Z_CONTENT) VALUES (?1)")
      try connection.withoutValueLimit { () throws(SQLiteError) in
        try cache.bind(.blob(modelCache), at: 1)
        try cache.run()
      }
    }
  }

  /// Puts the file into the journal mode in which Core Data keeps its stores, and closes the log.
  package func useWriteAheadMode() throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      try connection.execute("PRAGMA main.journal_mode = WAL")
      try connection.execute("PRAGMA main.wal_checkpoint(TRUNCATE)")
    }
  }

  /// Runs a body in a transaction of its own, or in the batch that is open.
  func transaction(_ body: () throws(SQLiteError) -> Void) throws(StoreError) {
    if isInBatch { return try StoreError.sqlite(body) }
    if isPassingOver {
      transactions += 1
      return
    }
    do throws(StoreError) {
      try StoreError.sqlite { () throws(SQLiteError) in
        try connection.execute("BEGIN IMMEDIATE")
        try body()
      }
      try commit()
    } catch {
      // The first error is the one that matters; SQLite may have rolled back already.
      connection.rollBack()
      throw error
    }
  }

  private func commit() throws(StoreError) {
    let number = transactions + 1
    if isDurable {
      try StoreError.sqlite { () throws(SQLiteError) in
        try connection.execute("PRAGMA main.user_version = \(number)")
      }
    }
    try willCommit?(number)
    try StoreError.sqlite { () throws(SQLiteError) in try connection.execute("COMMIT") }
    transactions = number
    didCommit?()
    if mustStop?() ?? false { throw .stopped(path: connection.path) }
  }

  /// Makes an index, unless rows stand against it.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - isKnown: Whether rows stand against it, as an earlier writer found.
  /// - Returns: Whether the index is there.
  /// - Throws: ``StoreError`` if the file cannot be written.
  package func createIfPossible(
    _ index: SchemaIndex,
    isKnownToConflict isKnown: Bool
  ) throws(StoreError) -> Bool {
    if isKnown { return false }
    do throws(StoreError) {
      try create(index.sql)
      return true
    } catch {
      guard error.cause == .constraint else { throw error }
      return false
    }
  }
}
