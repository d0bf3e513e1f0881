import BulkModel
import BulkPlan
import BulkTestSupport
import Testing

/// To-one relationships that become to-many: formats/migration.md 4.16 to 4.18.
@Suite("Relationships that become to-many")
struct ToManyChangeTests {
  // formats/migration.md 2.15 and 4.16
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

  /// The key at the side that stays to-one counts; tag 8 alone says that it belongs to note 2.
  // formats/migration.md 4.18
  @Test func `of a one-to-one relationship the side that stays to-one keeps its keys`() throws {
    var store = TestStore(
      try .of(
        EntityDescription("Note", [], [.toOne("tag", "Tag", inverse: "note")]),
        EntityDescription("Tag", [], [.toOne("note", "Note", inverse: "tag")])
      ),
      TestObject("Note", 1, links: ["tag": [7]]),
      TestObject("Note", 2),
      TestObject("Tag", 7, links: ["note": [1]]),
      TestObject("Tag", 8)
    )
    store.sql = ["UPDATE ZTAG SET ZNOTE = 2 WHERE Z_PK = 8"]
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag", inverse: "notes")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note", inverse: "tag", id: "note")])
    )
    let migrated = try migrate(store, to: destination)
    #expect(try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZTAG") == [[1, 7], [2, nil]])
    #expect(try migrated.destination.columns(of: "ZTAG") == ["Z_PK", "Z_ENT", "Z_OPT"])
    #expect(
      migrated.plan.losses.map(\.description)
        == ["1 link of Tag.note: nothing in the destination is made of them"]
    )
  }

  // formats/migration.md 4.17
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

  // formats/migration.md 4.17
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
}
