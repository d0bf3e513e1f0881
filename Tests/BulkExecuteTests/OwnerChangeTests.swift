import BulkModel
import BulkPlan
import BulkTestSupport
import Testing

/// Many-to-many relationships that become one-to-many: formats/migration.md 13.32.
@Suite("Members that keep one owner")
struct OwnerChangeTests {
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
        == [
          "Tag.note becomes to-one: Core Data refuses this; bulkmigrate keeps the first of several objects",
          "ZTAG.ZNOTE keeps the first of several objects; 1 is dropped from the relationship",
        ]
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
}
