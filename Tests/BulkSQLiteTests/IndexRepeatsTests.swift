import BulkSQLite
import BulkTestSupport
import Testing

@Suite("Entries of an index that repeat others")
struct IndexRepeatsTests {
  private let directory: TemporaryDirectory
  private let connection: Connection

  init() throws {
    directory = try TemporaryDirectory()
    connection = try Connection(path: directory.path("t.sqlite"), access: .readWrite)
    try connection.execute("PRAGMA page_size = 512")
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, a, b TEXT)")
    try connection.execute("CREATE INDEX i ON t (a, b)")
  }

  private func repeats(limit: Int = 1_000) throws -> [Int64]? {
    try IndexRepeats.rows(in: "i", columns: 2, connection, limit: limit) { false }
  }

  private func insert(_ rows: String) throws {
    try connection.execute("INSERT INTO t (k, a, b) VALUES \(rows)")
  }

  @Test func `all but the first of equal entries are found, in the order of the index`() throws {
    try insert("(1, 'y', 'q'), (2, 'x', 'q'), (3, 'y', 'q'), (4, 'x', 'r')")
    try insert("(5, 'x', 'q'), (6, 'x', 'q')")
    #expect(try repeats() == [5, 6, 3])
  }

  @Test func `entries with NULL repeat nothing, and kinds of values differ`() throws {
    try insert("(1, NULL, 'q'), (2, NULL, 'q'), (3, 'q', NULL), (4, 'q', NULL), (5, 1, 'q')")
    try insert("(6, '1', 'q'), (7, x'31', 'q'), (8, 300, 'q'), (9, 300, 'q')")
    try insert("(10, 0, 'q'), (11, 0, 'q')")
    #expect(try repeats() == [11, 9])
  }

  @Test func `entries on all levels of a tree are read`() throws {
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO t SELECT i, i % 19990, 'some text' FROM n
      """
    )
    // 1 comes of 1 and 19,991, and so on to 10.
    #expect(try repeats() == Array(19_991...20_000))
    #expect(try repeats(limit: 10)?.count == 10)
    #expect(try repeats(limit: 9) == nil)
  }

  @Test(arguments: ["(1, 1.5, 'q')", "(1, 'x', printf('%.*c', 600, 'x'))"])
  func `real numbers and long values are left to SQLite`(row: String) throws {
    try insert(row)
    #expect(try repeats() == nil)
  }

  @Test func `an index that is not there is left to SQLite`() throws {
    try connection.execute("DROP INDEX i")
    #expect(try repeats() == nil)
  }

  @Test func `a tree that leads back to itself is left to SQLite`() throws {
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO t SELECT i, i, 'some text' FROM n
      """
    )
    let page = try StoreFile(directory.path("t.sqlite")).root(of: "i")
    var bytes = try Files.read(directory.path("t.sqlite"))
    let start = (page - 1) * 512
    // The last child of the root is the root.
    bytes.replaceSubrange(start + 8..<start + 12, with: [0, 0, 0, UInt8(page)])
    try Files.write(bytes, to: directory.path("t.sqlite"))
    #expect(try repeats() == nil)
  }
}
