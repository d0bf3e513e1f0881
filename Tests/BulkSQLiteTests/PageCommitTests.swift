import BulkTestSupport
import Testing

/// A commit of pages that is cut off is rolled back by SQLite itself.
struct PageCommitTests {
  private let directory = TemporaryDirectory()
  private let connection: Connection

  init() throws {
    connection = try Connection(path: directory.path("main.sqlite"), access: .recorded)
    try connection.execute("PRAGMA page_size = 512")
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    try connection.execute("PRAGMA journal_mode = TRUNCATE")
    try connection.execute("PRAGMA synchronous = FULL")
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, i INTEGER)")
    try connection.execute("PRAGMA user_version = 1")
  }

  private func rows(_ keys: ClosedRange<Int64>) -> [SQLiteValue] {
    keys.flatMap { [.integer($0), .integer($0 % 7)] }
  }

  /// What SQLite sees of a copy of the files, after it has recovered them.
  private func recovered(_ path: String) throws -> [SQLiteValue?] {
    let copy = try Connection(path: path, access: .readWrite)
    #expect(try copy.value("PRAGMA integrity_check") == .text("ok"))
    return try ["PRAGMA user_version", "SELECT count(*) FROM t NOT INDEXED", "PRAGMA page_count"]
      .map { try copy.value($0) }
  }

  /// SQLite leaves an empty journal, but none where it has rolled one back.
  @Test(arguments: [true, false])
  func `one that is cut off at any step is as if it had not begun`(hasJournal: Bool) throws {
    let pages = PageWriter(connection, isDurable: true, memory: 1 << 16)
    let table = try #require(try pages.table("t", ["k", "i"], indexes: []))
    pages.begin([table])
    try table.append(rows(1...400))
    try pages.commit(2)
    let before = try recovered(copied("before"))
    #expect(before.prefix(2) == [.integer(2), .integer(400)])
    var found: [[SQLiteValue?]] = []
    var failure: (any Error)?
    pages.step = { [self] in
      do {
        found.append(try recovered(copied("cut-\(found.count)")))
      } catch {
        failure = error
      }
    }
    try table.append(rows(401...1_000))
    if !hasJournal {
      try FileManager.default.removeItem(atPath: directory.path("main.sqlite-journal"))
    }
    try pages.commit(3)
    pages.end()
    if let failure { throw failure }
    #expect(found == [before, before])
    #expect(try recovered(copied("after")).prefix(2) == [.integer(3), .integer(1_000)])
  }

  @Test func `SQLite writes on where the pages end`() throws {
    try connection.execute("CREATE INDEX ti ON t (i)")
    let pages = PageWriter(connection, isDurable: true, memory: 1 << 16)
    let table = try #require(try pages.table("t", ["k", "i"], indexes: ["ti"]))
    pages.begin([table])
    try table.append(rows(1...500))
    try pages.commit(2)
    #expect(try pages.buildIndex(0, of: table))
    try pages.commit(3)
    pages.end()
    try connection.execute("INSERT INTO t SELECT k + 500, i FROM t")
    try connection.execute("DELETE FROM t WHERE k % 2 = 0")
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    #expect(try connection.value("SELECT count(*) FROM t") == .integer(500))
    #expect(
      try connection.value("SELECT count(*) FROM t INDEXED BY ti WHERE i = 3")
        == connection.value("SELECT count(*) FROM t NOT INDEXED WHERE i = 3")
    )
  }

  @Test func `an index over anything but integers is left to SQLite`() throws {
    try connection.execute("CREATE INDEX ti ON t (i)")
    let pages = PageWriter(connection, isDurable: true, memory: 1 << 16)
    let table = try #require(try pages.table("t", ["k", "i"], indexes: ["ti"]))
    pages.begin([table])
    try table.append([.integer(1), .integer(5), .integer(2), .text("x")])
    try pages.commit(2)
    #expect(try !pages.buildIndex(0, of: table))
    pages.end()
    try connection.execute("REINDEX ti")
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test func `keys that are there twice, or do not ascend, are refused`() throws {
    let pages = PageWriter(connection, isDurable: true, memory: 1 << 16)
    let table = try #require(try pages.table("t", ["k", "i"], indexes: []))
    pages.begin([table])
    try table.append(rows(1...3))
    for key: Int64 in [3, 2, -1] {
      let error = #expect(throws: SQLiteError.self) { try table.append(rows(key...key)) }
      #expect(error?.result == .corrupt)
    }
    let error = #expect(throws: SQLiteError.self) { try table.append([.text("x"), .null]) }
    #expect(error?.result == .mismatch)
  }

  @Test func `so many entries that runs of them are merged in rounds are in their order`() throws {
    try connection.execute("CREATE INDEX ti ON t (i DESC)")
    // The least memory holds 4,096 entries: 18 runs, of which four are merged at once.
    let pages = PageWriter(connection, isDurable: true, memory: 1)
    let table = try #require(try pages.table("t", ["k", "i"], indexes: ["ti"]))
    pages.begin([table])
    try table.append((1...70_000).flatMap { [.integer($0), .integer($0 * 7_919 % 70_001)] })
    try pages.commit(2)
    #expect(try pages.buildIndex(0, of: table))
    try pages.commit(3)
    pages.end()
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    // 7,919 and 70,001 are prime to each other: every number up to 70,000 is there once.
    #expect(
      try connection.value(
        "SELECT count(*) || ' ' || sum(i) FROM t INDEXED BY ti WHERE i BETWEEN 1 AND 70000"
      ) == .text("70000 2450035000")
    )
  }

  @Test(arguments: [
    ("a INTEGER PRIMARY KEY, ZDISTRICT VARCHAR", "", true),
    ("a INTEGER PRIMARY KEY, ZAUTOINCREMENTED INTEGER", "", true),
    ("a INTEGER, b INTEGER, PRIMARY KEY (a, b)", "", true),
    ("a INTEGER PRIMARY KEY AUTOINCREMENT", "", false),
    ("a INTEGER PRIMARY KEY", "STRICT", false),
    ("a INTEGER PRIMARY KEY, b VARCHAR", "WITHOUT ROWID", false),
    ("a INTEGER PRIMARY KEY, b INTEGER NOT NULL", "", false),
    ("a INTEGER PRIMARY KEY, b INTEGER DEFAULT 5", "", false),
    ("a INTEGER PRIMARY KEY, b VARCHAR UNIQUE", "", false),
    ("a INTEGER PRIMARY KEY, b AS (a + 1)", "", false),
    ("a INTEGER, b INTEGER, UNIQUE (a, b, a)", "", false),
  ])
  func `tables of which pages would not hold all are left to SQLite`(
    columns: String,
    kind: String,
    isWritten: Bool
  ) throws {
    try connection.execute("CREATE TABLE x (\(columns)) \(kind)")
    let pages = PageWriter(connection, isDurable: true, memory: 1)
    #expect((try pages.table("x", ["a"], indexes: []) != nil) == isWritten)
  }

  private func copied(_ name: String) throws -> String {
    let path = directory.path("\(name).sqlite")
    try DatabaseFiles.copy(directory.path("main.sqlite"), to: path)
    return path
  }
}
