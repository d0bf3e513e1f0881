package import BulkSupport
package import BulkSQLite

/// A connection to a store that is being made, with the store from which its rows come attached.
///
/// The file belongs to the caller and does not count until the caller has synced and published it. A file
/// without a journal is useless after a failure. One with a journal can be continued by another session,
/// see ``TransactionLog``.
///
/// In SQL the store being made is named `main`, and the one being read `source`. No trigger fires: rows may be written, and
/// work resumed, whatever triggers the file has.
package final class StoreSession {
  /// The memory of a session; cache sizes are in KiB.
  package struct CacheSizes: Sendable {
    /// The cache of the file being written; SQLite's sorter for indexes keeps its runs within it too.
    package let destination: Int
    package let source: Int
    /// In KiB.
    package let lookups: Int
    /// Of temporary tables.
    package let temporary: Int
    /// The size of the largest value or record, in bytes; SQLite holds one up to three times.
    package let largestValue: Int

    package init(
      destination: Int,
      source: Int,
      lookups: Int = 1024,
      temporary: Int = 256,
      largestValue: Int = .max
    ) {
      self.largestValue = largestValue
      self.destination = destination
      self.source = source
      self.lookups = lookups
      self.temporary = temporary
    }
  }

  /// The connection, lent to features for statements of their own.
  package let connection: Connection
  let source: SourceFile?
  package let transactions: TransactionLog
  private var isDurable = false
  /// Whether texts of both files are in UTF-8.
  private(set) var isUTF8 = false
  /// In bytes.
  private var largestRecord = 0
  private let lookups: LookupCache
  /// In bytes.
  private var lookupBytes = 0
  /// In bytes.
  private var sorterBytes = 1 << 16
  private var threads = 1
  /// With less memory for sorting, none is spent on pages that another thread writes.
  private static let sorterBytesForThreads = 4 << 20
  /// The rows of the source that are read range by range; `nil` for all.
  package var sample: KeySample?
  /// The source tables whose large values stay in the source until their row is written, where they are only copied.
  package var streamed: Set<String> = []
  package let position = ScanPosition()
  private weak var linked: (any LinkTargets)?
  /// Whether work on values that were read must stop; it is stopped as statements are.
  package private(set) var work = WorkWatch()

  /// Makes a file, which must not exist, or continues one with a journal.
  ///
  /// The page size is in bytes; texts of both files have the same encoding. A durable file has a
  /// journal, so that it can be continued. At least 1 thread writes; at most two are of use.
  package init(
    path: String,
    readingFrom source: SourceFile? = nil,
    pageSize: Int,
    encoding: String = "UTF-8",
    caches: CacheSizes,
    isDurable: Bool = false,
    threads: Int = 1
  ) throws(StoreError) {
    self.threads = threads
    self.source = source
    self.isDurable = isDurable
    isUTF8 = encoding == "UTF-8"
    largestRecord = caches.largestValue
    lookupBytes = caches.lookups * 1024 / 2
    lookups = LookupCache(bytes: lookupBytes)
    sorterBytes = max(2 * caches.destination * 1024, 1 << 16)
    connection = try Connection(path: path, access: isDurable ? .recorded : .scratch)
    try connection.fireNoTriggers()
    let ahead = ReadAhead.size / 1024
    // These take effect only before the first table is made.
    try connection.execute("PRAGMA main.encoding = \(SQLText.quoted(literal: encoding))")
    try connection.execute("PRAGMA main.page_size = \(pageSize)")
    try connection.execute("PRAGMA main.journal_mode = \(isDurable ? "TRUNCATE" : "OFF")")
    try connection.execute("PRAGMA main.synchronous = \(isDurable ? "FULL" : "OFF")")
    // This one writes the first page.
    try connection.execute("PRAGMA main.auto_vacuum = INCREMENTAL")
    try connection.execute("PRAGMA main.cache_size = -\(caches.destination - ahead)")
    // Other threads sort index entries.
    try connection.execute("PRAGMA threads = \(min(threads, 2) - 1)")
    // The rows of the source satisfy the constraints of their table, or are copied regardless.
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    try connection.execute("PRAGMA temp.cache_size = -\(caches.temporary)")
    connection.limitValues(to: caches.largestValue)
    if let source {
      try connection.attachSource(source, as: "source")
      try connection.execute("PRAGMA source.cache_size = -\(caches.source - ahead)")
    }
    transactions = try TransactionLog(connection, isDurable: isDurable)
  }

  /// Opens a store without a log to change it, and locks it.
  ///
  /// The system releases the lock as soon as this process closes the file anywhere, so nothing may open and
  /// close it before the session ends.
  ///
  /// Throws with the cause ``StoreError/Cause/busy`` if another process has it open.
  init(inPlace path: String, caches: CacheSizes) throws(StoreError) {
    source = nil
    largestRecord = caches.largestValue
    lookups = LookupCache(bytes: 0)
    connection = try Connection(path: path, access: .exclusive)
    try connection.fireNoTriggers()
    try connection.execute("BEGIN EXCLUSIVE")
    try connection.execute("COMMIT")
    try connection.execute("PRAGMA main.synchronous = FULL")
    try connection.execute("PRAGMA main.cache_size = -\(caches.destination)")
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    try connection.execute("PRAGMA temp.cache_size = -\(caches.temporary)")
    connection.limitValues(to: caches.largestValue)
    transactions = try TransactionLog(connection, isDurable: false)
  }

  /// Writes the log of a store in WAL mode into its file, when it has changed.
  package func endChanging() throws(StoreError) {
    _ = try connection.value("PRAGMA main.wal_checkpoint(TRUNCATE)")
  }

  /// Makes a store in memory for tables and other objects, but no rows; errors name its purpose.
  ///
  /// The bytes are for rows of the source that are looked for by key; both stores have the same
  /// encoding.
  package init(
    inMemoryFor name: String,
    readingFrom source: SourceFile? = nil,
    encoding: String = "UTF-8",
    lookupBytes: Int = 0
  ) throws(StoreError) {
    self.source = source
    isUTF8 = encoding == "UTF-8"
    lookups = LookupCache(bytes: lookupBytes)
    connection = try Connection(path: name, access: .memory)
    try connection.execute("PRAGMA main.encoding = \(SQLText.quoted(literal: encoding))")
    if let source { try connection.attachSource(source, as: "source") }
    transactions = try TransactionLog(connection, isDurable: false)
  }

  /// The version of SQLite, which determines the layout of pages.
  package static var libraryVersion: String { Connection.libraryVersion }

  /// The commit from which the program was built; empty where that is not known.
  package static var commit: String { Connection.commit }

  /// Sets a closure that is called every few milliseconds of work and returns whether to stop.
  ///
  /// A stopped statement fails with ``StoreError/Cause/interruption`` and leaves a useless file.
  package func watch(_ shouldStop: @escaping () -> Bool) {
    connection.watch(shouldStop)
    work = WorkWatch(shouldStop)
  }

  /// Throws ``StoreError/Cause/interruption`` if the closure of ``watch(_:)`` says so; it is asked when enough work was
  /// done since the last time (``WorkWatch/stepsBetweenChecks``).
  package func endIfStopped(after steps: Int = 0) throws(StoreError) {
    if work.isStopped(after: steps) { throw .stopped(path: connection.path) }
  }

  /// `nil` if the rows hold more than their records.
  func recordCompiler(of name: String) throws(StoreError) -> RecordCompiler? {
    guard let file = source else { return nil }
    let database = SourceTable.Database(
      RowMatch.Side.source.rawValue,
      in: file,
      keeping: lookups,
      isUTF8: isUTF8
    )
    return try RecordCompiler(of: name, in: database, connection, lookupBytes: lookupBytes)
  }

  /// `nil` if only SQL can make the rows.
  func copier(
    from source: String,
    to table: TableWriter,
    _ copy: (RecordCompiler) -> RecordCopy?
  ) throws(StoreError) -> RecordCopier? {
    guard let compiler = try recordCompiler(of: source), let copy = copy(compiler) else {
      return nil
    }
    return try table.copier(
      copy,
      of: compiler.source,
      largestRecord: largestRecord,
      finding: linked
    )
  }

  /// Lets rows find the objects that links lead to, see ``ColumnExpression/linked(_:_:key:)``; the finder
  /// belongs to the caller.
  package func find(_ targets: any LinkTargets) throws(StoreError) {
    linked = targets
    try connection.find(targets)
  }

  func pageWriter() -> PageWriter {
    PageWriter(
      connection,
      isDurable: isDurable,
      memory: sorterBytes,
      writesBehind: threads > 1 && sorterBytes >= Self.sorterBytesForThreads
    ) { [weak self] in
      self?.work.isStopped(after: 1 << 16) ?? true
    }
  }

  package func prepare(_ sql: String) throws(StoreError) -> Statement {
    try connection.prepare(sql)
  }

  /// Runs a body that fills temporary tables row by row, and changes nothing in the store; a
  /// transaction for each row would lock the file as often.
  ///
  /// After an error of the body the tables are as before.
  package func together(_ body: () throws -> Void) throws {
    try connection.execute("BEGIN")
    do {
      try body()
    } catch {
      connection.rollBack()
      throw error
    }
    try connection.execute("COMMIT")
  }

  package func value(_ sql: String) throws(StoreError) -> SQLiteValue? {
    try connection.value(sql)
  }

  package func integer(_ sql: String) throws(StoreError) -> Int64? {
    try connection.integer(sql)
  }

  package func rows(of sql: String, _ body: (borrowing Statement) throws -> Void) throws {
    let statement = try prepare(sql)
    while try statement.step() {
      try body(statement)
    }
  }
}

