import BulkTestSupport
import Testing

/// Triggers, views and indexes of an application whose column is gone, although a table still has its name.
struct StaleObjectTests {
  private static func model(
    _ relationship: String,
    unique: [[String]] = []
  ) throws -> ManagedObjectModel {
    try .of(
      .init("Note", [.optional("text")], [.toOne(relationship, "Folder.notes", id: "folder")]),
      .init(
        "Folder",
        [.optional("name"), .optional("n", .integer64)],
        [.toMany("notes", "Note.\(relationship)")],
        unique: unique
      )
    )
  }

  /// A note in a folder, with what the application added by statements of its own, after the relationship to the folder
  /// was renamed from folder to parent.
  private func migrated(_ sql: String...) throws -> Migrated {
    var store = TestStore(
      try Self.model("folder"),
      TestObject("Note", 1, ["text": "a"], links: ["folder": [1]]),
      TestObject("Folder", 1)
    )
    store.sql = sql
    return try migrate(store, to: Self.model("parent"))
  }

  /// What is left behind with its reason, without what all of them have.
  private func left(_ migrated: Migrated) -> [String] {
    migrated.plan.warnings.map {
      $0.replacing(", which no model explains, is left behind", with: "")
    }
  }

  private static let gone = "it refers to something that is gone or has another name"

