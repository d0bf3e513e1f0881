import BulkTestSupport
import Testing

/// Version 637 stated uniqueness constraints in the table's statement (formats/store.md 7.10).
struct StatedUniquenessTests {
  private static func model(
    _ unique: [String],
    _ more: AttributeDescription...
  ) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", [.optional("a"), .optional("b")] + more, unique: [unique]))
  }

  /// A store as that version wrote it, with two notes.
  private static func store(_ unique: [String], _ statement: String) throws -> TestStore {
    var store = TestStore(try model(unique))
    store.frameworkVersion = 637
    store.sql = [
      "DROP TABLE ZNOTE", statement,
      "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZA, ZB) VALUES (1, 1, 1, 'x', 'y'), (2, 1, 1, 'z', 'y')",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 2",
    ]
    return store
  }

  private static let forms = [
    (
      ["a"],
      "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZA VARCHAR UNIQUE, ZB VARCHAR )"
    ),
    (
      ["a", "b"],
      "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZA VARCHAR, ZB VARCHAR, CONSTRAINT ZA_ZB UNIQUE (ZA, ZB))"
    ),
  ]

  @Test(arguments: forms, StoreStrategy.Kind.allCases)
  func `a constraint that stays in its table is the one that the model asks for`(
    form: (unique: [String], statement: String),
    strategy: StoreStrategy.Kind
  ) throws {
    let planned = try plan(
      Self.store(form.unique, form.statement),
      to: Self.model(form.unique, .optional("c")),
      by: strategy
    )
    try planned.run()
    let made = planned.made
    #expect(
      try made.rows(of: "ZNOTE", "Z_PK", "ZA", "ZB", "ZC") == [
        [1, "x", "y", nil], [2, "z", "y", nil],
      ]
    )
    // SQLite made the only index for the constraint.
    #expect(
      try made.rows("SELECT origin, \"unique\" FROM pragma_index_list('ZNOTE')") == [["u", 1]]
    )
  }

  /// Version 479 made no second index for a join table, as `apptentive/ATDataModelv4.sqlite` shows.
  @Test func `a join table of an old version keeps its form`() throws {
    let model: (AttributeDescription...) throws -> ManagedObjectModel = {
      try .of(
        .init("Note", $0, [.toMany("tags", "Tag.notes")]),
        .init("Tag", [], [.toMany("notes", "Note.tags")])
      )
    }
    var store = TestStore(
      try model(),
      TestObject("Note", 1, links: ["tags": [1]])
    )
    store.frameworkVersion = 479
    store.sql = ["DROP INDEX Z_1TAGS_Z_2TAGS_INDEX"]
    let made = try migrate(store, to: model(.optional("c"))).destination
    #expect(try made.rows(of: "Z_1TAGS") == [[1, 1]])
    #expect(try made.names(of: "index") == [])
  }
}
