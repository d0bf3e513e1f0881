import BulkModel
import BulkPlan
import BulkTestSupport
import Testing

/// Relationships that gain, lose or rename their inverse: formats/migration.md 4.19 and 13.32.
@Suite("Inverses that come and go")
struct InverseChangeTests {
  @Test func `a to-one that gains a to-many inverse keeps its objects`() throws {
    let source = try ManagedObjectModel.notes(.toOne("tag", "Tag"))
    let destination = try ManagedObjectModel.notes(
      .toOne("tag", "Tag", inverse: "notes"),
      tags: .toMany("notes", "Note", inverse: "tag", isOrdered: true)
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

  // formats/migration.md 4.19
  @Test func `a hidden key becomes the key of the inverse that is gained`() throws {
    let source = try ManagedObjectModel.notes(.toMany("tags", "Tag", isOrdered: true))
    let destination = try ManagedObjectModel.notes(
      .toMany("tags", "Tag", inverse: "note", isOrdered: true),
      tags: .toOne("note", "Note", inverse: "tags")
    )
    let store = TestStore(source, notes: [1: [9, 8]], tags: [8, 9, 10])
    #expect(
      try migrate(store, to: destination).destination
        .rows(of: "ZTAG", "Z_PK", "ZNOTE", "Z_FOK_NOTE")
        == [[8, 1, 3072], [9, 1, 2048], [10, nil, nil]]
    )
  }

  // formats/migration.md 4.19
  @Test func `the key of an inverse that is lost becomes a hidden key`() throws {
    let source = try ManagedObjectModel.notes(
      .toMany("tags", "Tag", inverse: "note", isOrdered: true),
      tags: .toOne("note", "Note", inverse: "tags")
    )
    let destination = try ManagedObjectModel.notes(.toMany("tags", "Tag", isOrdered: true))
    let store = TestStore(source, notes: [1: [9, 8]], tags: [8, 9, 10])
    #expect(
      try migrate(store, to: destination).destination
        .rows(of: "ZTAG", "Z_PK", "Z1TAGS", "Z_FOK_1TAGS")
        == [[8, 1, 3072], [9, 1, 2048], [10, nil, nil]]
    )
  }

  @Test func `pairs of an inverse that is lost keep one owner for each member, in its order`()
    throws
  {
    let source = try ManagedObjectModel.notes(
      .toMany("tags", "Tag", inverse: "notes", isOrdered: true),
      tags: .toMany("notes", "Note", inverse: "tags")
    )
    let destination = try ManagedObjectModel.notes(.toMany("tags", "Tag", isOrdered: true))
    let store = TestStore(source, notes: [1: [9, 8], 2: [8]], tags: [8, 9])
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
    let source = try ManagedObjectModel.notes(
      .toMany("tags", "Tag", inverse: "notes"),
      tags: .toMany("notes", "Note", inverse: "tags")
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
    let store = TestStore(source, notes: [1: [9, 8]], tags: [8, 9])
    // Label stands before Note, so it owns the table now.
    #expect(
      try migrate(store, to: destination).destination
        .rows("SELECT Z_1LABELS, Z_2TEXTS FROM Z_1TEXTS ORDER BY 1") == [[8, 1], [9, 1]]
    )
  }
}
