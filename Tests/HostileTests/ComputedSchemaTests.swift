import BulkTestSupport
import Testing

/// What a source's schema would compute is computed only if the plan says so, and in a time and a memory
/// that are linear in the rows.
@Suite("Schemas that compute something", .tags(.promise28))
struct ComputedSchemaTests {
  private let store: SmallStore

  init() throws { store = try SmallStore() }

  /// Makes an object with a harmless part, which becomes another one without being computed.
  private func make(_ sql: String, replacing harmless: String, by text: String) throws {
    try store.change(
      sql,
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_schema SET sql = replace(sql, \(SQLText.quoted(literal: harmless)), "
        + "\(SQLText.quoted(literal: text)))"
    )
  }

  @Test(
    arguments: [
      ("zeroblob(900000000)", "zeroblob"),
      ("printf('%*c', 900000000, 'x')", "printf"),
      ("hex(ZBODY)", "hex"),
      ("ZBODY LIKE '%a%a%a%a%a%a%a%a%a%b'", "like"),
      ("ZBODY GLOB '*a*a*a*a*a*a*a*a*a*b'", "glob"),
      ("replace(ZBODY, 'a', ZBODY)", "replace"),
    ]
  )
  func `an index by such a function is left behind, and the plan says so`(
    expression: String,
    function: String
  ) throws {
    try make(
      "CREATE INDEX hostile ON ZNOTE (lower(ZBODY))",
      replacing: "lower(ZBODY)",
      by: expression
    )
    let plan = try store.plan()
    #expect(plan.carried.leftBehind == ["index hostile"])
    #expect(plan.carried.objects == [])
    #expect(
      plan.warnings == [
        "index hostile, which no model explains, is left behind: it is computed by \(function)(), "
          + "which may take any time and memory"
      ]
    )
    _ = try Migration(inTestProcess: plan).run()
    #expect(try store.count("sqlite_schema WHERE name = 'hostile'") == 0)
  }

  @Test func `a condition of an index counts as well`() throws {
    try make(
      "CREATE INDEX hostile ON ZNOTE (ZBODY) WHERE ZBODY > 'x'",
      replacing: "ZBODY > 'x'",
      by: "ZBODY > hex(zeroblob(900000000))"
    )
    #expect(try store.plan().carried.leftBehind == ["index hostile"])
  }

  @Test func `an index by other functions is made, and the plan shows its statement`() throws {
    try store.change("CREATE INDEX mild ON ZNOTE (lower(ZBODY))")
    let plan = try store.plan()
    #expect(plan.carried.objects == ["index mild"])
    #expect(plan.carried.computed == ["index mild: CREATE INDEX mild ON ZNOTE (lower(ZBODY))"])
    _ = try Migration(inTestProcess: plan).run()
    #expect(try store.count("sqlite_schema WHERE name = 'mild'") == 1)
  }

  @Test func `a constraint of a table that is taken over is not asked`() throws {
    try make(
      "CREATE TABLE guarded (a CHECK (a <> 'other'))",
      replacing: "a <> 'other'",
      by: "hex(zeroblob(400000000)) = a"
    )
    try store.change("PRAGMA ignore_check_constraints = ON", "INSERT INTO guarded VALUES ('value')")
    try store.migrate()
    #expect(try store.count("guarded WHERE a = 'value'") == 1)
  }

  @Test func `a table that computes a column by such a function is refused`() throws {
    try make(
      "CREATE TABLE made (a, b AS (lower(a)) STORED)",
      replacing: "lower(a)",
      by: "zeroblob(900000000)"
    )
    let text = failure { try store.plan() }
    #expect(
      text.contains(
        "table made, which no model explains, computes a column by zeroblob(), which may take any "
          + "time and memory; drop the table or the column"
      )
    )
  }

  @Test func `a column that an entity's table computes is not read`() throws {
    try make(
      "ALTER TABLE ZNOTE ADD COLUMN computed AS (lower(ZBODY))",
      replacing: "lower(ZBODY)",
      by: "hex(zeroblob(900000000))"
    )
    let rows = try store.plan().rows
    #expect(rows == 221)
  }

  /// Each view reads the one before it twice: to compile the last one with all others means to compile the first one as
  /// often as 2^40 times.
  @Test func `views upon views are compiled one by one`() throws {
    try store.change("CREATE VIEW v0 AS SELECT Z_PK AS a FROM ZNOTE")
    for number in 1...40 {
      try store.change(
        "CREATE VIEW v\(number) AS SELECT x.a FROM v\(number - 1) AS x, v\(number - 1) AS y"
      )
    }
    try store.migrate()
    #expect(try store.count("sqlite_schema WHERE type = 'view'") == 41)
  }

  /// The same with queries that have names, and with columns that compute with one another.
  @Test func `queries upon queries and columns upon columns are not compiled`() throws {
    let queries = (1...40).map { "q\($0) AS (SELECT x.a FROM q\($0 - 1) AS x, q\($0 - 1) AS y)" }
    let columns = (1...40).map { "c\($0) AS (c\($0 - 1) + c\($0 - 1))" }
    try store.change(
      "CREATE VIEW many AS WITH q0 AS (SELECT Z_PK AS a FROM ZNOTE), "
        + "\(queries.joined(separator: ", ")) SELECT a FROM q40",
      "CREATE TABLE sums (c0, \(columns.joined(separator: ", ")))",
      "CREATE TRIGGER summed AFTER UPDATE ON sums BEGIN SELECT old.c40, new.c40; END"
    )
    try store.migrate()
    #expect(try store.count("sqlite_schema WHERE name = 'many'") == 1)
    #expect(try store.count("sqlite_schema WHERE name = 'summed'") == 1)
    // Nothing that looks at the store afterwards may compile it either.
    try Connection(path: store.destination, access: .readWrite).execute("DROP TRIGGER summed")
  }
}
