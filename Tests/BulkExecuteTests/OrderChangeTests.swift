import BulkModel
import BulkPlan
import BulkTestSupport
import Testing

/// Order keys that come and go with the order of a relationship: formats/migration.md 4.15 and 13.14.
@Suite("Relationships that gain or lose their order")
struct OrderChangeTests {
  // formats/migration.md 4.13
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

  // formats/migration.md 4.14
  @Test func `members get places by ascending key when a many-to-many becomes ordered`() throws {
    let source = try ManagedObjectModel.notes(
      .toMany("tags", "Tag", inverse: "notes"),
      tags: .toMany("notes", "Note", inverse: "tags")
    )
    let destination = try ManagedObjectModel.notes(
      .toMany("tags", "Tag", inverse: "notes", isOrdered: true),
      tags: .toMany("notes", "Note", inverse: "tags", isOrdered: true)
    )
    let store = TestStore(source, notes: [1: [9, 8], 2: [9]], tags: [8, 9])
    #expect(
      try migrate(store, to: destination).destination
        .rows(
          "SELECT Z_1NOTES, Z_2TAGS, Z_FOK_2TAGS, Z_FOK_1NOTES FROM Z_1TAGS ORDER BY 1, 2"
        ) == [[1, 8, 2048, 2048], [1, 9, 3072, 2048], [2, 9, 2048, 3072]]
    )
  }

  @Test func `members get places by ascending key when a hidden key becomes ordered`() throws {
    let source = try ManagedObjectModel.notes(.toMany("tags", "Tag"))
    let destination = try ManagedObjectModel.notes(.toMany("tags", "Tag", isOrdered: true))
    let store = TestStore(source, notes: [1: [9, 8]], tags: [8, 9, 10])
    #expect(
      try migrate(store, to: destination).destination
        .rows(of: "ZTAG", "Z_PK", "Z1TAGS", "Z_FOK_1TAGS")
        == [[8, 1, 2048], [9, 1, 3072], [10, nil, nil]]
    )
  }

  // formats/migration.md 4.15
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
    let source = try ManagedObjectModel.notes(
      .toMany("tags", "Tag", inverse: "notes", isOrdered: true),
      tags: .toMany("notes", "Note", inverse: "tags", isOrdered: true)
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
}
