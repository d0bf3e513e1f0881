import BulkTestSupport
import Testing

/// How many objects a to-many relationship must have: formats/migration.md 8.20.
struct RelationshipCountTests {
  /// The failure of a migration in which folder 1 has one item and folder 2 has none, to a model where
  /// the relationship `items` has some settings.
  private func failure(
    _ change: (inout RelationshipDescription) -> Void
  ) throws -> String {
    var items = RelationshipDescription.toMany("items", "Item.folder")
    let item = EntityDescription("Item", [], [.toOne("folder", "Folder.items")])
    let source = try ManagedObjectModel.of(EntityDescription("Folder", [], [items]), item)
    change(&items)
    let destination = try ManagedObjectModel.of(
      EntityDescription("Folder", [.optional("name")], [items]),
      item
    )
    return BulkExecuteTests.failure(
      of: try Planned(
        TestStore(
          source,
          TestObject("Folder", 1, links: ["items": [1]]),
          TestObject("Folder", 2)
        ),
        to: destination,
        by: [
          .of("Folder", "Folder"),
          .of("Item", "Item", [:], ["folder": instances("FolderToFolder", "$source.folder")]),
        ]
      )
    )
  }

  @Test func `one that is not optional must have the least number that it states`() throws {
    #expect(try failure { $0.isOptional = false } == "nothing failed")
    let text = try failure {
      $0.isOptional = false
      $0.minCount = 1
    }
    #expect(
      text.contains(
        "  Folder.items: at least 1 object: broken by 1 object\n    key 2, from Folder 2: 0\n"
      )
    )
  }

  @Test func `an optional one may be empty whatever it states, or have what it states`() throws {
    let text = try failure { $0.minCount = 2 }
    #expect(
      text.contains(
        "  Folder.items: at least 2 objects: broken by 1 object\n    key 1, from Folder 1: 1\n"
      )
    )
  }
}
