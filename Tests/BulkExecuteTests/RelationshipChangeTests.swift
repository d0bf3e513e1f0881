import BulkModel
import BulkPlan
import BulkTestSupport
import Testing

/// The lines of Plans/decisions/0003 that are about relationships.
@Suite("Relationships that change")
struct RelationshipChangeTests {
  // MARK: To-one becomes to-many

  @Test func `the object of a to-one relationship becomes the only member`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag", inverse: "notes")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tag")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes", id: "tag")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags")])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tag": [7]]),
      TestObject("Note", 2, links: ["tag": [7]]),
      TestObject("Note", 3),
      TestObject("Tag", 7)
    )
    let migrated = try migrate(store, to: destination)
    #expect(
      try migrated.destination.rows(of: "Z_1TAGS", "Z_1NOTES", "Z_2TAGS") == [[1, 7], [2, 7]]
    )
    #expect(try migrated.destination.columns(of: "ZNOTE") == ["Z_PK", "Z_ENT", "Z_OPT"])
    #expect(migrated.plan.warnings == [])
  }

  @Test func `members keep their order when owners may become several`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag", inverse: "notes")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tag", isOrdered: true)])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes", id: "tag")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags", isOrdered: true)])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1),
      TestObject("Note", 2),
      TestObject("Note", 3),
      TestObject("Tag", 7, links: ["notes": [3, 1, 2]])
    )
    #expect(
      try migrate(store, to: destination).destination
        .rows("SELECT Z_1NOTES, Z_2TAGS, Z_FOK_1NOTES FROM Z_1TAGS ORDER BY 1")
        == [[1, 7, 3072], [2, 7, 4096], [3, 7, 2048]]
    )
  }

  @Test func `a hidden key becomes pairs of a join table, in their order`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", isOrdered: true)]),
      EntityDescription("Tag")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes", isOrdered: true)]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags")])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [9, 8]]),
      TestObject("Tag", 8),
      TestObject("Tag", 9)
    )
    #expect(
      try migrate(store, to: destination).destination
        .rows("SELECT Z_1NOTES, Z_2TAGS, Z_FOK_2TAGS FROM Z_1TAGS ORDER BY 2")
        == [[1, 8, 3072], [1, 9, 2048]]
    )
  }

  // MARK: To-many becomes to-one

  @Test(
    arguments: [
      (
        false, 8,
        "ZNOTE.ZTAG keeps the first of several objects; 2 are dropped from the relationship"
      ),
      (
        true, 10,
        "ZNOTE.ZTAG keeps the first of several objects; 2 are dropped from the relationship"
      ),
    ] as [(Bool, StoredValue, String)]
  )
  func `the first member is kept by its place, or by the lowest key without places`(
    isOrdered: Bool,
    kept: StoredValue,
    warning: String
  ) throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", isOrdered: isOrdered)]),
      EntityDescription("Tag")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag", id: "tags")]),
      EntityDescription("Tag")
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [10, 9, 8]]),
      TestObject("Note", 2, links: ["tags": [11]]),
      TestObject("Note", 3),
      TestObject("Tag", 8),
      TestObject("Tag", 9),
      TestObject("Tag", 10),
      TestObject("Tag", 11)
    )
    let migrated = try migrate(store, to: destination)
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZTAG") == [
        [1, kept], [2, 11], [3, nil],
      ]
    )
    #expect(migrated.plan.warnings == [warning])
    #expect(
      migrated.plan.passes.flatMap(\.entities).flatMap(\.details)
        == [
          "relationship tags renamed to tag",
          "relationship tag becomes to-one, its first object is kept",
        ]
    )
  }

  /// Two one-to-one relationships must agree: whom the owner drops drops the owner.
  @Test func `a one-to-many that becomes one-to-one leaves the dropped members without owner`()
    throws
  {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "note", isOrdered: true)]),
      EntityDescription("Tag", [], [.toOne("note", "Note", inverse: "tags")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag", inverse: "note", id: "tags")]),
      EntityDescription("Tag", [], [.toOne("note", "Note", inverse: "tag")])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [9, 8]]),
      TestObject("Note", 2, links: ["tags": [10]]),
      TestObject("Note", 3),
      TestObject("Tag", 8),
      TestObject("Tag", 9),
      TestObject("Tag", 10),
      TestObject("Tag", 11)
    )
    let migrated = try migrate(store, to: destination)
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZTAG") == [[1, 9], [2, 10], [3, nil]]
    )
    #expect(
      try migrated.destination.rows(of: "ZTAG", "Z_PK", "ZNOTE")
        == [[8, nil], [9, 1], [10, 2], [11, nil]]
    )
    #expect(
      migrated.plan.warnings
        == ["ZNOTE.ZTAG keeps the first of several objects; 1 is dropped from the relationship"]
    )
  }

  @Test func `a many-to-many that becomes one-to-one keeps the pairs that are first on both sides`()
    throws
  {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag", inverse: "note", id: "tags")]),
      EntityDescription("Tag", [], [.toOne("note", "Note", inverse: "tag", id: "notes")])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [8, 9]]),
      TestObject("Note", 2, links: ["tags": [8]]),
      TestObject("Note", 3, links: ["tags": [10]]),
      TestObject("Tag", 8),
      TestObject("Tag", 9),
      TestObject("Tag", 10)
    )
    let migrated = try migrate(store, to: destination)
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZTAG") == [[1, 8], [2, nil], [3, 10]]
    )
    #expect(
      try migrated.destination.rows(of: "ZTAG", "Z_PK", "ZNOTE") == [[8, 1], [9, nil], [10, 3]]
    )
  }

  @Test func `a to-one that gains a to-one inverse keeps one owner for each object`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag")]),
      EntityDescription("Tag")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag", inverse: "note")]),
      EntityDescription("Tag", [], [.toOne("note", "Note", inverse: "tag")])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tag": [8]]),
      TestObject("Note", 2, links: ["tag": [8]]),
      TestObject("Note", 3, links: ["tag": [9]]),
      TestObject("Tag", 8),
      TestObject("Tag", 9)
    )
    let migrated = try migrate(store, to: destination)
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZTAG") == [[1, 8], [2, nil], [3, 9]]
    )
    #expect(try migrated.destination.rows(of: "ZTAG", "Z_PK", "ZNOTE") == [[8, 1], [9, 3]])
    #expect(
      migrated.plan.warnings
        == ["ZTAG.ZNOTE keeps the first of several objects; 1 is dropped from the relationship"]
    )
  }

  // MARK: Many-to-many becomes one-to-many

  @Test(arguments: [(false, 1), (true, 2)] as [(Bool, StoredValue)])
  func `a member of several owners keeps the first`(isOrdered: Bool, kept: StoredValue) throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes")]),
      EntityDescription(
        "Tag",
        [],
        [.toMany("notes", "Note", inverse: "tags", isOrdered: isOrdered)]
      )
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "note")]),
      EntityDescription("Tag", [], [.toOne("note", "Note", inverse: "tags", id: "notes")])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1),
      TestObject("Note", 2),
      TestObject("Tag", 8, links: ["notes": [2, 1]]),
      TestObject("Tag", 9, links: ["notes": [2]]),
      TestObject("Tag", 10)
    )
    let migrated = try migrate(store, to: destination)
    #expect(
      try migrated.destination.rows(of: "ZTAG", "Z_PK", "ZNOTE") == [
        [8, kept], [9, 2], [10, nil],
      ]
    )
    #expect(
      migrated.plan.warnings
        == ["ZTAG.ZNOTE keeps the first of several objects; 1 is dropped from the relationship"]
    )
    #expect(try migrated.destination.tables().contains("Z_1TAGS") == false)
  }

  @Test func `members keep their order when owners become one`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes", isOrdered: true)]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "note", isOrdered: true)]),
      EntityDescription("Tag", [], [.toOne("note", "Note", inverse: "tags", id: "notes")])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [10, 8, 9]]),
      TestObject("Tag", 8),
      TestObject("Tag", 9),
      TestObject("Tag", 10),
      TestObject("Tag", 11)
    )
    #expect(
      try migrate(store, to: destination).destination
        .rows(of: "ZTAG", "Z_PK", "ZNOTE", "Z_FOK_NOTE")
        == [[8, 1, 3072], [9, 1, 4096], [10, 1, 2048], [11, nil, nil]]
    )
  }

  // MARK: Order

  @Test func `members get places by ascending key when a one-to-many becomes ordered`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Folder", [], [.toMany("notes", "Note", inverse: "folder")]),
      EntityDescription("Note", [], [.toOne("folder", "Folder", inverse: "notes")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription(
        "Folder",
        [],
        [.toMany("notes", "Note", inverse: "folder", isOrdered: true)]
      ),
      EntityDescription("Note", [], [.toOne("folder", "Folder", inverse: "notes")])
    )
    let store = TestStore(
      source,
      TestObject("Folder", 1, links: ["notes": [13, 11, 15]]),
      TestObject("Folder", 2, links: ["notes": [12]]),
      TestObject("Note", 11),
      TestObject("Note", 12),
      TestObject("Note", 13),
      TestObject("Note", 14),
      TestObject("Note", 15)
    )
    let migrated = try migrate(store, to: destination)
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZFOLDER", "Z_FOK_FOLDER") == [
        [11, 1, 2048], [12, 2, 2048], [13, 1, 3072], [14, nil, nil], [15, 1, 4096],
      ]
    )
    #expect(
      migrated.plan.passes.flatMap(\.entities).flatMap(\.details)
        == ["relationship notes becomes ordered, by key"]
    )
  }

  @Test func `members get places by ascending key when a many-to-many becomes ordered`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes", isOrdered: true)]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags", isOrdered: true)])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [9, 8]]),
      TestObject("Note", 2, links: ["tags": [9]]),
      TestObject("Tag", 8),
      TestObject("Tag", 9)
    )
    #expect(
      try migrate(store, to: destination).destination
        .rows(
          "SELECT Z_1NOTES, Z_2TAGS, Z_FOK_2TAGS, Z_FOK_1NOTES FROM Z_1TAGS ORDER BY 1, 2"
        ) == [[1, 8, 2048, 2048], [1, 9, 3072, 2048], [2, 9, 2048, 3072]]
    )
  }

  @Test func `members get places by ascending key when a hidden key becomes ordered`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag")]),
      EntityDescription("Tag")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", isOrdered: true)]),
      EntityDescription("Tag")
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [9, 8]]),
      TestObject("Tag", 8),
      TestObject("Tag", 9),
      TestObject("Tag", 10)
    )
    #expect(
      try migrate(store, to: destination).destination
        .rows(of: "ZTAG", "Z_PK", "Z1TAGS", "Z_FOK_1TAGS")
        == [[8, 1, 2048], [9, 1, 3072], [10, nil, nil]]
    )
  }

  @Test func `places are dropped when a relationship becomes unordered`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription(
        "Folder",
        [],
        [.toMany("notes", "Note", inverse: "folder", isOrdered: true)]
      ),
      EntityDescription("Note", [], [.toOne("folder", "Folder", inverse: "notes")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Folder", [], [.toMany("notes", "Note", inverse: "folder")]),
      EntityDescription("Note", [], [.toOne("folder", "Folder", inverse: "notes")])
    )
    let store = TestStore(
      source,
      TestObject("Folder", 1, links: ["notes": [13, 11]]),
      TestObject("Note", 11),
      TestObject("Note", 13)
    )
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZNOTE")
        == [[11, 2, 1, 1], [13, 2, 1, 1]]
    )
  }

  @Test func `ordered pairs keep their places and their row ids`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes", isOrdered: true)]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags", isOrdered: true)])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Attachment"),
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes", isOrdered: true)]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags", isOrdered: true)])
    )
    var store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [9, 8]]),
      TestObject("Note", 2, links: ["tags": [8]]),
      TestObject("Tag", 8, links: ["notes": [2, 1]]),
      TestObject("Tag", 9)
    )
    store.sql = [
      "UPDATE Z_1TAGS SET rowid = rowid + 40",
      "UPDATE Z_1TAGS SET Z_FOK_1NOTES = 77 WHERE Z_2TAGS = 9",
    ]
    #expect(
      try migrate(store, to: destination).destination
        .rows("SELECT rowid, Z_2NOTES, Z_3TAGS, Z_FOK_3TAGS, Z_FOK_2NOTES FROM Z_2TAGS") == [
          [41, 1, 9, 2048, 77], [42, 1, 8, 3072, 3072], [43, 2, 8, 2048, 2048],
        ]
    )
  }

  // MARK: Inverses

  @Test func `a to-one that gains a to-many inverse keeps its objects`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag")]),
      EntityDescription("Tag")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag", inverse: "notes")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tag", isOrdered: true)])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tag": [8]]),
      TestObject("Note", 2, links: ["tag": [8]]),
      TestObject("Note", 3),
      TestObject("Tag", 8)
    )
    #expect(
      try migrate(store, to: destination).destination
        .rows(of: "ZNOTE", "Z_PK", "ZTAG", "Z_FOK_TAG")
        == [[1, 8, 2048], [2, 8, 3072], [3, nil, nil]]
    )
  }

  @Test func `a hidden key becomes the key of the inverse that is gained`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", isOrdered: true)]),
      EntityDescription("Tag")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "note", isOrdered: true)]),
      EntityDescription("Tag", [], [.toOne("note", "Note", inverse: "tags")])
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [9, 8]]),
      TestObject("Tag", 8),
      TestObject("Tag", 9),
      TestObject("Tag", 10)
    )
    #expect(
      try migrate(store, to: destination).destination
        .rows(of: "ZTAG", "Z_PK", "ZNOTE", "Z_FOK_NOTE")
        == [[8, 1, 3072], [9, 1, 2048], [10, nil, nil]]
    )
  }

  @Test func `the key of an inverse that is lost becomes a hidden key`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "note", isOrdered: true)]),
      EntityDescription("Tag", [], [.toOne("note", "Note", inverse: "tags")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", isOrdered: true)]),
      EntityDescription("Tag")
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [9, 8]]),
      TestObject("Tag", 8),
      TestObject("Tag", 9),
      TestObject("Tag", 10)
    )
    #expect(
      try migrate(store, to: destination).destination
        .rows(of: "ZTAG", "Z_PK", "Z1TAGS", "Z_FOK_1TAGS")
        == [[8, 1, 3072], [9, 1, 2048], [10, nil, nil]]
    )
  }

  @Test func `pairs of an inverse that is lost keep one owner for each member, in its order`()
    throws
  {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes", isOrdered: true)]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", isOrdered: true)]),
      EntityDescription("Tag")
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [9, 8]]),
      TestObject("Note", 2, links: ["tags": [8]]),
      TestObject("Tag", 8),
      TestObject("Tag", 9)
    )
    let migrated = try migrate(store, to: destination)
    #expect(
      try migrated.destination.rows(of: "ZTAG", "Z_PK", "Z1TAGS", "Z_FOK_1TAGS")
        == [[8, 1, 3072], [9, 1, 2048]]
    )
    #expect(
      migrated.plan.warnings
        == ["ZTAG.Z1TAGS keeps the first of several objects; 1 is dropped from the relationship"]
    )
  }

  @Test func `a relationship that is renamed on both sides keeps its pairs`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("tags", "Tag", inverse: "notes")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tags")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("labels", "Label", inverse: "texts", id: "tags")]),
      EntityDescription(
        "Label",
        id: "Tag",
        [],
        [.toMany("texts", "Note", inverse: "labels", id: "notes")]
      )
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["tags": [9, 8]]),
      TestObject("Tag", 8),
      TestObject("Tag", 9)
    )
    // Label stands before Note, so it owns the table now.
    #expect(
      try migrate(store, to: destination).destination
        .rows("SELECT Z_1LABELS, Z_2TEXTS FROM Z_1TEXTS ORDER BY 1") == [[8, 1], [9, 1]]
    )
  }

  // MARK: Targets

  @Test func `objects that the narrowed relationship does not lead to become nil`() throws {
    let people = [
      EntityDescription("Person"),
      EntityDescription("Worker", under: "Person"),
    ]
    let source = try ManagedObjectModel(
      entities: people + [EntityDescription("Note", [], [.toOne("author", "Person")])]
    )
    let destination = try ManagedObjectModel(
      entities: people + [EntityDescription("Note", [], [.toOne("author", "Worker")])]
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["author": [5]]),
      TestObject("Note", 2, links: ["author": [6]]),
      TestObject("Person", 5),
      TestObject("Worker", 6)
    )
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZNOTE")
        == [[1, 1, 1, nil], [2, 1, 1, 6]]
    )
  }

  @Test func `members that the narrowed relationship does not lead to fall out`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("authors", "Person", inverse: "notes")]),
      EntityDescription("Person", [], [.toMany("notes", "Note", inverse: "authors")]),
      EntityDescription("Worker", under: "Person")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toMany("authors", "Worker", inverse: "notes")]),
      EntityDescription("Person"),
      EntityDescription(
        "Worker",
        under: "Person",
        [],
        [.toMany("notes", "Note", inverse: "authors")]
      )
    )
    let store = TestStore(
      source,
      TestObject("Note", 1, links: ["authors": [5, 6]]),
      TestObject("Person", 5),
      TestObject("Worker", 6)
    )
    #expect(
      try migrate(store, to: destination).destination.rows(
        of: "Z_1AUTHORS",
        "Z_1NOTES",
        "Z_3AUTHORS"
      )
        == [[1, 6]]
    )
  }

  @Test func `a relationship to an object of a removed entity becomes nil, its entity too`() throws
  {
    let source = try ManagedObjectModel.of(
      EntityDescription("Animal"),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Dog", under: "Animal"),
      EntityDescription("Owner", [], [.toOne("pet", "Animal")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Animal"),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Owner", [], [.toOne("pet", "Animal")])
    )
    let store = TestStore(
      source,
      TestObject("Cat", 1),
      TestObject("Dog", 2),
      TestObject("Owner", 5, links: ["pet": [1]]),
      TestObject("Owner", 6, links: ["pet": [2]]),
      TestObject("Owner", 7)
    )
    let migrated = try migrate(store, to: destination)
    #expect(
      try migrated.destination.rows(of: "ZOWNER", "Z_PK", "Z_ENT", "ZPET", "Z1_PET")
        == [[5, 3, 1, 2], [6, 3, nil, nil], [7, 3, nil, nil]]
    )
    #expect(try migrated.destination.rows(of: "ZANIMAL") == [[1, 2, 1]])
    #expect(migrated.plan.warnings == ["entity Dog is removed with 1 object"])
  }

  @Test func `a member of a removed entity falls out of a many-to-many relationship`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Animal", [], [.toMany("owners", "Owner", inverse: "pets")]),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Dog", under: "Animal"),
      EntityDescription("Owner", [], [.toMany("pets", "Animal", inverse: "owners")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Animal", [], [.toMany("owners", "Owner", inverse: "pets")]),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Owner", [], [.toMany("pets", "Animal", inverse: "owners")])
    )
    let store = TestStore(
      source,
      TestObject("Cat", 1),
      TestObject("Dog", 2),
      TestObject("Owner", 5, links: ["pets": [1, 2]])
    )
    let migrated = try migrate(store, to: destination)
    #expect(
      try migrated.destination.rows(of: "Z_1OWNERS", "Z_1PETS", "Z_3OWNERS") == [[1, 5]]
    )
  }

  @Test func `an entity column appears where the target gets a subentity`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Animal"),
      EntityDescription("Owner", [], [.toOne("pet", "Animal")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Animal"),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Owner", [], [.toOne("pet", "Animal")])
    )
    let store = TestStore(
      source,
      TestObject("Animal", 1),
      TestObject("Owner", 5, links: ["pet": [1]]),
      TestObject("Owner", 6)
    )
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZOWNER")
        == [[5, 3, 1, 1, 1], [6, 3, 1, nil, nil]]
    )
  }

  @Test func `a relationship that is new is nil`() throws {
    let source = try ManagedObjectModel.of(EntityDescription("Note"), EntityDescription("Tag"))
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag", inverse: "notes")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tag", isOrdered: true)])
    )
    let store = TestStore(source, TestObject("Note", 1), TestObject("Tag", 1))
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZNOTE") == [[1, 1, 1, nil, nil]]
    )
  }
}
