import BulkTestSupport
import Testing

/// Relationships that lead to other entities than before: formats/migration.md 13.11 and 13.36.
@Suite("Relationships whose target changes", .tags(.promise25))
struct TargetChangeTests {
  // formats/migration.md 2.17: Core Data keeps the keys.
  @Test func `keys of objects that continue elsewhere become nil, and are counted`() throws {
    func model(_ target: String) throws -> ManagedObjectModel {
      try .of(.init("Note", [], [.toOne("owner", target)]), .init("Pin"), .init("Tag"))
    }
    let store = TestStore(
      try model("Tag"),
      TestObject("Note", 1, links: ["owner": [5]]),
      TestObject("Note", 2),
      TestObject("Pin", 5),
      TestObject("Tag", 5)
    )
    let migrated = try migrate(store, to: model("Pin"))
    #expect(try migrated.destination.rows(of: "ZNOTE") == [[1, 1, 1, nil], [2, 1, 1, nil]])
    #expect(
      migrated.plan.lossLines == [
        "1 link of Note.owner: the relationship does not lead to such objects any more"
      ]
    )
    #expect(
      migrated.plan.warnings == [
        "Note.owner led to Tag and now leads to Pin, which continues none of its objects: Core Data leaves their keys; "
          + "bulkmigrate sets them to nil"
      ]
    )
  }

  // The members of the old kind have the keys, those of the new kind none, though a column has the name.
  @Test(arguments: [false, true])
  func `a to-many relationship to other objects has no keys`(hasInverse: Bool) throws {
    func model(_ target: String) throws -> ManagedObjectModel {
      func mark(_ name: String) -> EntityDescription {
        EntityDescription(
          name,
          [.optional("owner\(name)", .integer64)],
          hasInverse && name == target ? [.toOne("owner", "Note.marks")] : []
        )
      }
      return try .of(
        .init("Note", [], [.toMany("marks", hasInverse ? "\(target).owner" : target)]),
        mark("Pin"),
        mark("Tag")
      )
    }
    let store = TestStore(
      try model("Tag"),
      TestObject("Note", 1, links: ["marks": [5, 6]]),
      TestObject("Pin", 5),
      TestObject("Tag", 5),
      TestObject("Tag", 6)
    )
    let migrated = try migrate(store, to: model("Pin"))
    #expect(migrated.plan.losses.map(\.count) == [2])
    #expect(try migrated.destination.rows("SELECT * FROM ZPIN WHERE Z_PK <> 5") == [])
    let keys = try migrated.destination.columns(of: "ZPIN").count
    #expect(
      try migrated.destination.rows("SELECT * FROM ZPIN")
        == [[5, 2, 1] + Array(repeating: StoredValue.null, count: keys - 3)]
    )
  }

  // formats/migration.md 4.5
  @Test func `objects of a removed entity leave relationships, their entity too`() throws {
    func model(_ dogs: EntityDescription...) throws -> ManagedObjectModel {
      try ManagedObjectModel(
        entities: [
          .init("Animal", [], [.toMany("owners", "Owner.pets")]),
          .init("Cat", under: "Animal"),
          .init("Owner", [], [.toOne("pet", "Animal"), .toMany("pets", "Animal.owners")]),
        ] + dogs
      )
    }
    let store = TestStore(
      try model(EntityDescription("Dog", under: "Animal")),
      TestObject("Cat", 1),
      TestObject("Dog", 2),
      TestObject("Owner", 5, links: ["pet": [1], "pets": [1, 2]]),
      TestObject("Owner", 6, links: ["pet": [2]]),
      TestObject("Owner", 7)
    )
    let migrated = try migrate(store, to: model())
    #expect(
      try migrated.destination.rows(of: "ZOWNER", "Z_PK", "Z_ENT", "ZPET", "Z1_PET")
        == [[5, 3, 1, 2], [6, 3, nil, nil], [7, 3, nil, nil]]
    )
    #expect(try migrated.destination.rows(of: "Z_1OWNERS", "Z_1PETS", "Z_3OWNERS") == [[1, 5]])
    #expect(try migrated.destination.rows(of: "ZANIMAL") == [[1, 2, 1]])
    #expect(
      migrated.plan.warnings.contains(
        "Owner.pet leads to objects of Dog, which is removed: Core Data leaves their keys; bulkmigrate sets them "
          + "to nil"
      )
    )
    #expect(migrated.plan.warnings.contains("entity Dog is removed with 1 object"))
  }

  // formats/migration.md 4.8
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
      TestObject("Owner", 5, links: ["pet": [1]]),
      TestObject("Owner", 6)
    )
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZOWNER")
        == [[5, 3, 1, 1, 1], [6, 3, 1, nil, nil]]
    )
  }

  // formats/migration.md 4.20
  @Test func `a relationship that is new is nil`() throws {
    let source = try ManagedObjectModel.of(EntityDescription("Note"), EntityDescription("Tag"))
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [], [.toOne("tag", "Tag.notes")]),
      EntityDescription("Tag", [], [.toMany("notes", "Note.tag", isOrdered: true)])
    )
    let store = TestStore(source, TestObject("Note", 1), TestObject("Tag", 1))
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZNOTE") == [[1, 1, 1, nil, nil]]
    )
  }
}
