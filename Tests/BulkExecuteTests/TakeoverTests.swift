import BulkTestSupport
import Testing

struct TakeoverTests {
  private static let source = EntityDescription("Note", [.optional("title")])
  private static let destination = EntityDescription(
    "Note",
    [.optional("title"), .optional("subtitle")]
  )

  /// A store of three notes with what an application added to it by statements of its own.
  private static func store(_ sql: String...) throws -> TestStore {
    var store = TestStore(
      try .of(source),
      TestObject("Note", 1, ["title": "a"], version: 3),
      TestObject("Note", 5, ["title": "b"]),
      TestObject("Note", 9, ["title": "c"])
    )
    store.sql = sql
    return store
  }

  /// The store may say less than its rows have.
  // formats/migration.md 3.7
  @Test(arguments: [(40, 40), (4, 9)] as [(Int64, StoredValue)])
  func `keys, versions and the highest key ever given out are kept`(
    highest: Int64,
    kept: StoredValue
  ) throws {
    var store = try Self.store()
    store.highestKeys = ["Note": highest]
    let made = try migrate(store, to: .of(Self.destination)).destination
    #expect(
      try made.rows(of: "ZNOTE", "Z_PK", "Z_ENT", "Z_OPT") == [[1, 1, 3], [5, 1, 1], [9, 1, 1]]
    )
    #expect(try made.rows(of: "Z_PRIMARYKEY") == [[1, "Note", 0, kept]])
  }

  // formats/migration.md 3.6
  @Test(arguments: [866, 977, 1251, 1522] as [Int64])
  func `the identifier, the framework's version and the application's metadata are kept`(
    framework: Int64
  ) throws {
    var store = try Self.store()
    store.frameworkVersion = framework
    store.applicationMetadata = [
      "com.example.key": .string("value"),
      "list": .array([.integer(1), .boolean(true), .data([1, 2])]),
    ]
    let made = try migrate(store, to: .of(Self.destination)).destination.metadata()
    #expect(made.uuid == "0B61C1D5-4D0C-4C9E-9E57-3D8E5B7E9A10")
    #expect(made.frameworkVersion == framework)
    #expect(made.applicationEntries.keys.sorted() == ["com.example.key", "list"])
    #expect(made.entries["list"] == .array([.integer(1), .boolean(true), .data([1, 2])]))
    // By the rules of formats/version-hashes.md 1 with Python's hashlib.
    #expect(
      made.versionHashes.mapValues(\.description) == [
        "Note": "8e6a9b29d97d3957f045e066d03a0adb02cb696b9cbac848af43ab8e034c4fc4"
      ]
    )
    #expect(made.entries["NSStoreType"] == .string("SQLite"))
    #expect(made.entries["_NSAutoVacuumLevel"] == .string("2"))
    // From version 1321 on stores have the checksum too (formats/store.md 8.8).
    #expect((made.entries["NSStoreModelVersionChecksumKey"] != nil) == (framework >= 1321))
  }

  @Test(arguments: [false, true])
  func `the journal mode is kept, and no log is left beside the store`(
    isInWriteAheadMode: Bool
  ) throws {
    var store = try Self.store()
    store.isInWriteAheadMode = isInWriteAheadMode
    let migrated = try migrate(store, to: .of(Self.destination))
    // Bytes 18 and 19 of the header: 2 is WAL, 1 a rollback journal.
    let header = try #require(try migrated.directory.bytes()["destination.sqlite"])
    #expect(Array(header[18..<20]) == (isInWriteAheadMode ? [2, 2] : [1, 1]))
    #expect(try migrated.destination.rows("PRAGMA auto_vacuum") == [[2]])
    #expect(try migrated.destination.rows("PRAGMA page_size") == [[4096]])
  }

  @Test func `a foreign table keeps its rows, row ids and statement`() throws {
    let store = try Self.store(
      "CREATE TABLE app_settings (name TEXT COLLATE NOCASE, value)",
      "INSERT INTO app_settings (rowid, name, value) VALUES (3, 'a', 1), (7, 'b', x'ff')"
    )
    let migrated = try migrate(store, to: .of(Self.destination))
    #expect(
      try migrated.destination.rows("SELECT rowid, * FROM app_settings")
        == [[3, "a", 1], [7, "b", [255]]]
    )
    #expect(
      try migrated.destination.rows("SELECT sql FROM sqlite_schema WHERE name = 'app_settings'")
        == [["CREATE TABLE app_settings (name TEXT COLLATE NOCASE, value)"]]
    )
    #expect(migrated.plan.carried.tables.map(\.name) == ["app_settings"])
    #expect(migrated.plan.carried.tables.map(\.rows) == [2])
  }

  @Test(
    arguments: [
      (
        "CREATE TABLE app (w INTEGER, area INTEGER GENERATED ALWAYS AS (w * w) STORED, "
          + "half AS (w / 2), h INTEGER); INSERT INTO app (w, h) VALUES (4, 9)",
        "w, area, half, h", [[4, 16, 2, 9]]
      ),
      (
        "CREATE TABLE app (word TEXT PRIMARY KEY, n) WITHOUT ROWID; "
          + "INSERT INTO app VALUES ('b', 2), ('a', 1)",
        "*", [["a", 1], ["b", 2]]
      ),
      (
        "CREATE TABLE app (rowid TEXT, oid TEXT); "
          + "INSERT INTO app (_rowid_, rowid, oid) VALUES (12, 'r', 'o')",
        "_rowid_, rowid, oid", [[12, "r", "o"]]
      ),
    ] as [(String, String, [[StoredValue]])]
  )
  func `a foreign table of any form is taken over`(
    sql: String,
    columns: String,
    rows: [[StoredValue]]
  ) throws {
    let made = try migrate(Self.store(sql), to: .of(Self.destination)).destination
    #expect(try made.rows("SELECT \(columns) FROM app") == rows)
  }

  @Test func `keys of a foreign table that were given out are not given out again`() throws {
    let store = try Self.store(
      "CREATE TABLE app_log (id INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT)",
      "INSERT INTO app_log VALUES (1, 'a'), (90, 'b')",
      "DELETE FROM app_log WHERE id = 90"
    )
    let made = try migrate(store, to: .of(Self.destination)).destination
    try made.execute("INSERT INTO app_log (line) VALUES ('next')")
    #expect(try made.rows(of: "app_log") == [[1, "a"], [91, "next"]])
  }

  @Test func `a foreign column of an entity's table keeps its values`() throws {
    let store = try Self.store(
      "ALTER TABLE ZNOTE ADD COLUMN app_mark TEXT",
      "UPDATE ZNOTE SET app_mark = 'x' WHERE Z_PK = 5"
    )
    let migrated = try migrate(store, to: .of(Self.destination))
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "app_mark")
        == [[1, nil], [5, "x"], [9, nil]]
    )
    #expect(migrated.plan.carried.columns == ["ZNOTE.app_mark"])
  }

  @Test func `a foreign column whose name the model needs now is left behind, and said so`() throws
  {
    let store = try Self.store("ALTER TABLE ZNOTE ADD COLUMN zSubtitle TEXT")
    let migrated = try migrate(store, to: .of(Self.destination))
    #expect(try migrated.destination.rows(of: "ZNOTE", "ZSUBTITLE") == [[nil], [nil], [nil]])
    #expect(
      migrated.plan.warnings == [
        "column ZNOTE.zSubtitle, which no model explains, is left behind: "
          + "its table is gone or needs the name"
      ]
    )
  }

  @Test func `a foreign index follows its column to its new name`() throws {
    let store = try Self.store("CREATE INDEX app_titles ON ZNOTE (ZTITLE COLLATE NOCASE DESC)")
    let made = try migrate(
      store,
      to: .of(EntityDescription("Note", [.optional("heading", id: "title")]))
    ).destination
    let sql = try made.rows("SELECT sql FROM sqlite_schema WHERE type = 'index'")
    #expect(
      sql
        == [["CREATE INDEX \"app_titles\" ON ZNOTE (ZHEADING COLLATE \"NOCASE\" DESC)"]]
    )
  }

  @Test func `foreign triggers, views and partial indexes are made again by their statements`()
    throws
  {
    let store = try Self.store(
      "CREATE TABLE app_log (line TEXT)",
      "CREATE TRIGGER app_trigger AFTER INSERT ON ZNOTE BEGIN "
        + "INSERT INTO app_log VALUES (NEW.ZTITLE); END",
      "CREATE VIEW app_view AS SELECT ZTITLE FROM ZNOTE WHERE Z_PK > 1",
      "CREATE INDEX app_some ON ZNOTE (ZTITLE) WHERE ZTITLE IS NOT NULL"
    )
    let migrated = try migrate(store, to: .of(Self.destination))
    let made = migrated.destination
    #expect(try made.rows("SELECT * FROM app_view") == [["b"], ["c"]])
    #expect(try made.rows(of: "app_log") == [])
    try made.execute("INSERT INTO ZNOTE (Z_PK, ZTITLE) VALUES (10, 'd')")
    #expect(try made.rows(of: "app_log") == [["d"]])
    #expect(
      migrated.plan.carried.objects == ["trigger app_trigger", "view app_view", "index app_some"]
    )
    #expect(try made.names(of: "index") == ["app_some"])
  }

  @Test func `what stands on a column that is gone is left behind, and said so`() throws {
    let store = try Self.store(
      "CREATE VIEW app_view AS SELECT ztitle FROM ZNOTE",
      "CREATE INDEX app_titles ON ZNOTE (ZTITLE, Z_OPT)"
    )
    let migrated = try migrate(store, to: .of(EntityDescription("Note", [.optional("other")])))
    #expect(try migrated.destination.names(of: "view") == [])
    #expect(
      migrated.plan.warnings == [
        "view app_view, which no model explains, is left behind: "
          + "it refers to something that is gone or has another name",
        "index app_titles, which no model explains, is left behind: "
          + "it refers to something that is gone or has another name",
      ]
    )
    #expect(migrated.plan.carried.leftBehind == ["view app_view", "index app_titles"])
  }

  @Test func `what has a name that the model needs is left behind, and said so`() throws {
    let store = try Self.store(
      "CREATE TABLE zTag (line TEXT)",
      "INSERT INTO zTag VALUES ('one'), ('two')",
      "CREATE INDEX app_lines ON zTag (line)",
      "CREATE INDEX z_Note_bySubtitle ON ZNOTE (Z_OPT)",
      "CREATE TABLE app_log (line TEXT)",
      "INSERT INTO app_log VALUES ('kept')"
    )
    var note = Self.destination
    note.indexes = [FetchIndexDescription("bySubtitle", elements: [.init(.property("subtitle"))])]
    let migrated = try migrate(store, to: .of(note, .init("Tag", [.optional("line")])))
    let made = migrated.destination
    #expect(try made.rows(of: "ZTAG") == [])
    #expect(try made.rows(of: "app_log") == [["kept"]])
    #expect(
      try made.rows("SELECT name FROM sqlite_schema WHERE type = 'index'")
        == [["Z_Note_bySubtitle"]]
    )
    let reason = "which no model explains, is left behind: the destination's model needs its name"
    #expect(
      migrated.plan.warnings == [
        "table zTag, \(reason)", "index z_Note_bySubtitle, \(reason)",
        "index app_lines, which no model explains, is left behind: "
          + "it refers to something that is gone or has another name",
      ]
    )
    #expect(
      migrated.plan.losses.map { "\($0.owner) \($0.count) \($0.reason)" } == [
        "zTag 2 the destination's model needs its name",
        "index app_lines 1 it refers to something that is gone or has another name",
        "index z_Note_bySubtitle 1 the destination's model needs its name",
      ]
    )
  }

  @Test func `a full-text table finds the same rows`() throws {
    let store = try Self.store(
      "CREATE VIRTUAL TABLE app_text USING fts5(body)",
      "INSERT INTO app_text (rowid, body) VALUES (5, 'hello world'), (9, 'other words')",
      "DELETE FROM app_text WHERE rowid = 9",
      "INSERT INTO app_text (rowid, body) VALUES (30, 'hello again')"
    )
    let made = try migrate(store, to: .of(Self.destination)).destination
    #expect(
      try made.rows("SELECT rowid FROM app_text WHERE app_text MATCH 'hello' ORDER BY 1")
        == [[5], [30]]
    )
    #expect(try made.rows("SELECT rowid FROM app_text WHERE app_text MATCH 'other'") == [])
    try made.execute("INSERT INTO app_text (app_text) VALUES ('integrity-check')")
  }

  /// Version 519 kept no model.
  @Test(arguments: [519, 1251] as [Int64])
  func `the model is kept in the store, and a second migration starts from it`(
    framework: Int64
  ) throws {
    var store = try Self.store()
    store.frameworkVersion = framework
    let made = try migrate(store, to: .of(Self.destination)).destination
    #expect(try PersistentStore(path: made.path).cachedModel() == .of(Self.destination))
  }

  @Test func `an empty store is migrated`() throws {
    let made = try migrate(TestStore(.of(Self.source)), to: .of(Self.destination)).destination
    #expect(try made.rows(of: "ZNOTE") == [])
    #expect(try made.rows(of: "Z_PRIMARYKEY") == [[1, "Note", 0, 0]])
  }

  @Test func `keys at both ends of what SQLite can hold are kept`() throws {
    let store = TestStore(
      try .of(Self.source),
      TestObject("Note", .min, ["title": "least"]),
      TestObject("Note", -1, ["title": "negative"]),
      TestObject("Note", .max, ["title": "greatest"])
    )
    let made = try migrate(store, to: .of(Self.destination)).destination
    #expect(
      try made.rows(of: "ZNOTE", "Z_PK", "ZTITLE") == [
        [-9_223_372_036_854_775_808, "least"], [-1, "negative"],
        [9_223_372_036_854_775_807, "greatest"],
      ]
    )
  }
}
