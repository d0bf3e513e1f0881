package import BulkCoding
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
  let sourcePath: String?
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
  /// Is asked as statements are, by work on values that were read.
  package private(set) var work = WorkWatch()
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
      let ahead = ReadAhead.size / 1024
      // These count only before the first table is made.
      try connection.execute("PRAGMA main.encoding = \(SQLText.quoted(literal: encoding))")
      try connection.execute("PRAGMA main.page_size = \(pageSize)")
      try connection.execute("PRAGMA main.auto_vacuum = INCREMENTAL")
      try connection.execute("PRAGMA main.journal_mode = \(isDurable ? "TRUNCATE" : "OFF")")
      try connection.execute("PRAGMA main.synchronous = \(isDurable ? "FULL" : "OFF")")
      try connection.execute("PRAGMA main.cache_size = -\(caches.destination - ahead)")
      // One more than this one sorts what goes into an index.
      try connection.execute("PRAGMA threads = 1")
      // A row of the source has kept the constraints of its table, or is kept as it is.
      try connection.execute("PRAGMA ignore_check_constraints = ON")
      try connection.execute("PRAGMA temp.cache_size = -\(caches.temporary)")
      connection.limitValues(to: caches.largestValue)
      if let sourcePath {
        try connection.attachSource(sourcePath, as: "source")
        try connection.execute("PRAGMA source.cache_size = -\(caches.source - ahead)")
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
  /// - Parameters:
  ///   - path: The file.
  ///   - isStopped: Is asked every now and then whether to stop.
  /// - Returns: The number; `nil` if the file is not as the writer left it.
  /// - Throws: ``StoreError`` if the file is no database, or it was told to stop.
  package static func lastTransaction(
    of path: String,
    isStopped: () -> Bool = { false }
  ) throws(StoreError) -> Int64? {
    let number = try committed(
      StoreError.sqlite { () throws(SQLiteError) in try Connection(path: path, access: .readWrite) }
    )
    return try StoreError.sqlite { () throws(SQLiteError) in
      try PageCheck(of: path).isSound(after: number, isStopped: isStopped) ? number : nil
    }
  }

  /// The file beside a file with a journal in which its pages are written down; one is nothing without
  /// the other.
  package static func pageLog(of path: String) -> String { PageCheck.log(of: path) }

  /// Whether a file that a writer finished is as it left it; counters in its header may be others.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isStopped: Is asked every now and then whether to stop.
  /// - Returns: Whether it is.
  /// - Throws: ``StoreError`` if the file is no database, or it was told to stop.
  package static func isSound(
    _ path: String,
    isStopped: () -> Bool = { false }
  ) throws(StoreError) -> Bool {
    try StoreError.sqlite { () throws(SQLiteError) in
      try PageCheck(of: path).isSound(after: nil, isStopped: isStopped)
    }
  }

  /// Whether what comes next was done by an earlier writer already.
  package var isPassingOver: Bool { transactions < committed }

  /// Passes over everything up to a transaction of an earlier writer.
  package func passOver(to transaction: Int64) {
    precondition(
      (transactions...max(transactions, committed)).contains(transaction),
      "only what was committed can be passed over"
    )
    transactions = transaction
  }

  /// The steps of SQLite's machine between two questions whether to stop.
  package static var stepsBetweenQuestions: Int64 { Connection.stepsBetweenQuestions }

  /// Lets a body be asked every few milliseconds of work whether to stop.
  ///
  /// A statement that is stopped fails with ``StoreError/Cause/interruption`` and leaves a file that
  /// can only be thrown away.
  package func watch(_ shouldStop: @escaping () -> Bool) {
    connection.watch(shouldStop)
    work = WorkWatch(shouldStop)
  }

  /// Ends what is going on where ``work`` was told to stop.
  ///
  /// - Throws: ``StoreError/stopped(path:)``.
  package func endIfStopped() throws(StoreError) {
    if work.isStopped { throw .stopped(path: connection.path) }
  }

  /// Runs a statement that makes a table, an index or a trigger, or takes one away.
  package func create(_ sql: String) throws(StoreError) {
    try transaction { () throws(SQLiteError) in try connection.execute(sql) }
  }

  /// Runs a statement out of a source's schema, which may be anything.
  ///
  /// - Throws: ``StoreError`` if it is more than one statement, does anything but making an index, a view
  ///   or a trigger, or computes an index by functions that may take any time and memory.
  package func create(foreign sql: String) throws(StoreError) {
    try transaction { () throws(SQLiteError) in try connection.execute(foreign: sql) }
  }

  /// Makes a table of a source again.
  ///
  /// Its constraints are not asked when its rows are copied, so that they may name any function; columns
  /// that it computes are.
  ///
  /// - Throws: ``StoreError`` as ``create(foreign:)`` does.
  package func create(foreign table: FileTable) throws(StoreError) {
    let functions = table.hasHiddenColumns ? ForeignFunctions.linear : .any
    try transaction { () throws(SQLiteError) in
      try connection.execute(foreign: table.sql, functions)
    }
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

  func count(_ rows: Int64) { if countsRows { rowsWritten += rows } }

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
