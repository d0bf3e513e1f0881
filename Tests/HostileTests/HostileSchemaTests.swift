import BulkTestSupport
import Testing

/// A source's schema is somebody else's text: it is made again, but it does nothing.
@Suite("Hostile schemas", .tags(.promise28)) struct HostileSchemaTests {
  private let store: SmallStore

  init() throws { store = try SmallStore() }

  @Test(arguments: ["ZNOTE", "ZTAG", "Z_3TAGS", "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
  func `a trigger of the source does not fire in the run that takes it over`(table: String) throws {
    try store.change(
      "CREATE TABLE fired (what TEXT)",
      "CREATE TRIGGER hostile AFTER INSERT ON \(table) BEGIN "
        + "INSERT INTO fired VALUES ('\(table)'); DELETE FROM ZFOLDER; END"
    )
    try store.migrate()
    #expect(try store.count("fired") == 0)
    #expect(try store.count("ZFOLDER") == 17)
    #expect(try store.count("sqlite_schema WHERE name = 'hostile'") == 1)
  }

  /// SQLite reads only the first statement of such a text, and so would never notice the second.
  @Test(arguments: [
    "CREATE VIEW hostile AS SELECT 1", "CREATE TABLE hostile (a)",
    "CREATE TRIGGER hostile AFTER INSERT ON ZNOTE BEGIN SELECT 1; END",
  ])
  func `a second statement behind one of the schema is refused`(sql: String) throws {
    let evil = store.folder.path("evil")
    try store.change(
      sql,
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_schema SET sql = sql || '; ATTACH ''\(evil)'' AS e; CREATE TABLE e.x (y)' "
        + "WHERE name = 'hostile'"
    )
    #expect(throws: MigrationError.self) { try store.migrate() }
    #expect(!FileManager.default.fileExists(atPath: evil))
    #expect(!FileManager.default.fileExists(atPath: store.destination))
  }

  @Test func `a trigger for the connection alone is refused`() throws {
    try store.change(
      "CREATE TABLE fired (what TEXT)",
      "CREATE TRIGGER hostile AFTER INSERT ON fired BEGIN SELECT 1; END",
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_schema SET sql = replace(sql, 'CREATE TRIGGER', 'CREATE TEMP TRIGGER') "
        + "WHERE name = 'hostile'"
    )
    #expect(throws: (any Error).self) { try store.migrate() }
    #expect(!FileManager.default.fileExists(atPath: store.destination))
  }

  @Test(arguments: [
    "INTEGER, evil TEXT); CREATE TABLE evil (a); --", "PRIMARY KEY", "AS (random())", "x y", "'",
    "INTEGER UNIQUE",
  ])
  func `the type of a foreign column stays a type`(type: String) throws {
    let quoted = "\"" + type + "\""
    try store.change(
      "ALTER TABLE ZNOTE ADD COLUMN extra \(quoted)",
      "UPDATE ZNOTE SET extra = 'value'"
    )
    try store.migrate()
    #expect(try store.count("ZNOTE WHERE extra = 'value'") == 60)
    #expect(
      try store.value("SELECT type FROM pragma_table_xinfo('ZNOTE') WHERE name = 'extra'")
        == .text(type)
    )
    #expect(try store.count("sqlite_schema WHERE name = 'evil'") == 0)
  }

  @Test(arguments: [
    "o'clock", #"double "quotes""#, "[brackets] `ticks`", "two  blanks ", "🗒 note",
    "x; DROP TABLE ZNOTE; --", "select", "ŉŉŉŉ where", "per%cent?1=:a@b$c",
  ])
  func `foreign tables, columns, indexes, views and triggers may have any name`(name: String) throws
  {
    let quoted = SQLText.quoted(name)
    let (index, view, trigger) = (
      SQLText.quoted(name + "i"), SQLText.quoted(name + "v"), SQLText.quoted(name + "t")
    )
    try store.change(
      "CREATE TABLE \(quoted) (\(quoted) TEXT, b)",
      "INSERT INTO \(quoted) VALUES ('value', 1)",
      "ALTER TABLE ZNOTE ADD COLUMN \(quoted) TEXT",
      "UPDATE ZNOTE SET \(quoted) = 'value'",
      "CREATE INDEX \(index) ON \(quoted) (\(quoted)) WHERE \(quoted) IS NOT NULL",
      "CREATE VIEW \(view) AS SELECT \(quoted) FROM \(quoted)",
      "CREATE TRIGGER \(trigger) AFTER INSERT ON \(quoted) BEGIN SELECT 1; END"
    )
    try store.migrate()
    #expect(try store.value("SELECT \(quoted) FROM \(view)") == .text("value"))
    #expect(
      try store.count("ZNOTE WHERE \(quoted) = 'value'") == 60
    )
    #expect(try store.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test func `a virtual table is told by its meaning, not by its first words`() throws {
    try store.change("CREATE/* */VIRTUAL  TABLE search USING fts5(body)")
    try store.migrate()
    #expect(try store.value("SELECT type FROM pragma_table_list('search')") == .text("virtual"))
  }

  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `a store with texts in another encoding keeps it`(encoding: String) throws {
    let other = store.folder.path("other.sqlite")
    try Reencoding.write(store.source, to: other, as: encoding)
    try store.migrate(other)
    #expect(try store.value("PRAGMA encoding") == .text(encoding))
    #expect(try store.outcome(of: other) == .right)
  }

  @Test(arguments: [
    ("ZNOTE", "Z_ENT = 'text'"), ("ZNOTE", "Z_ENT = NULL"), ("ZNOTE", "Z_ENT = 99"),
    ("ZNOTE", "Z_ENT = -9223372036854775808"), ("ZNOTE", "Z_ENT = x'00'"), ("ZTAG", "Z_ENT = 1.5"),
  ])
  func `rows that are of no entity are lost objects`(table: String, change sql: String) throws {
    try store.change("UPDATE \(table) SET \(sql) WHERE Z_PK = 7")
    let plan = try store.plan()
    let losses = plan.losses.filter { $0.cause == .stray }
    #expect(losses.map(\.owner) == [table])
    #expect(losses.map(\.count) == [1])
    _ = try Migration(inTestProcess: plan).run()
    #expect(try store.count("\(table) WHERE Z_PK = 7") == 0)
  }

  @Test(arguments: [
    "UPDATE ZNOTE SET ZFOLDER = x'0102'", "UPDATE ZNOTE SET ZFOLDER = 'text'",
    "UPDATE ZNOTE SET ZFOLDER = 999999", "UPDATE ZNOTE SET ZFOLDER = -1.5",
    "UPDATE ZNOTE SET ZBODY = CAST(x'fffe80' AS TEXT)", "UPDATE ZNOTE SET ZCREATED = 9e999",
    "UPDATE ZNOTE SET Z_PK = -9223372036854775808 WHERE Z_PK = 1",
    "UPDATE ZNOTE SET Z_PK = 9223372036854775807 WHERE Z_PK = 60",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = -9223372036854775808",
    "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT",
    "UPDATE Z_PRIMARYKEY SET Z_MAX = 'text'",
    "UPDATE ZNOTE SET Z_FOK_FOLDER = 9223372036854775807", "UPDATE ZNOTE SET Z_OPT = x'00'",
  ])
  func `odd values are taken over as they are`(sql: String) throws {
    try store.change(sql)
    try store.migrate()
    #expect(try store.outcome() == .right)
  }

  @Test(arguments: ["INTEGER", "REAL PRIMARY KEY", "INTEGER PRIMARY KEY DESC", "INT PRIMARY KEY"])
  func `a table whose Z_PK is not its key is refused`(declaration: String) throws {
    try store.change(
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_schema SET sql = "
        + "replace(sql, 'Z_PK INTEGER PRIMARY KEY', 'Z_PK \(declaration)') WHERE name = 'ZTAG'"
    )
    #expect(throws: PlanError.self) { try store.migrate() }
  }

  @Test(arguments: [
    "DELETE FROM Z_METADATA", "INSERT INTO Z_METADATA VALUES (2, 'x', x'00')",
    "UPDATE Z_METADATA SET Z_PLIST = NULL", "UPDATE Z_METADATA SET Z_PLIST = zeroblob(17000000)",
    "UPDATE Z_METADATA SET Z_PLIST = 'text'", "UPDATE Z_METADATA SET Z_PLIST = x'00'",
    "DELETE FROM Z_PRIMARYKEY", "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 1000",
    "DROP TABLE Z_METADATA", "DROP TABLE Z_PRIMARYKEY", "UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'",
    "WITH RECURSIVE c (x) AS (SELECT 20000 UNION ALL SELECT x + 1 FROM c WHERE x < 90000) "
      + "INSERT INTO Z_PRIMARYKEY SELECT x, 'n', 0, 0 FROM c",
  ])
  func `a store that contradicts itself is refused by name`(sql: String) throws {
    try store.change(sql)
    #expect(failure { try store.migrate() }.contains(store.source))
  }
}