/// A statement that stays prepared, and is run with other values again and again.
final class PreparedStatement {
  private let statement: Statement

  init(_ sql: String, _ connection: Connection) throws(StoreError) {
    statement = try connection.prepare(sql)
  }

  func run(_ values: [SQLiteValue]) throws(StoreError) {
    try statement.bind(values)
    try statement.run()
  }

  func run(_ range: ClosedRange<Int64>) throws(StoreError) {
    try statement.bind(range)
    try statement.run()
  }

  func integer(_ values: [SQLiteValue]) throws(StoreError) -> Int64? {
    try statement.bind(values)
    defer { statement.reset() }
    return try statement.nextInteger()
  }

  func integer(of key: Int64) throws(StoreError) -> Int64? {
    try statement.bind(.integer(key), at: 1)
    defer { statement.reset() }
    return try statement.nextInteger()
  }
}

/// How far a session has come in the rows of a table that it reads in the order of their keys.
package final class ScanPosition {
  package private(set) var scans = 0
  /// The share of the running scan's keys that it has behind it, from 0 to 1.
  package private(set) var share = 0.0
  private var keys: ClosedRange<Int64>?

  /// `nil` where there are none.
  package func begin(_ keys: ClosedRange<Int64>?) {
    scans += 1
    share = 0
    self.keys = keys
  }

  package func reach(_ key: Int64) {
    guard let keys, key >= keys.lowerBound else { return }
    // As floating-point numbers, keys at both ends of their range have a distance.
    let whole = Double(keys.upperBound) - Double(keys.lowerBound) + 1
    share = min((Double(key) - Double(keys.lowerBound) + 1) / whole, 1)
  }
}
