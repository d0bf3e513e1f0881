import BulkTestSupport
import Testing

struct RecordComparisonTests {
  private let directory = TemporaryDirectory()
  private let one: Connection
  private let other: Connection

  private static let rows = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    INSERT INTO t SELECT 3 * i, 'text ' || i, iif(i % 100, NULL, zeroblob(5000)) FROM n
    """

  init() throws {
    one = try Self.make(directory.path("one.sqlite"))
    other = try Self.make(directory.path("other.sqlite"))
    // Other pages, the same rows.
    try other.execute("CREATE TABLE u AS SELECT zeroblob(9000)")
  }

  private static func make(_ path: String, pageSize: Int = 512) throws -> Connection {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA page_size = \(pageSize)")
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, a TEXT, b BLOB)")
    try connection.execute(rows)
    return connection
  }

  private func comparison(comparesKeys: Bool = true) throws -> RecordComparison {
    try #require(try RecordComparison("T", one, other, comparesKeys: comparesKeys))
  }

  private func stop(from key: Int64 = .min) throws -> (rows: Int64, stop: RecordComparison.Stop) {
    let records = try comparison()
    #expect(records.begin(at: key))
    return records.pass(atMost: 10_000)
  }

  @Test func `equal rows are passed over, as many as asked for`() throws {
    let records = try comparison()
    #expect(records.begin(at: .min))
    #expect(records.pass(atMost: 1_500) == (1_500, .limit))
    #expect(records.pass(atMost: 1_500) == (500, .end))
  }

  @Test(arguments: [
    ("UPDATE t SET a = 'text 7x' WHERE k = 21", 6, 21),
    ("UPDATE t SET b = 1 WHERE k = 21", 6, 21),
    ("DELETE FROM t WHERE k = 21", 6, 21),
    ("INSERT INTO t VALUES (20, NULL, NULL)", 6, 20),
    ("UPDATE t SET b = CAST(zeroblob(4999) || x'01' AS BLOB) WHERE k = 300", 99, 300),
    ("DELETE FROM t WHERE k > 5997", 1_999, 6_000),
    ("INSERT INTO t VALUES (9000, NULL, NULL)", 2_000, 9_000),
  ])
  func `the first difference is told by its key`(sql: String, rows: Int64, key: Int64) throws {
    try other.execute(sql)
    #expect(try stop() == (rows, .difference(key: key)))
    #expect(try stop(from: key + 1).stop == .end)
  }

  @Test func `rows with other keys are the same where keys do not count`() throws {
    try other.execute("UPDATE t SET k = k + 10000")
    let records = try comparison(comparesKeys: false)
    #expect(records.begin(at: .min))
    #expect(records.pass(atMost: 10_000) == (2_000, .end))
  }

  @Test func `a page that cannot be read ends the comparison behind the last equal row`() throws {
    let page = try other.value(
      "SELECT pageno FROM dbstat WHERE name = 't' AND pagetype = 'leaf' ORDER BY pageno DESC LIMIT 1"
    )
    guard case .integer(let number) = page else { return }
    var bytes = try Files.read(directory.path("other.sqlite"))
    bytes[(Int(number) - 1) * 512] = 99
    try Files.write(bytes, to: directory.path("other.sqlite"))
    let (rows, stop) = try stop()
    #expect(rows > 1_900 && rows < 2_000)
    #expect(stop == .unreadable(after: 3 * rows))
  }

  @Test func `files with pages of another size are not compared`() throws {
    let third = try Self.make(directory.path("third.sqlite"), pageSize: 1024)
    #expect(try RecordComparison("t", one, third, comparesKeys: true) == nil)
    #expect(try RecordComparison("v", one, other, comparesKeys: true) == nil)
  }
}
