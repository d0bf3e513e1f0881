import BulkTestSupport
import Testing

@Suite("A source is left as it is", .tags(.promise28))
struct UntouchedSourceTests {
  private let directory = TemporaryDirectory()
  private let folder: String
  private let path: String

  init() throws {
    folder = try directory.folder("source")
    path = folder + "/store.sqlite"
  }

  /// Files of a database with an open transaction, copied to the folder.
  private func makeSource(mode: String) throws {
    let live = directory.path("live.sqlite")
    let writer = try Connection(path: live, access: .readWrite)
    try writer.execute("PRAGMA journal_mode = \(mode)")
    try writer.execute("PRAGMA cache_size = 1")
    try writer.fill(1...500)
    try writer.execute("BEGIN")
    try writer.fill(1...900, with: "b")
    try DatabaseFiles.copy(live, to: path)
  }

  /// Also in a folder that nobody may write to, and where it is attached.
  @Test(arguments: ["WAL", "DELETE"], [false, true])
  func `reading changes no file and makes none`(mode: String, isReadOnly: Bool) throws {
    try makeSource(mode: mode)
    let manager = FileManager.default
    if isReadOnly { try manager.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder) }
    defer { try? manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
    let before = try Files.contents(of: folder)
    try #require(before.count == 2)
    let connection = try Connection(path: path, access: .source)
    #expect(try connection.value("SELECT count(*) FROM t") == .integer(500))
    #expect(try Files.contents(of: folder) == before)
    #expect(try DatabaseFile(SourceFile(path: path)).effectiveSize > 0)
    #expect(try Files.contents(of: folder) == before)
    let own = try Connection(path: directory.path("own.sqlite"), access: .readWrite)
    try own.attachSource(SourceFile(path: path), as: "source")
    try own.execute("CREATE TABLE main.t AS SELECT * FROM source.t")
    #expect(try own.value("SELECT count(*) FROM main.t") == .integer(500))
    #expect(try Files.contents(of: folder) == before)
  }

  @Test(
    arguments: [
      "INSERT INTO t VALUES (1000, 'x')", "UPDATE t SET v = 'x'", "DELETE FROM t", "DROP TABLE t",
      "CREATE TABLE u (a)", "VACUUM", "PRAGMA user_version = 7",
    ]
  )
  func `a statement that would write is refused`(sql: String) throws {
    try makeSource(mode: "WAL")
    let before = try Files.contents(of: folder)
    let connection = try Connection(path: path, access: .source)
    #expect(throws: SQLiteError.self) { try connection.execute(sql) }
    #expect(try Files.contents(of: folder) == before)
  }

  @Test(arguments: ["PRAGMA journal_mode = WAL", "PRAGMA journal_mode = DELETE", "PRAGMA optimize"])
  func `a pragma that would write does nothing`(sql: String) throws {
    try makeSource(mode: "WAL")
    let before = try Files.contents(of: folder)
    let connection = try Connection(path: path, access: .source)
    _ = try? connection.execute(sql)
    #expect(try connection.value("SELECT count(*) FROM t") == .integer(500))
    #expect(try Files.contents(of: folder) == before)
  }

  @Test(
    arguments: [
      "SELECT count(*) FROM (SELECT v FROM t ORDER BY v || id)",
      "SELECT count(*) FROM (SELECT v || id, count(*) FROM t GROUP BY v || id)",
      "SELECT count(DISTINCT v || id) FROM t",
      "SELECT count(*) FROM (SELECT id || v FROM t UNION SELECT v || id FROM t)",
    ]
  )
  func `a question that needs more space than the cache is answered`(sql: String) throws {
    let writer = try Connection(path: path, access: .readWrite)
    try writer.fill(1...20_000)
    let connection = try Connection(path: path, access: .source)
    try connection.execute("PRAGMA cache_size = 10")
    try connection.execute("PRAGMA temp.cache_size = 10")
    let expected: Int64 = sql.contains("UNION") ? 40_000 : 20_000
    #expect(try connection.value(sql) == .integer(expected))
  }

  @Test func `a link is followed to the store and to what lies beside it`() throws {
    try makeSource(mode: "WAL")
    let link = directory.path("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let connection = try Connection(path: link, access: .source)
    #expect(try connection.value("SELECT count(*) FROM t") == .integer(500))
    let direct = try DatabaseFile(SourceFile(path: path))
    let linked = try DatabaseFile(SourceFile(path: link))
    #expect(linked.path == link)
    #expect(linked.effectiveSize == direct.effectiveSize)
    #expect(linked.logChecksum == direct.logChecksum)
  }
}
