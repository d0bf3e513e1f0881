internal import BulkPlatform
internal import CBulkSQLite

/// One connection to a database file, closed when nothing refers to it any more.
///
/// A connection belongs to one task; it is not `Sendable`.
package final class Connection {
  /// The file, as it was named.
  package let path: String
  let handle: OpaquePointer
  private var watch: StatementWatch?
  private let recalled = RecalledValues()

  /// How a database file is opened.
  package enum Access: Sendable {
    /// A new or existing file of one's own.
    case readWrite
    /// An existing file that nobody else may have open; no memory is shared with others, for which there
    /// would be a file.
    case alone
    /// A new or existing file of one's own, with a ``PageLog`` beside it.
    case recorded
    /// A file that is read as it lies there, see ``ReadOnlyFileSystem``.
    case source
    /// A database without a file, gone with the connection.
    case memory
  }

  /// Opens a database file.
  ///
  /// - Throws: ``SQLiteError`` if the file cannot be opened. A file that is no database is noticed
  ///   at the first statement only.
  package init(path: String, access: Access) throws(SQLiteError) {
    self.path = path
    Self.prepareLibrary
    var handle: OpaquePointer?
    let code: Int32
    switch access {
    case .readWrite, .alone:
      try WritingFileSystem.system.register()
      let flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
      code = sqlite3_open_v2(FileURI.text(for: path), &handle, flags, WritingFileSystem.system.name)
    case .recorded:
      try RecordingFileSystem.system.register()
      let flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
      code = sqlite3_open_v2(
        FileURI.text(for: path),
        &handle,
        flags,
        RecordingFileSystem.system.name
      )
    case .source:
      try ReadOnlyFileSystem.system.register()
      let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
      code = sqlite3_open_v2(ReadOnlyFileSystem.uri(for: path), &handle, flags, nil)
    case .memory:
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
      code = sqlite3_open_v2(path, &handle, flags, nil)
    }
    guard code == SQLITE_OK, let handle else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(handle)
      // SQLite knows only that the file cannot be opened, the file itself knows why.
      if access == .source { _ = try ReadOnlyFile(path: path) }
      throw SQLiteError(code: code, message: message, path: path)
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    // It counts only before the file is read.
    if access == .alone { try execute("PRAGMA locking_mode=EXCLUSIVE") }
    try execute("PRAGMA temp_store=FILE")
    // Whoever has a larger share says so; SQLite's own default is 2 MB.
    try execute("PRAGMA cache_size=-512")
    // A damaged schema must not run functions or write through its triggers.
    try execute("PRAGMA trusted_schema=OFF")
    guard recalled.register(on: handle) == SQLITE_OK else { throw lastError() }
  }

  /// What is set once, before the library is used; it refuses later, which does no harm.
  private static let prepareLibrary: Void = {
    bulk_heap_stay_small()
    bulk_threads_have_room()
    _ = bulk_sqlite_count_no_memory()
  }()

  deinit { sqlite3_close_v2(handle) }

  /// Lets this connection read another file under a schema name, as ``Access/source``.
  package func attachSource(_ path: String, as schema: String) throws(SQLiteError) {
    try ReadOnlyFileSystem.system.register()
    let uri = SQLText.quoted(literal: ReadOnlyFileSystem.uri(for: path))
    do throws(SQLiteError) {
      try execute("ATTACH \(uri) AS \(SQLText.quoted(schema))")
    } catch {
      _ = try ReadOnlyFile(path: path)
      throw error
    }
  }

  /// The steps of SQLite's machine between two questions whether to stop.
  package static var stepsBetweenQuestions: Int64 { Int64(StatementWatch.steps) }

  /// Bounds the bytes of a value or a record that statements may hold; a larger one fails the statement,
  /// see ``SQLiteResult/tooBig``.
  package func limitValues(to bytes: Int) {
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes))
  }

  /// Runs a body without the bound of ``limitValues(to:)``.
  package func withoutValueLimit(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    let limit = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, .max)
    defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, limit) }
    try body()
  }

  /// Lets a body be asked every few milliseconds of a statement's work whether to stop.
  ///
  /// A statement that is stopped fails, see ``SQLiteResult/interrupted``. The body must not use the
  /// connection.
  package func watch(_ shouldStop: @escaping () -> Bool) {
    let watch = StatementWatch(shouldStop)
    watch.begin(on: handle)
    self.watch = watch
  }

  /// Prepares a statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else {
      guard code == SQLITE_OK else { throw lastError(sql: sql) }
      throw SQLiteError(code: SQLITE_MISUSE, message: "empty statement", path: path, sql: sql)
    }
    return Statement(handle: statement, connection: self)
  }

  /// Runs statements that give no rows or whose rows do not matter.
  package func execute(_ sql: String) throws(SQLiteError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw lastError(sql: sql) }
  }

  /// Runs one statement of somebody else's, which may make a table, an index, a view or a trigger of
  /// the main database, and nothing else.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - functions: The functions that an index, a column or a constraint may be computed by; what views
  ///     and triggers name does not matter, because nobody asks them.
  /// - Throws: ``SQLiteError`` if it wants more, or if another statement follows it.
  package func execute(
    foreign sql: String,
    _ functions: ForeignFunctions = .linear
  ) throws(SQLiteError) {
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
    SQLiteError(
      code: SQLITE_AUTH,
      message: "its schema computes something by \(function)(), which may take any time and memory",
      path: path,
      sql: sql,
      refusedFunction: function
    )
  }

  /// The first column of a statement's first row, or `nil` if it has no row.
  package func value(_ sql: String) throws(SQLiteError) -> SQLiteValue? {
    let statement = try prepare(sql)
    guard try statement.step() else { return nil }
    return statement.value(at: 0)
  }

  /// Runs a body in one write transaction, which is rolled back if the body throws.
  package func transaction(
    _ body: () throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    try execute("BEGIN IMMEDIATE")
    do throws(SQLiteError) {
      try body()
      try execute("COMMIT")
    } catch {
      // The first error is the one that matters; SQLite may have rolled back already.
      _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// Undoes the transaction that is open, if one is.
  package func rollBack() { _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }

  /// The number of rows that the last finished statement changed.
  package var changes: Int64 { sqlite3_changes64(handle) }

  /// The row id of the row that was inserted last.
  package var lastInsertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The last failure on this connection.
  func lastError(sql: String? = nil) -> SQLiteError {
    SQLiteError(
      code: sqlite3_extended_errcode(handle),
      message: String(cString: sqlite3_errmsg(handle)),
      path: path,
      sql: sql,
      systemError: systemError
    )
  }

  /// Whether a write failed in a process that may not make files as large as it likes; what SQLite does
  /// after such a failure hides the number.
  private var isAtFileSizeLimit: Bool {
    sqlite3_extended_errcode(handle) == Int32(BULK_SQLITE_IOERR_WRITE)
      && ResourceLimit.fileSize.bytes != nil
  }

  /// The error number of the system, where the last failure was one of reading or writing.
  private var systemError: Int32 {
    switch sqlite3_errcode(handle) & 0xff {
    case SQLITE_IOERR where isAtFileSizeLimit: EFBIG
    case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_FULL: sqlite3_system_errno(handle)
    default: 0
    }
  }

  /// The version of the SQLite library in use.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}

/// Says what a statement may do, while SQLite compiles it.
enum Authorizer {
  /// What making something does beside: it looks things up, computes an index, and enters itself in
  /// the schema.
  private static let harmless: Set<Int32> = [
    SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_VIEW, SQLITE_CREATE_TRIGGER,
    SQLITE_READ, SQLITE_SELECT, SQLITE_REINDEX, SQLITE_RECURSIVE,
  ]
  private static let changes: Set<Int32> = [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE]
  private static let ownTables: Set<String> = ["sqlite_master", "sqlite_schema", "sqlite_sequence"]

  /// Lets a statement make tables, indexes, views and triggers of the main database; the first argument
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

/// Somebody who is asked while statements run whether they are to go on.
final class StatementWatch {
  /// The steps of SQLite's machine between two questions, a few milliseconds' worth.
  static let steps: Int32 = 250_000

  private let shouldStop: () -> Bool

  init(_ shouldStop: @escaping () -> Bool) { self.shouldStop = shouldStop }

  /// Begins to ask; the connection must end before this does.
  func begin(on handle: OpaquePointer) {
    sqlite3_progress_handler(
      handle,
      Self.steps,
      { object in
        guard let object else { return 0 }
        let watch = Unmanaged<StatementWatch>.fromOpaque(object).takeUnretainedValue()
        return watch.shouldStop() ? 1 : 0
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }
}
