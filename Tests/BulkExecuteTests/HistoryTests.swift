import BulkTestSupport
import Testing

/// What becomes of the persistent history; `migrate(_:to:)` compares a new store with a changed copy.
struct HistoryTests {
  /// The history's tables with rows of changes (formats/store.md 10).
  ///
  /// The values of a change end with its type, the number of its entity, the key of the object, the transaction, the mask,
  /// and the tombstones.
  private static func history(_ tombstones: Int, _ changes: String...) -> [String] {
    let columns = (0..<tombstones).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    return [
      "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
        + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(columns) )",
      "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT )",
      "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
      "INSERT INTO ATRANSACTION VALUES (1, 16002, 1, 1.5), (2, 16002, 1, 2.5), (3, 16002, 1, 3.5), (4, 16002, 1, 4.5)",
      "INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 1, 'app'), (2, 16003, 1, 'view')",
    ]
      + changes.map { "INSERT INTO ACHANGE VALUES (\($0))" }
  }

  private static func preserved(_ name: String, id: String? = nil) -> AttributeDescription {
    var result = AttributeDescription.optional(name, id: id)
    result.preservesValueInHistoryOnDeletion = true
    return result
  }

  private static let changes = "SELECT Z_PK, ZENTITY, ZTRANSACTIONID FROM ACHANGE ORDER BY Z_PK"

  // MARK: Removed entities

  /// Marks have number 1, notes 2 and tags 3; the last change of a mark is in transaction 2.
  private static func storeWithMarks() throws -> TestStore {
    var store = TestStore(
      try .of(EntityDescription("Note"), .init("Tag"), .init("Mark")),
      TestObject("Note", 1)
    )
    store.sql = history(
      0,
      "5, 16001, 1, 0, 2, 1, 1, NULL",
      "6, 16001, 1, 0, 1, 7, 1, NULL",
      "7, 16001, 1, 2, 1, 7, 2, NULL",
      "8, 16001, 1, 0, 3, 4, 2, NULL",
      "9, 16001, 1, 0, 9, 1, 3, NULL",
      "10, 16001, 1, 1, 2, 1, 4, x'01'",
      "11, 16001, 1, 0, 3, 5, 4, NULL"
    )
    return store
  }

  private static func withoutMarks() throws -> ManagedObjectModel {
    try .of(EntityDescription("Note"), .init("Label", id: "Tag"))
  }

  // formats/migration.md 5.1; entity 9 is in no model
  @Test func `a history is cut at the last change of a removed entity`() throws {
    let made = try migrate(Self.storeWithMarks(), to: Self.withoutMarks())
    #expect(try made.destination.rows(Self.changes) == [[10, 2, 4], [11, 1, 4]])
    #expect(try made.destination.rows("SELECT Z_PK FROM ATRANSACTION") == [[3], [4]])
    #expect(try made.destination.rows("SELECT Z_PK FROM ATRANSACTIONSTRING") == [[1], [2]])
    let losses = made.plan.losses.filter { $0.kind == .history }
    #expect(
      losses.map(\.description) == [
        "5 rows of ACHANGE: the history is cut at the last change of a removed entity",
        "2 rows of ATRANSACTION: the history is cut at the last change of a removed entity",
      ]
    )
    #expect(losses.certain == 0)
  }

  // formats/migration.md 5.1
  @Test(arguments: [StoreStrategy.Kind.rebuild, .copy])
  func `a partial history loses the changes of removed entities only`(
    strategy: StoreStrategy.Kind
  ) throws {
    let planned = try plan(
      Self.storeWithMarks(),
      to: Self.withoutMarks(),
      by: strategy,
      allowing: [.partialHistory]
    )
    #expect(
      planned.plan.losses.filter { $0.kind == .history }.map(\.description) == [
        "3 rows of ACHANGE: their objects' entities are removed"
      ]
    )
    let made = try planned.make()
    #expect(try made.rows(Self.changes) == [[5, 2, 1], [8, 1, 2], [10, 2, 4], [11, 1, 4]])
    #expect(try made.rows("SELECT count(*) FROM ATRANSACTION") == [[4]])
    #expect(try planned.plan.plannedAgain().keepsPartialHistory == true)
  }

  @Test func `without a change of a removed entity nothing is cut`() throws {
    var store = try Self.storeWithMarks()
    store.sql.append("DELETE FROM ACHANGE WHERE ZENTITY = 1")
    let made = try migrate(store, to: Self.withoutMarks()).destination
    #expect(try made.rows(Self.changes) == [[5, 2, 1], [8, 1, 2], [10, 2, 4], [11, 1, 4]])
    #expect(try made.rows("SELECT count(*) FROM ATRANSACTION") == [[4]])
  }

  // MARK: Masks

  /// Notes with the attributes that are given, and drafts below them.
  private static func notes(
    _ attributes: AttributeDescription...,
    others: [EntityDescription] = []
  ) throws -> ManagedObjectModel {
    let note = EntityDescription(
      "Note",
      attributes,
      [.toOne("folder", "Folder.notes"), .toMany("tags", "Tag.notes")]
    )
    return try ManagedObjectModel(
      entities: others + [
        note, EntityDescription("Draft", under: "Note", [.optional("aside")]),
        EntityDescription("Folder", [], [.toMany("notes", "Note.folder", isOrdered: true)]),
        EntityDescription("Smart", under: "Folder"),
        EntityDescription("Tag", [], [.toMany("notes", "Note.tags")]),
      ]
    )
  }

  /// The bits of a note are folder, the number of its entity, its place, body, title, tags; afterwards folder, its number
  /// and place, author, body, code, heading, kind, tags. Drafts have `aside` before `author` or `body`.
  // formats/store.md 10.4 and formats/migration.md 5.5
  @Test func `masks name the same properties, without renamed ones`() throws {
    var store = TestStore(try Self.notes(.optional("body"), .optional("title")))
    // Folder 1, Smart 2, Note 3, Draft 4, Tag 5.
    store.sql = Self.history(
      0,
      "1, 16001, 1, 1, 3, 1, 1, x'FC'",
      "2, 16001, 1, 1, 3, 1, 1, x'08'",
      "3, 16001, 1, 1, 3, 1, 1, x'14'",
      "4, 16001, 1, 1, 3, 1, 1, x''",
      "5, 16001, 1, 1, 3, 1, 1, NULL",
      "6, 16001, 1, 0, 3, 1, 1, x'FC'",
      "7, 16001, 1, 1, 4, 1, 1, x'14'",
      "8, 16001, 1, 1, 5, 1, 1, x'80'",
      "9, 16001, 1, 1, 3, 1, 1, x'20FFFF'"
    )
    let made = try migrate(
      store,
      to: Self.notes(
        .optional("author"),
        .optional("body"),
        .optional("code"),
        .optional("heading", id: "title"),
        .optional("kind"),
        others: [EntityDescription("Album")]
      )
    ).destination
    // Album 1, Folder 2, Smart 3, Note 4, Draft 5, Tag 6.
    #expect(
      try made.rows("SELECT Z_PK, ZENTITY, ZCOLUMNS FROM ACHANGE ORDER BY Z_PK") == [
        [1, 4, [0xE8, 0x80]], [2, 4, [0, 0]], [3, 4, [0x08, 0x80]], [4, 4, [0, 0]], [5, 4, nil],
        [6, 4, [0xFC]], [7, 5, [0x10, 0]], [8, 6, [0x80]], [9, 4, [0x20, 0]],
      ]
    )
  }

  // MARK: Tombstones

  /// Notes preserve code and title, then author, key (once code) and title: only that value has a new place.
  // formats/store.md 10.3 and formats/migration.md 5.2
  @Test func `tombstones move by name, and columns are added`() throws {
    let mark = EntityDescription("Mark", [Self.preserved("name")])
    let alpha = Self.preserved("alpha")
    let tag = EntityDescription("Tag", [alpha, .optional("beta"), .optional("gamma")])
    let first = EntityDescription("Note", [Self.preserved("code"), Self.preserved("title")])
    var store = TestStore(try .of(first, mark, tag))
    // Mark 1, Note 2, Tag 3.
    store.sql = Self.history(
      2,
      "1, 16001, 1, 2, 2, 1, 1, NULL, 'code', 'title'",
      "2, 16001, 1, 1, 2, 1, 1, NULL, 'none', 'here'",
      "3, 16001, 1, 2, 1, 1, 1, NULL, 'name', 'left'",
      "4, 16001, 1, 2, 3, 1, 1, NULL, 'alpha', NULL"
    )
    let note = EntityDescription(
      "Note",
      [Self.preserved("author"), Self.preserved("key", id: "code"), Self.preserved("title")]
    )
    var changed = tag
    changed.userInfo["NSPersistentHistoryTombstoneAttributes"] = "gamma, unknown,beta"
    let made = try migrate(store, to: .of(note, mark, changed)).destination
    #expect(
      try made.rows(
        "SELECT Z_PK, ZTOMBSTONE0, ZTOMBSTONE1, ZTOMBSTONE2 FROM ACHANGE ORDER BY Z_PK"
      ) == [
        [1, nil, nil, "title"], [2, "none", "here", nil], [3, "name", "left", nil],
        [4, nil, nil, "alpha"],
      ]
    )
    #expect(try made.columns(of: "ACHANGE").last == "ZTOMBSTONE2")
  }

  // formats/store.md 10.3
  @Test func `tombstones are those of the entity, then of its superentities`() throws {
    var item = EntityDescription("Item", [Self.preserved("b"), Self.preserved("z")])
    item.userInfo["NSPersistentHistoryTombstoneAttributes"] = "plain,z"
    item.attributes.append(.optional("plain"))
    let note = EntityDescription("Note", under: "Item", [Self.preserved("m"), Self.preserved("a")])
    let model = try ManagedObjectModel.of(item, note)
    #expect(model.tombstones(of: item) == ["plain", "z", "b"])
    #expect(model.tombstones(of: note) == ["a", "b", "m", "z", "plain"])
  }

  // formats/migration.md 5.2
  @Test func `columns that no entity needs any more are emptied, not dropped`() throws {
    let tag = EntityDescription("Tag", [Self.preserved("a"), Self.preserved("b")])
    let note = [Self.preserved("a"), Self.preserved("b"), Self.preserved("c")]
    var store = TestStore(try .of(EntityDescription("Note", note), tag))
    store.sql = Self.history(
      4,
      "1, 16001, 1, 2, 1, 1, 1, NULL, 'a', 'b', 'c', 'd'",
      "2, 16001, 1, 2, 2, 1, 1, NULL, 'a', 'b', 'x', 'y'"
    )
    let made = try migrate(
      store,
      to: .of(EntityDescription("Note", [note[0]]), tag)
    ).destination
    // The second value of a note is beyond its list, the fourth was beyond all lists before.
    #expect(
      try made.rows(of: "ACHANGE", "ZTOMBSTONE0", "ZTOMBSTONE1", "ZTOMBSTONE2", "ZTOMBSTONE3")
        == [["a", "b", nil, "d"], ["a", "b", nil, "y"]]
    )
  }

  // formats/migration.md 5.3
  @Test func `columns that the store lacks are added, although its entities do not change`() throws
  {
    let note = EntityDescription("Note", [Self.preserved("a"), Self.preserved("b")])
    var store = TestStore(try .of(note))
    store.sql = Self.history(1, "1, 16001, 1, 2, 1, 1, 1, NULL, 'a'")
    let made = try migrate(store, to: .of(note, .init("Tag"))).destination
    #expect(try made.rows(of: "ACHANGE", "ZTOMBSTONE0", "ZTOMBSTONE1") == [["a", nil]])
  }

  // MARK: In its place

  @Test func `a store that is changed itself holds what a new one holds`() throws {
    let model = try ManagedObjectModel.of(
      EntityDescription("Note", [Self.preserved("b"), .optional("title")]),
      EntityDescription("Tag"),
      EntityDescription("Mark")
    )
    var store = TestStore(model, TestObject("Note", 1))
    store.sql = Self.history(
      1,
      "1, 16001, 1, 0, 1, 1, 1, NULL, NULL",
      "2, 16001, 1, 1, 2, 1, 2, x'40', NULL",
      "3, 16001, 1, 2, 2, 2, 2, NULL, 'b'"
    )
    let note = EntityDescription(
      "Note",
      [Self.preserved("a"), Self.preserved("b"), .optional("title")]
    )
    let planned = try Planned(store, to: .of(note, .init("Tag")))
    let made = try planned.make()
    var request = PlanRequest()
    request.destinationModel = planned.directory.path("destination.mom")
    _ = try AlteringMigration(of: planned.source.path, request, .inTestProcess).run()
    #expect(
      try made.rows("SELECT Z_PK, ZENTITY, ZCOLUMNS, ZTOMBSTONE0, ZTOMBSTONE1 FROM ACHANGE")
        == [[2, 1, [0x20], nil, nil], [3, 1, nil, nil, "b"]]
    )
    #expect(try planned.source.meaning() == made.meaning())
  }
}