  // Source: found/stale-trigger.
  @Test func `a trigger does not keep rows from being inserted`() throws {
    let migrated = try migrated(
      "CREATE TRIGGER note_n AFTER INSERT ON ZNOTE BEGIN "
        + "UPDATE ZFOLDER SET ZN = ifnull(ZN, 0) + 1 WHERE Z_PK = new.ZFOLDER; END"
    )
    #expect(left(migrated) == ["trigger note_n: it does not compile: no such column: new.ZFOLDER"])
    #expect(migrated.plan.carried.leftBehind == ["trigger note_n"])
    #expect(
      migrated.plan.lossLines == [
        "1 unmanaged trigger note_n: it does not compile: no such column: new.ZFOLDER"
      ]
    )
    try migrated.destination.execute("INSERT INTO ZNOTE (Z_PK, ZPARENT) VALUES (2, 1)")
  }

  @Test func `a trigger that names only the table stays and works`() throws {
    let migrated = try migrated(
      "CREATE TRIGGER all_n AFTER INSERT ON ZNOTE BEGIN UPDATE ZFOLDER SET ZN = ifnull(ZN, 0) + 1; END"
    )
    #expect(left(migrated) == [])
    try migrated.destination.execute("INSERT INTO ZNOTE (Z_PK) VALUES (2)")
    #expect(try migrated.destination.rows(of: "ZFOLDER", "ZN") == [[1]])
  }

  @Test(arguments: [
    "CREATE TRIGGER t AFTER UPDATE ON ZNOTE WHEN old.ZFOLDER = 1 BEGIN SELECT 1; END",
    "CREATE TRIGGER t BEFORE DELETE ON ZNOTE BEGIN SELECT ZFOLDER FROM ZNOTE; END",
    "CREATE VIEW t AS SELECT ZFOLDER FROM ZNOTE",
    "CREATE INDEX t ON ZNOTE (ZTEXT) WHERE ZFOLDER NOT NULL",
    "CREATE INDEX t ON ZNOTE (abs(ZFOLDER))",
  ])
  func `the column may be named anywhere`(sql: String) throws {
    let migrated = try migrated(sql)
    let kind = sql.split(separator: " ")[1].lowercased()
    #expect(migrated.plan.carried.leftBehind == ["\(kind) t"])
    #expect(try migrated.destination.names(of: kind).contains("t") == false)
  }

  @Test func `a trigger that would never fire again is left behind`() throws {
    let migrated = try migrated(
      "CREATE TRIGGER moved AFTER UPDATE OF ZTEXT, ZFOLDER ON ZNOTE BEGIN SELECT 1; END"
    )
    #expect(left(migrated) == ["trigger moved: \(Self.gone)"])
  }

  /// SQLite takes a name in double quotes for a text where there is no such column.
  @Test func `a quoted name of the column is not taken for a text`() throws {
    let migrated = try migrated(
      "CREATE TABLE log (line)",
      "CREATE TRIGGER quoted AFTER INSERT ON ZNOTE BEGIN "
        + "UPDATE ZNOTE SET ZTEXT = \"ZFOLDER\" WHERE Z_PK = new.Z_PK; END",
      "CREATE TRIGGER text AFTER INSERT ON ZNOTE BEGIN INSERT INTO log VALUES (\"inserted\"); END"
    )
    #expect(left(migrated) == ["trigger quoted: it does not compile: no such column: ZFOLDER"])
    #expect(migrated.plan.carried.objects == ["trigger text"])
  }

  @Test func `what stands on a view that is left behind is left behind`() throws {
    let migrated = try migrated(
      // The later one is read by the earlier one.
      "CREATE VIEW first AS SELECT f FROM second",
      "CREATE VIEW second AS SELECT ZFOLDER AS f FROM ZNOTE",
      "CREATE VIEW third AS SELECT ZTEXT AS t FROM ZNOTE",
      "CREATE TRIGGER into_second INSTEAD OF INSERT ON second BEGIN SELECT 1; END"
    )
    #expect(
      left(migrated) == [
        "view first: it does not compile: no such table: main.second",
        "view second: it does not compile: no such column: ZFOLDER",
        "trigger into_second: it does not compile: no such table: main.second",
      ]
    )
    #expect(migrated.plan.carried.objects == ["view third"])
  }

  @Test func `a view with triggers stays`() throws {
    let migrated = try migrated(
      "CREATE VIEW outer_view AS SELECT t FROM inner_view",
      "CREATE VIEW inner_view AS SELECT ZTEXT AS t FROM ZNOTE",
      "CREATE TRIGGER into_view INSTEAD OF INSERT ON outer_view BEGIN "
        + "INSERT INTO ZNOTE (ZTEXT) VALUES (new.t); END",
      "CREATE TRIGGER in_view INSTEAD OF UPDATE OF t ON inner_view BEGIN SELECT old.t; END"
    )
    #expect(left(migrated) == [])
    try migrated.destination.execute("INSERT INTO outer_view VALUES ('new')")
    #expect(try migrated.destination.rows(of: "ZNOTE", "ZTEXT") == [["a"], ["new"]])
  }

  @Test func `what only a module or the application knows is not a fault`() throws {
    let migrated = try migrated(
      "CREATE VIRTUAL TABLE places USING rtree(id, low, high)",
      "CREATE VIRTUAL TABLE found USING fts5(body)",
      "CREATE TRIGGER a AFTER INSERT ON ZNOTE BEGIN INSERT INTO places VALUES (new.Z_PK, 1, 2); END",
      "CREATE TRIGGER b AFTER INSERT ON ZNOTE BEGIN INSERT INTO found VALUES (new.ZTEXT); END",
      "CREATE VIRTUAL TABLE words USING fts5vocab(found, row)",
      "CREATE VIEW c AS SELECT term FROM words",
      "CREATE VIEW d AS SELECT ZTEXT AS t FROM ZNOTE ORDER BY ZTEXT COLLATE own_order",
      "CREATE VIEW e AS SELECT own_sum(Z_PK) OVER (ORDER BY ZTEXT) AS t FROM ZNOTE"
    )
    #expect(left(migrated) == [])
    #expect(migrated.plan.carried.leftBehind == [])
  }

  /// Each view reads the one that is made after it; all together are compiled once.
  @Test func `views may be made in any order`() throws {
    let views = (0..<300).map { "CREATE VIEW v\($0) AS SELECT t FROM v\($0 + 1)" }
    var store = TestStore(try Self.model("folder"))
    store.sql = views + ["CREATE VIEW v300 AS SELECT ZTEXT AS t FROM ZNOTE"]
    let migrated = try migrate(store, to: Self.model("parent"))
    #expect(left(migrated) == [])
    #expect(migrated.plan.carried.objects.count == 301)
  }

  @Test func `functions, full-text tables and Core Data's own tables may be used`() throws {
    let migrated = try migrated(
      "CREATE VIRTUAL TABLE found USING fts5(body)",
      "CREATE TABLE log (id TEXT UNIQUE, n)",
      "CREATE TRIGGER a AFTER INSERT ON ZNOTE BEGIN "
        + "INSERT INTO found (rowid, body) VALUES (new.Z_PK, own_function(new.ZTEXT, 'x')); END",
      "CREATE TRIGGER b AFTER DELETE ON ZNOTE BEGIN "
        + "INSERT INTO found (found, rowid, body) VALUES ('delete', old.Z_PK, old.ZTEXT); END",
      "CREATE TRIGGER c AFTER UPDATE ON Z_PRIMARYKEY BEGIN "
        + "INSERT INTO log VALUES (new.Z_NAME, new.Z_MAX) ON CONFLICT (id) DO UPDATE SET n = n + 1; END",
      "CREATE VIEW d AS SELECT own_function(ZTEXT) AS t FROM ZNOTE"
    )
    #expect(left(migrated) == [])
    #expect(
      migrated.plan.carried.objects
        == ["virtualTable found", "trigger a", "trigger b", "trigger c", "view d"]
    )
  }
}
