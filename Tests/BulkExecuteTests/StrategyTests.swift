import BulkTestSupport
import Testing

struct StrategyTests {
  private static func library(
    _ book: EntityDescription,
    _ others: EntityDescription...
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: [
        .init("Author", [.optional("name")], [.toMany("books", "\(book.name).authors")]), book,
      ] + others
    )
  }

  private static func book(
    _ attributes: AttributeDescription...,
    named name: String = "Book",
    unique: [[String]] = []
  ) -> EntityDescription {
    EntityDescription(
      name,
      id: "Book",
      attributes,
      [.toMany("authors", "Author.books"), .toOne("next", name)],
      unique: unique
    )
  }

  private static func store() throws -> TestStore {
    TestStore(
      try library(book(.optional("title"), .optional("pages", .integer32))),
      TestObject("Author", 1, ["name": "Ann"], links: ["books": [2, 5]]),
      TestObject("Book", 2, ["title": "x"], links: ["next": [5]]),
      TestObject("Book", 5, ["title": "y", "pages": 7])
    )
  }

  private func changes(_ store: TestStore, to model: ManagedObjectModel) throws -> StoreChanges {
    let directory = TemporaryDirectory()
    let path = try store.write(to: directory.path("store.sqlite")).path
    let step = try MigrationStep(
      to: "v2",
      from: store.model,
      model,
      by: .inferred(from: store.model, to: model),
      isInferred: true
    )
    return try MigrationWork(PersistentStore(path: path), [step]).step.changes()
  }

  private static let ownTables = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].map {
    "DROP TABLE IF EXISTS main.\"\($0)\""
  }

  @Test func `an attribute more is a column and its values`() throws {
    let changes = try changes(
      try Self.store(),
      to: try Self.library(
        Self.book(
          .optional("title"),
          .optional("pages", .integer32),
          .optional("rank", .integer16, default: .integer(3))
        )
      )
    )
    #expect(
      changes.statements == Self.ownTables + ["ALTER TABLE main.\"ZBOOK\" ADD COLUMN ZRANK INTEGER"]
    )
    #expect(changes.tables.flatMap(\.values).map(\.column) == ["ZRANK"])
    #expect(changes.newIndexes == [])
  }

  @Test func `an entity and an attribute with other names are renamed, and what follows from them`()
    throws
  {
    let changes = try changes(
      try Self.store(),
      to: try Self.library(
        Self.book(.optional("heading", id: "title"), .optional("pages", .integer32), named: "Page"),
        EntityDescription("Chapter")
      )
    )
    #expect(
      changes.statements == Self.ownTables + [
        "ALTER TABLE main.\"ZBOOK\" RENAME TO \"ZPAGE\"",
        "ALTER TABLE main.\"ZPAGE\" RENAME COLUMN \"ZTITLE\" TO ZHEADING",
        "ALTER TABLE main.\"Z_1BOOKS\" RENAME COLUMN \"Z_2BOOKS\" TO Z_3BOOKS",
        "CREATE TABLE ZCHAPTER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
      ]
    )
    #expect(changes.tables.flatMap(\.values).map(\.column) == ["Z_ENT"])
    #expect(changes.keptIndexes == ["Z_1BOOKS_Z_2BOOKS_INDEX", "ZBOOK_ZNEXT_INDEX"])
  }

  @Test func `names that tables or columns exchange go through others`() {
    typealias Rename = TableChange.Rename
    let changes = StoreChanges(
      tables: [
        TableChange(
          "ZNOTE",
          to: "ZTAG",
          renamed: [Rename("ZONE", to: "ZTWO"), Rename("ZTWO", to: "ZTHREE")]
        ), TableChange("ZTAG", to: "ZNOTE"),
      ],
      removedTables: [],
      newTables: [],
      keptIndexes: [],
      newIndexes: [],
      removedObjects: []
    )
    let (table, rename) = ("ALTER TABLE main", "ALTER TABLE main.\"ZTAG\" RENAME COLUMN")
    #expect(
      changes.statements == Self.ownTables + [
        "\(table).\"ZNOTE\" RENAME TO \"bulkmigrate 1\"",
        "\(table).\"ZTAG\" RENAME TO \"bulkmigrate 2\"",
        "\(table).\"bulkmigrate 1\" RENAME TO \"ZTAG\"",
        "\(table).\"bulkmigrate 2\" RENAME TO \"ZNOTE\"",
        "\(rename) \"ZONE\" TO \"bulkmigrate 1\"", "\(rename) \"ZTWO\" TO ZTHREE",
        "\(rename) \"bulkmigrate 1\" TO ZTWO",
      ]
    )
  }

  @Test func `an index over columns that are set is rebuilt, and one of a removed column goes`()
    throws
  {
    let old = [
      EntityDescription("Note", [.optional("one")]), EntityDescription("Sub", under: "Note"),
    ]
    var store = TestStore(try ManagedObjectModel(entities: old))
    store.sql = ["CREATE INDEX stranger ON ZNOTE (ZONE)"]
    let changes = try changes(
      store,
      to: try ManagedObjectModel(
        entities: [.init("Apple"), .init("Note"), .init("Sub", under: "Note")]
      )
    )
    #expect(
      changes.statements == [
        "DROP INDEX IF EXISTS main.\"ZNOTE_Z_ENT_INDEX\"", "DROP INDEX IF EXISTS main.\"stranger\"",
      ] + Self.ownTables + [
        "ALTER TABLE main.\"ZNOTE\" DROP COLUMN \"ZONE\"",
        "CREATE TABLE ZAPPLE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
      ]
    )
    #expect(changes.newIndexes.map(\.name) == ["ZNOTE_Z_ENT_INDEX"])
  }

  // MARK: Rebuilt stores

  private func obstacle(_ store: TestStore, to model: ManagedObjectModel) throws -> String {
    do {
      _ = try changes(store, to: model)
      return "nothing"
    } catch let obstacle as CopyObstacle {
      return obstacle.reason
    }
  }

  @Test func `rows that are left out keep a store from being copied`() throws {
    let old = [
      EntityDescription("Note"), EntityDescription("Sub", under: "Note"),
      EntityDescription("Other", under: "Note"),
    ]
    #expect(
      try obstacle(
        TestStore(try ManagedObjectModel(entities: old)),
        to: try ManagedObjectModel(entities: Array(old.prefix(2)))
      ) == "entity Note: not all rows of ZNOTE are kept"
    )
  }

  @Test func `a statement with more than columns keeps a store from being copied`() throws {
    var store = try Self.store()
    store.sql = ["ALTER TABLE ZAUTHOR ADD COLUMN ZMORE INTEGER DEFAULT 3"]
    let model = try Self.library(Self.book(.optional("title")))
    let reason = "entity Author: the statement of ZAUTHOR states more than columns"
    #expect(try obstacle(store, to: model) == reason)
    let text = failure { try plan(store, to: model, by: .copy) }
    #expect(
      text
        == "the store cannot be changed as it is: \(reason); without --strategy copy and --no-copy it is rebuilt"
    )
  }

  @Test func `pairs that are made from keys keep a store from being copied`() throws {
    let notes = RelationshipDescription.toMany("notes", "Note.tags")
    let old = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tags", "Tag.notes")]),
      EntityDescription("Tag", [], [notes])
    )
    let new = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag.notes")]),
      EntityDescription("Tag", [], [notes])
    )
    #expect(
      try obstacle(TestStore(old), to: new) == "entity Note: rows of ZNOTE go to several tables"
    )
  }

  // MARK: The choice

  @Test func `each altered table costs what it takes to read the schema again`() throws {
    func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
      try ManagedObjectModel(entities: (1...250).map { EntityDescription("E\($0)", attributes) })
    }
    let planned = try Planned(
      TestStore(try model(.optional("name"))),
      to: model(.optional("name"), .optional("added"))
    )
    // 250 statements in a schema of 253 tables, 3.6 microseconds each: 0.23 s.
    let reason = try #require(planned.plan.strategy?.reason)
    #expect(reason.contains("change the copy about 0.3 s"), "\(reason)")
  }

  @Test func `a small store is rebuilt`() throws {
    let planned = try Planned(
      try Self.store(),
      to: try Self.library(
        Self.book(.optional("title"), .optional("pages", .integer32)),
        EntityDescription("Chapter")
      )
    )
    let strategy = try #require(planned.plan.strategy)
    #expect(strategy.kind == .rebuild)
    #expect(
      strategy.reason
        == "to write all rows takes about 0.1 s, to copy 44 KiB and change the copy about 0.1 s"
    )
  }

  @Test func `a large store in which nothing but names changes is copied`() throws {
    var store = try Self.store()
    store.sql = [
      "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 700000) "
        + "INSERT INTO ZAUTHOR SELECT i, 1, 1, 'Ann' FROM n"
    ]
    let planned = try plan(
      store,
      to: try Self.library(
        Self.book(.optional("heading", id: "title"), .optional("pages", .integer32))
      )
    )
    #expect(planned.plan.strategy?.kind == .copy)
    let made = try planned.make()
    #expect(try made.rows("SELECT count(*) FROM ZAUTHOR") == [[699_992]])
    #expect(try made.columns(of: "ZBOOK").contains("ZHEADING"))
  }

  // MARK: What is read

  @Test func `a store with rows in its log is copied with them`() throws {
    var store = try Self.store()
    store.isInWriteAheadMode = true
    let planned = try plan(
      store,
      to: try Self.library(
        Self.book(.optional("title"), .optional("pages", .integer32)),
        EntityDescription("Chapter")
      ),
      by: .copy
    )
    let made = try planned.make()
    #expect(try made.rows("SELECT Z_PK, ZTITLE FROM ZBOOK") == [[2, "x"], [5, "y"]])
    #expect(try made.rows("PRAGMA journal_mode") == [["wal"]])
  }
}
