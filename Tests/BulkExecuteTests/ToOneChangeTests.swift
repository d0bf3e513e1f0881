import BulkModel
import BulkPlan
import BulkTestSupport
import Testing

/// To-many relationships that become to-one, and which object is kept: formats/migration.md 13.32 and 13.33.
@Suite("Relationships that become to-one")
struct ToOneChangeTests {
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
    #expect(
      migrated.plan.warnings == [
        "Note.tag becomes to-one: Core Data refuses this; bulkmigrate keeps the first of several objects",
        warning,
      ]
    )
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
      migrated.plan.warnings == [
        "Note.tag becomes to-one: Core Data refuses this; bulkmigrate keeps the first of several objects",
        "ZNOTE.ZTAG keeps the first of several objects; 1 is dropped from the relationship",
      ]
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
}
