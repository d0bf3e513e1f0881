import BulkSQLite
import BulkTestSupport
import Testing

/// A commit of pages that is cut off is rolled back by SQLite itself.
@Suite("Commits of pages")
struct PageCommitTests {
  private let directory: TemporaryDirectory
  private let connection: Connection

  init() throws {
    directory = try TemporaryDirectory()
    connection = try Connection(path: directory.path("main.sqlite"), access: .recorded)
    try connection.execute("PRAGMA page_size = 512")
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    try connection.execute("PRAGMA journal_mode = TRUNCATE")
    try connection.execute("PRAGMA synchronous = FULL")
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, i INTEGER)")
    try connection.execute("PRAGMA user_version = 1")
  }

  /// Rows whose keys are in a range.
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

  @Test func `one that is cut off at any step is as if it had not begun`() throws {
    let pages = PageWriter(connection, isDurable: true, memory: 1 << 16)
    let table = try #require(try pages.table("t", ["k", "i"], indexes: []))
    pages.begin(table)
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
    pages.begin(table)
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
    pages.begin(table)
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
    pages.begin(table)
    try table.append(rows(1...3))
    for key: Int64 in [3, 2, -1] {
      let error = #expect(throws: SQLiteError.self) { try table.append(rows(key...key)) }
      #expect(error?.result == .constraint)
    }
    let error = #expect(throws: SQLiteError.self) { try table.append([.text("x"), .null]) }
    #expect(error?.result == .mismatch)
  }

  private func copied(_ name: String) throws -> String {
    let path = directory.path("\(name).sqlite")
    try DatabaseFiles.copy(directory.path("main.sqlite"), to: path)
    return path
  }
}
