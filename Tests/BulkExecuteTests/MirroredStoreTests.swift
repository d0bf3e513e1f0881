import BulkTestSupport
import Testing

/// What becomes of the tables in which Core Data keeps what it mirrors with CloudKit (formats/migration.md 6).
@Suite("Stores that are mirrored with CloudKit", .tags(.promise27))
struct MirroredStoreTests {
  /// The tables as Core Data declares them, with the columns that matter here, and the unique index over records.
  private static let tables = [
    """
    CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER, \
    ZENTITYPK INTEGER, ZCKRECORDNAME VARCHAR )
    """,
    "CREATE UNIQUE INDEX ANSCKRECORDMETADATA_UNIQUE ON ANSCKRECORDMETADATA (ZENTITYID, ZENTITYPK)",
    """
    CREATE TABLE ANSCKHISTORYANALYZERSTATE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER, \
    ZENTITYPK INTEGER )
    """,
    """
    CREATE TABLE ANSCKMIRROREDRELATIONSHIP ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
    ZCDENTITYNAME VARCHAR, ZRELATIONSHIPNAME VARCHAR )
    """,
  ]

  /// Notes with tags; the numbers are those of the entities in the order of their names.
  private static func model(
    _ others: EntityDescription...,
    attributes: [AttributeDescription] = [.optional("title")]
  ) throws -> ManagedObjectModel {
    var result = [
      EntityDescription("Note", attributes, [.toMany("tags", "Tag.notes")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note.tags")]),
    ]
    result += others
    return try ManagedObjectModel(entities: result)
  }

  /// Two notes with number 1 and a tag with number 2, each with a record of its key.
  private static func store() throws -> TestStore {
    var store = TestStore(
      try model(),
      TestObject("Note", 1, ["title": "a"], links: ["tags": [1]]),
      TestObject("Note", 2),
      TestObject("Tag", 1)
    )
    store.sql =
      tables + [
        "INSERT INTO ANSCKRECORDMETADATA VALUES (1, 16000, 1, 1, 1, 'n1'), (2, 16000, 1, 1, 2, 'n2'), (3, 16000, 1, 2, 1, 't1')",
        "INSERT INTO ANSCKHISTORYANALYZERSTATE VALUES (1, 16001, 1, 2, 1)",
        "INSERT INTO ANSCKMIRROREDRELATIONSHIP VALUES (1, 16002, 1, 'Note', 'tags'), (2, 16002, 1, 'Tag', 'notes')",
      ]
    return store
  }

  private static let records =
    "SELECT ZCKRECORDNAME, ZENTITYID, ZENTITYPK FROM ANSCKRECORDMETADATA ORDER BY Z_PK"

  /// Note becomes 2 and Tag 3; before all of them are renumbered, the numbers of notes are those of tags.
  // formats/migration.md 6.3 and 6.4
  @Test(arguments: [StoreStrategy.Kind.rebuild, .copy])
  func `records follow the numbers of their entities (6.3), and all zones are fetched (6.4)`(
    strategy: StoreStrategy.Kind
  ) throws {
    let changed = try Self.model(
      EntityDescription("Folder"),
      attributes: [.optional("title"), .optional("body")]
    )
    let planned = try plan(Self.store(), to: changed, by: strategy)
    #expect(planned.plan.losses == [])
    #expect(
      planned.plan.warnings.contains(
        "the store is mirrored with CloudKit: its records follow the numbers of their entities"
      )
    )
    let destination = try planned.make()
    #expect(
      try destination.rows(Self.records) == [["n1", 2, 1], ["n2", 2, 2], ["t1", 3, 1]]
    )
    #expect(
      try destination.rows("SELECT ZENTITYID FROM ANSCKHISTORYANALYZERSTATE") == [[3]]
    )
    let metadata = try PersistentStore(path: destination.path).metadata
    #expect(metadata.entries[StoreMetadata.zoneFetchKey] == .dictionary([:]))
  }

  // formats/migration.md 6.2
  @Test(arguments: [StoreStrategy.Kind.rebuild, .copy])
  func `records of removed entities and mirrored pairs go, and are counted (6.2)`(
    strategy: StoreStrategy.Kind
  ) throws {
    let planned = try plan(
      Self.store(),
      to: .of(EntityDescription("Note", [.optional("title")])),
      by: strategy
    )
    #expect(
      planned.plan.losses.filter { $0.kind == .mirroring }.map(\.description) == [
        "1 row of ANSCKHISTORYANALYZERSTATE: their objects' entities are removed",
        "2 rows of ANSCKMIRROREDRELATIONSHIP: their relationships are removed",
        "1 row of ANSCKRECORDMETADATA: their objects' entities are removed",
      ]
    )
    let destination = try planned.make()
    #expect(try destination.rows(Self.records) == [["n1", 1, 1], ["n2", 1, 2]])
    #expect(try destination.rows("SELECT count(*) FROM ANSCKMIRROREDRELATIONSHIP") == [[0]])
  }

  // formats/migration.md 13.19
  @Test(arguments: [StoreStrategy.Kind.rebuild, .copy])
  func `records of objects that are left out go with them, and are counted`(
    strategy: StoreStrategy.Kind
  ) throws {
    var store = try Self.store()
    store.objects[1] = TestObject("Note", 2, ["title": "a"])
    var entities = try Self.model(EntityDescription("Folder")).entities
    let note = try #require(entities.firstIndex { $0.name == "Note" })
    entities[note].uniquenessConstraints = [["title"]]
    let planned = try plan(store, to: ManagedObjectModel(entities: entities), by: strategy)
    let outcome = try planned.run { $0.rejects = RejectPolicy(.quarantine) }
    #expect(outcome.lossLines == ["1 row of ANSCKRECORDMETADATA: \(MadeLedger.leftOut)"])
    #expect(try planned.made.rows(Self.records) == [["n1", 2, 1], ["t1", 3, 1]])
  }

  // formats/migration.md 1.6
  @Test func `where objects get new keys the tables are left behind (1.6), a line each`() throws {
    let planned = try Planned(
      Self.store(),
      to: Self.model(),
      by: [.of("Note", "Note", ["title": "$source.title"]), .of("Tag", "Tag")]
    )
    #expect(
      planned.plan.losses.filter { $0.kind == .mirroring }.map { "\($0.count) \($0.owner)" } == [
        "1 ANSCKHISTORYANALYZERSTATE", "2 ANSCKMIRROREDRELATIONSHIP", "3 ANSCKRECORDMETADATA",
      ]
    )
    #expect(planned.plan.losses.filter { $0.kind == .schema } == [])
    let destination = try planned.make()
    #expect(
      try destination.rows("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'ANSCK%'") == [[0]]
    )
  }

  // formats/migration.md 6.1
  @Test func `renames are refused (6.1), unless that is allowed`() throws {
    let renamed = try ManagedObjectModel.of(
      EntityDescription("Label", id: "Tag", [], [.toMany("notes", "Note.tags")]),
      EntityDescription(
        "Note",
        [.optional("heading", id: "title")],
        [.toMany("tags", "Label.notes")]
      )
    )
    let text = try refusal(Self.store(), to: renamed)
    #expect(text.contains("is mirrored with CloudKit, whose records keep their names: "))
    #expect(text.contains("and 1 more would be renamed; Core Data refuses this with error 134110"))
    let destination = try plan(Self.store(), to: renamed, allowing: [.mirroredRenames]).make()
    // Label has number 1 now, Note 2.
    #expect(
      try destination.rows(Self.records) == [["n1", 2, 1], ["n2", 2, 2], ["t1", 1, 1]]
    )
  }
}
