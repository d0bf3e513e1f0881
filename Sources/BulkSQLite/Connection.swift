internal import BulkSupport
internal import CBulkSQLite

/// One connection to a database file, closed when its last reference is released.
///
/// A connection belongs to one task; it is not `Sendable`.
package final class Connection {
  package let file: SourceFile
  package var path: String { file.path }
  let handle: OpaquePointer
  private var watch: StatementWatch?
  /// The row ids of `sqlite_schema`, which has no index, by schema and name, as they were when one was last looked for.
  var schemaRows: [String: [String: Int64]] = [:]

  package enum Access: Sendable {
    case readWrite
    /// A new file that no other process knows, see ``DatabaseFileSystem/scratch``.
    case scratch
    /// An existing file, locked exclusively; the WAL index is kept on the heap, so no `-shm` file is made.
    case exclusive
    /// A new or existing file, for reading and writing, with a ``PageLog`` beside it.
    case recorded
    /// A file that is only read and never changed, see ``DatabaseFileSystem/source``.
    case source
    case memory
  }

  /// A file that is not a database is detected only by the first statement.
  package convenience init(path: String, access: Access) throws(SQLiteError) {
    try self.init(SourceFile(path: path), access: access)
  }

  package convenience init(reading file: SourceFile) throws(SQLiteError) {
    try self.init(file, access: .source)
  }

  private init(_ file: SourceFile, access: Access) throws(SQLiteError) {
    self.file = file
    let path = file.path
    var handle: OpaquePointer?
    let code: Int32
    try DatabaseFileSystem.register()
    switch access {
    case .readWrite, .exclusive, .scratch, .recorded:
      let system: DatabaseFileSystem =
        access == .recorded ? .recorded : access == .scratch ? .scratch : .plain
      let flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
      code = sqlite3_open_v2(FileURI.text(for: path), &handle, flags, system.name)
    case .source:
      let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
      code = try file.withURI { sqlite3_open_v2($0, &handle, flags, nil) }
    case .memory:
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
      code = sqlite3_open_v2(path, &handle, flags, nil)
    }
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(handle)
      throw SQLiteError(code: code, message: message, path: path)
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    // This takes effect only before the file is first read.
    if access == .exclusive { try execute("PRAGMA locking_mode=EXCLUSIVE") }
    try execute("PRAGMA temp_store=FILE")
    // Callers with a larger share of the memory raise this; SQLite's default is 2 MB.
    try execute("PRAGMA cache_size=-512")
    // A corrupt schema must not run functions or write through its triggers.
    try execute("PRAGMA trusted_schema=OFF")
    try defineOwnFunctions()
  }

  deinit { sqlite3_close_v2(handle) }

  /// Lets no trigger fire: those of a file are somebody else's, or call functions and modules that only Core Data has.
  package func fireNoTriggers() throws(SQLiteError) {
    guard bulk_sqlite_fire_no_triggers(handle) == SQLITE_OK else { throw lastError() }
  }

  package func attachSource(_ file: SourceFile, as schema: String) throws(SQLiteError) {
    try file.withURI { uri throws(SQLiteError) in
      try execute("ATTACH \(SQLText.quoted(literal: uri)) AS \(SQLText.quoted(schema))")
    }
  }

  /// Limits the size in bytes of a value or a record in statements; a larger one fails the statement, see
  /// ``SQLiteResult/tooBig``.
  package func limitValues(to bytes: Int) {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes))
  }

  package func withoutValueLimit(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    let limit = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, .max)
    defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, limit) }
    try body()
  }

  /// Calls a body every few milliseconds while a statement runs; it returns whether to stop.
  ///
  /// A statement that is stopped fails with ``SQLiteResult/interrupted``. The body must not use the
  /// connection.
  package func watch(_ shouldStop: @escaping () -> Bool) {
    let watch = StatementWatch(shouldStop)
    sqlite3_progress_handler(
      handle,
      StatementWatch.steps,
      { object in
        guard let object else { return 0 }
        let watch = Unmanaged<StatementWatch>.fromOpaque(object).takeUnretainedValue()
        return watch.shouldStop() ? 1 : 0
      },
      Unmanaged.passUnretained(watch).toOpaque()
    )
    self.watch = watch
  }

  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    WorkTrace.statement(sql, on: path)
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else {
      guard code == SQLITE_OK else { throw lastError(sql: sql) }
      throw SQLiteError(code: SQLITE_MISUSE, message: "empty statement", path: path, sql: sql)
    }
    return Statement(handle: statement, connection: self)
  }

  /// Runs a body whose statements read the file in one transaction, which locks it once; one that is open serves as well.
  func reading<Result>(
    _ body: () throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    guard sqlite3_get_autocommit(handle) != 0 else { return try body() }
    try execute("BEGIN")
    // Nothing was written, so that it may end in any way.
    defer { sqlite3_exec(handle, "COMMIT", nil, nil, nil) }
    return try body()
  }

  package func execute(_ sql: String) throws(SQLiteError) {
    WorkTrace.statement(sql, on: path)
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw lastError(sql: sql) }
  }

  /// Runs one untrusted statement, which may create a table, an index, a view or a trigger in the main
  /// database, and nothing else.
  ///
  /// An index, a column or a constraint may call the functions; those in views and triggers do not matter, because
  /// these are never evaluated.
  package func execute(
    foreign sql: String,
    _ functions: ForeignFunctions = .linear
  ) throws(SQLiteError) {
    WorkTrace.statement(sql, on: path)
    let foreign = ForeignStatement(functions)
    let object = Unmanaged.passUnretained(foreign).toOpaque()
    sqlite3_set_authorizer(handle, Authorizer.allowsMaking, object)
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    var statement: OpaquePointer?
    var hasMore = false
    let code = sql.withCString { text in
      var rest: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(handle, text, -1, &statement, &rest)
      hasMore = rest.map { String(cString: $0).contains { !$0.isWhitespace && $0 != ";" } } ?? false
      return code
    }
    defer { sqlite3_finalize(statement) }
    guard code == SQLITE_OK else {
      throw foreign.refusedFunction.map { refusal(of: $0, sql) } ?? lastError(sql: sql)
    }
    guard !hasMore, statement != nil else {
      throw SQLiteError(
        code: SQLITE_CORRUPT,
        message: "its schema holds a statement that is not one",
        path: path,
        sql: sql
      )
    }
    guard sqlite3_step(statement) == SQLITE_DONE else { throw lastError(sql: sql) }
  }

  private func refusal(of function: String, _ sql: String) -> SQLiteError {
    var error = SQLiteError(
      code: SQLITE_AUTH,
      message: "its schema computes something by \(function)(), which may take any time and memory",
      path: path,
      sql: sql
    )
    error.refusedFunction = function
    return error
  }

  package func value(_ sql: String) throws(SQLiteError) -> SQLiteValue? {
    let statement = try prepare(sql)
    guard try statement.step() else { return nil }
    return statement.value(at: 0)
  }

  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    try prepare(sql).nextInteger()
  }

  package func rollBack() { _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }

  package var changes: Int64 { sqlite3_changes64(handle) }
  package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

  func lastError(sql: String? = nil) -> SQLiteError {
    SQLiteError(
      code: sqlite3_extended_errcode(handle),
      message: String(cString: sqlite3_errmsg(handle)),
      path: path,
      sql: sql,
      systemError: systemError
    )
  }

  private var systemError: Int32 {
    switch sqlite3_errcode(handle) & 0xff {
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL: sqlite3_system_errno(handle)
    default: 0
    }
  }

  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }

  /// The commit from which the program was built, as `tools/package` defines it; empty otherwise.
  package static var commit: String { String(cString: bulk_commit()) }
}

