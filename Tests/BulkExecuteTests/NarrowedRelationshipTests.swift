import BulkTestSupport
import Testing

/// Relationships of which only objects of a subentity are left, however their pairs are kept before and
/// afterwards.
struct NarrowedRelationshipTests {
  private static func model(
    _ form: RelationshipForm,
    from owner: String,
    to member: String
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: ["Box", "Item", "Special"].map { name in
        EntityDescription(
          name,
          under: name == "Special" ? "Item" : nil,
          [],
          (name == owner ? [form.content(of: member)] : [])
            + (name == member ? form.holder(of: owner) : [])
        )
      }
    )
  }

  /// The pairs that are left of those of boxes 1 and 2, items 11 and 12 and special items 13 to 15.
  private func pairs(
    _ links: [Int64: [Int64]],
    of before: RelationshipForm,
    from owner: String,
    to member: String,
    as after: RelationshipForm
  ) throws -> [[StoredValue]] {
    let (newOwner, newMember) = owner == "Item" ? ("Special", member) : (owner, "Special")
    let model = try Self.model(after, from: newOwner, to: newMember)
    var store = TestStore(try Self.model(before, from: owner, to: member))
    let keys: [Int64] = [1, 2, 11, 12, 13, 14, 15]
    store.objects = keys.map { key in
      TestObject(
        key < 3 ? "Box" : key < 13 ? "Item" : "Special",
        key,
        links: links[key].map { ["content": $0] } ?? [:]
      )
    }
    store.givePlaces()
    let made = try migrate(store, to: model).destination
    let schema = StoreSchema(model)
    #expect(try made.columnsWithoutTheirKeys(in: schema) == [])
    return try made.pairs(of: PropertyKey(newOwner, "content"), in: schema).map {
      Array($0.prefix(2))
    }
  }

  @Test(arguments: RandomSeeds.some(of: RelationshipForm.pairs, every: 7))
  func `members and owners of other entities fall out`(
    before: RelationshipForm,
    after: RelationshipForm
  ) throws {
    #expect(
      try pairs([1: [11], 2: [13]], of: before, from: "Box", to: "Item", as: after) == [[2, 13]]
    )
    #expect(
      try pairs([11: [1], 13: [2]], of: before, from: "Item", to: "Box", as: after) == [[13, 2]]
    )
  }

  /// Of several the first is taken that may be taken.
  @Test(
    arguments: [
      RelationshipForm.toMany, .toManyInOrder, .oneToMany, .oneToManyInOrder, .manyToMany,
      .manyToManyInOrder,
    ],
    [RelationshipForm.toOne, .oneToOne, .manyToOne]
  )
  func `the first of several members is chosen among those that are left`(
    before: RelationshipForm,
    after: RelationshipForm
  ) throws {
    let links: [Int64: [Int64]] = [1: [11, 12, 13, 14], 2: [15]]
    #expect(
      try pairs(links, of: before, from: "Box", to: "Item", as: after) == [[1, 13], [2, 15]]
    )
  }

  @Test func `the first of several owners is chosen among those that are left`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Box", [], [.toMany("content", "Item.boxes")]),
      EntityDescription("Item", [], [.toMany("boxes", "Box.content")]),
      EntityDescription("Large", under: "Box")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Box"),
      EntityDescription("Item", [], [.toOne("box", "Large.content", id: "boxes")]),
      EntityDescription("Large", under: "Box", [], [.toMany("content", "Item.box")])
    )
    let store = TestStore(
      source,
      TestObject("Box", 1, links: ["content": [11, 12]]),
      TestObject("Large", 2, links: ["content": [11]]),
      TestObject("Large", 3, links: ["content": [11]]),
    )
    let migrated = try migrate(store, to: destination)
    #expect(try migrated.destination.rows(of: "ZITEM", "Z_PK", "ZBOX") == [[11, 2], [12, nil]])
    #expect(
      migrated.plan.warnings == [
        "Item.box becomes to-one: Core Data refuses this; bulkmigrate keeps the first of several objects",
        "Item.box keeps the first of several objects; 1 is dropped from the relationship",
      ]
    )
  }

  @Test func `the first of several members is chosen among those that are not removed`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Animal"),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Dog", under: "Animal"),
      EntityDescription("Owner", [], [.toMany("pets", "Animal")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Animal"),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Owner", [], [.toOne("pet", "Animal", id: "pets")])
    )
    let store = TestStore(
      source,
      TestObject("Dog", 1),
      TestObject("Cat", 2),
      TestObject("Owner", 5, links: ["pets": [1, 2]])
    )
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZOWNER", "Z_PK", "ZPET", "Z1_PET")
        == [[5, 2, 2]]
    )
  }
}
