import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import Testing

/// Relationships of which only objects of a subentity are left, however their pairs are kept before and
/// afterwards.
@Suite("Relationships that narrow to a subentity")
struct NarrowedRelationshipTests {
  private static let content = PropertyKey("Box", "content")

  private func schema(_ model: ManagedObjectModel) -> StoreSchema {
    StoreSchema(model)
  }

  /// A model of boxes with items, or with special items only.
  private func boxes(_ form: RelationshipForm, of member: String) throws -> ManagedObjectModel {
    let holder = form.holder(of: "Box")
    return try .of(
      EntityDescription("Box", [], [form.content(of: member)]),
      EntityDescription("Item", [], member == "Item" ? holder : []),
      EntityDescription("Special", under: "Item", [], member == "Special" ? holder : [])
    )
  }

  @Test(arguments: RelationshipForm.allCases, RelationshipForm.allCases)
  func `members of other entities fall out`(
    before: RelationshipForm,
    after: RelationshipForm
  ) throws {
    var store = TestStore(
      try boxes(before, of: "Item"),
      TestObject("Box", 1, links: ["content": [11]]),
      TestObject("Box", 2, links: ["content": [13]]),
      TestObject("Item", 11),
      TestObject("Item", 12),
      TestObject("Special", 13),
      TestObject("Special", 14)
    )
    store.givePlaces()
    let model = try boxes(after, of: "Special")
    let migrated = try migrate(store, to: model).destination
    #expect(try migrated.pairs(of: Self.content, in: schema(model)) == [[2, 13]])
    #expect(try migrated.columnsWithoutTheirKeys(in: schema(model)) == [])
  }

  /// A model of items with boxes, or of special items with boxes.
  private func items(_ form: RelationshipForm, of owner: String) throws -> ManagedObjectModel {
    let content = [form.content(of: "Box")]
    return try .of(
      EntityDescription("Box", [], form.holder(of: owner)),
      EntityDescription("Item", [], owner == "Item" ? content : []),
      EntityDescription("Special", under: "Item", [], owner == "Special" ? content : [])
    )
  }

  @Test(arguments: RelationshipForm.allCases, RelationshipForm.allCases)
  func `owners of other entities lose their members`(
    before: RelationshipForm,
    after: RelationshipForm
  ) throws {
    var store = TestStore(
      try items(before, of: "Item"),
      TestObject("Box", 1),
      TestObject("Box", 2),
      TestObject("Item", 11, links: ["content": [1]]),
      TestObject("Item", 12),
      TestObject("Special", 13, links: ["content": [2]]),
      TestObject("Special", 14)
    )
    store.givePlaces()
    let model = try items(after, of: "Special")
    let migrated = try migrate(store, to: model).destination
    #expect(
      try migrated.pairs(of: PropertyKey("Special", "content"), in: schema(model)) == [[13, 2]]
    )
    #expect(try migrated.columnsWithoutTheirKeys(in: schema(model)) == [])
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
    var store = TestStore(
      try boxes(before, of: "Item"),
      TestObject("Box", 1, links: ["content": [11, 12, 13, 14]]),
      TestObject("Box", 2, links: ["content": [15]]),
      TestObject("Item", 11),
      TestObject("Item", 12),
      TestObject("Special", 13),
      TestObject("Special", 14),
      TestObject("Special", 15)
    )
    store.givePlaces()
    let model = try boxes(after, of: "Special")
    let migrated = try migrate(store, to: model)
    #expect(
      try migrated.destination.pairs(of: Self.content, in: schema(model)) == [[1, 13], [2, 15]]
    )
    #expect(try migrated.destination.columnsWithoutTheirKeys(in: schema(model)) == [])
  }

  @Test func `the first of several owners is chosen among those that are left`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Box", [], [.toMany("content", "Item", inverse: "boxes")]),
      EntityDescription("Item", [], [.toMany("boxes", "Box", inverse: "content")]),
      EntityDescription("Large", under: "Box")
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Box"),
      EntityDescription("Item", [], [.toOne("box", "Large", inverse: "content", id: "boxes")]),
      EntityDescription("Large", under: "Box", [], [.toMany("content", "Item", inverse: "box")])
    )
    let store = TestStore(
      source,
      TestObject("Box", 1, links: ["content": [11, 12]]),
      TestObject("Large", 2, links: ["content": [11]]),
      TestObject("Large", 3, links: ["content": [11]]),
      TestObject("Item", 11),
      TestObject("Item", 12)
    )
    let migrated = try migrate(store, to: destination)
    #expect(try migrated.destination.rows(of: "ZITEM", "Z_PK", "ZBOX") == [[11, 2], [12, nil]])
    #expect(
      migrated.plan.warnings == [
        "Item.box becomes to-one: Core Data refuses this; bulkmigrate keeps the first of several objects",
        "ZITEM.ZBOX keeps the first of several objects; 1 is dropped from the relationship",
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