/// Decides what a statement may do while SQLite compiles it.
enum Authorizer {
  /// Side effects of a CREATE statement: it reads tables, computes an index, and writes to the schema.
  private static let harmless: Set<Int32> = [
    SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER,
    SQLITE_READ, SQLITE_SELECT, SQLITE_REINDEX, SQLITE_RECURSIVE,
  ]
  private static let changes: Set<Int32> = [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE]
  private static let ownTables: Set<String> = ["sqlite_master", "sqlite_schema", "sqlite_sequence"]

  /// Lets a statement create tables, indexes, views and triggers in the main database; the first argument
  /// is its ``ForeignStatement``.
  static let allowsMaking:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> Int32 = { object, action, first, second, schema, _ in
      if harmless.contains(action) { return SQLITE_OK }
      if action == SQLITE_FUNCTION {
        guard let object, let second else { return SQLITE_DENY }
        let statement = Unmanaged<ForeignStatement>.fromOpaque(object).takeUnretainedValue()
        return statement.allows(String(cString: second)) ? SQLITE_OK : SQLITE_DENY
      }
      let isOwn = first.map { ownTables.contains(String(cString: $0)) } ?? false
      let isMain = schema.map { String(cString: $0) == "main" } ?? false
      return changes.contains(action) && isOwn && isMain ? SQLITE_OK : SQLITE_DENY
    }
}

/// Checks, while statements run, whether to stop; the connection must be closed before it is released.
private final class StatementWatch {
  /// The virtual machine instructions between two calls, worth a few milliseconds.
  static let steps: Int32 = 250_000

  let shouldStop: () -> Bool

  init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }
}
