import BulkTestSupport
import Testing

struct FileSchemaTests {
  private let directory = TemporaryDirectory()
  private let connection: Connection

  init() throws {
    connection = try Connection(path: directory.path("own.sqlite"), access: .readWrite)
    try connection.execute("CREATE TABLE t (a, b COLLATE NOCASE, \"c d\" TEXT)")
  }

  private func signature(_ sql: String) throws -> IndexSignature {
    try connection.execute(sql)
    let index = try #require(try FileSchema(connection).objects.first { $0.kind == .index })
    return try #require(index.signature)
  }

  @Test func `an index is known by its columns, directions and collations`() throws {
    let signature = try signature("CREATE UNIQUE INDEX i ON t (a DESC, b, \"c d\" COLLATE RTRIM)")
    #expect(signature.table == "T")
    #expect(signature.isUnique)
    #expect(signature.condition == nil)
    #expect(signature.terms.map(\.column) == ["A", "B", "C D"])
    #expect(signature.terms.map(\.isAscending) == [false, true, true])
    #expect(signature.terms.map(\.collation) == ["BINARY", "NOCASE", "RTRIM"])
  }

  @Test(
    arguments: [
      ("CREATE INDEX i ON t (a) WHERE b = 1", "B = 1"),
      ("CREATE INDEX i ON t (a)\nWHERE\n b  = 1", "B = 1"),
      ("CREATE INDEX i ON t (a)where(b = 1)", "(B = 1)"),
      ("CREATE INDEX i ON t (a) WHERE \"b\" IS NOT NULL", "B IS NOT NULL"),
      ("CREATE INDEX \"ŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉ\" ON t (a) WHERE b = 1", "B = 1"),
      ("CREATE INDEX \"straße ß ß ß ﬁﬁﬁ\" ON t (a) WHERE b = 1", "B = 1"),
      ("CREATE INDEX i ON t (a)", nil),
      ("CREATE INDEX \"x WHERE y\" ON t (a)", nil),
    ]
  )
  func `the condition of an index is found`(sql: String, condition: String?) throws {
    #expect(try signature(sql).condition == condition)
  }

  @Test func `an index over an expression has a term without a column`() throws {
    let signature = try signature("CREATE INDEX i ON t (a + 1, b)")
    #expect(signature.terms.map(\.column) == [nil, "B"])
    #expect(signature.sql(named: "i") == nil)
  }

  @Test func `tables and objects come in the order in which they were made, SQLite's own left out`()
    throws
  {
    try connection.execute("CREATE TABLE u (k INTEGER PRIMARY KEY AUTOINCREMENT, v UNIQUE)")
    try connection.execute("CREATE VIEW w AS SELECT 1")
    try connection.execute("CREATE VIRTUAL TABLE r USING rtree (id, x0, x1)")
    try connection.execute("CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END")
    try connection.execute("ANALYZE")
    let schema = try FileSchema(connection)
    #expect(schema.tables.map(\.name) == ["t", "u", "r_rowid", "r_node", "r_parent"])
    #expect(schema.objects.map(\.name) == ["w", "r", "g"])
    #expect(schema.objects.map(\.kind) == [.view, .virtualTable, .trigger])
    #expect(schema.table(named: "U")?.uniqueConstraints == [["v"]])
    #expect(schema.table(named: "T")?.column(named: "C D")?.declaredType == "TEXT")
  }

  @Test func `a table of a module that SQLite does not have is only listed`() throws {
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute(
      "INSERT INTO sqlite_schema VALUES ('table', 'q', 'q', 0, "
        + "'CREATE VIRTUAL TABLE q USING nobodys_module (a)')"
    )
    try connection.execute("PRAGMA writable_schema = RESET")
    let reader = try Connection(path: directory.path("own.sqlite"), access: .source)
    let schema = try FileSchema(reader)
    #expect(schema.tables.map(\.name) == ["t"])
    #expect(schema.objects.map(\.kind) == [.virtualTable])
  }
}
