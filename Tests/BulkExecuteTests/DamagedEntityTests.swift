import BulkTestSupport
import Testing

/// The column with the entity number of a to-one relationship's object, where it contradicts the object.
struct DamagedEntityTests {
  private static func model(_ others: EntityDescription...) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: others + [
        EntityDescription("Animal"),
        EntityDescription("Cat", under: "Animal"),
        EntityDescription("Owner", [], [.toOne("pet", "Animal")]),
      ]
    )
  }

  /// Owners 5 to 10, of which some say a wrong entity of their animals, none, or no number.
  private func store(_ sql: String...) throws -> TestStore {
    var store = TestStore(
      try Self.model(),
      TestObject("Animal", 1),
      TestObject("Cat", 2),
      TestObject("Owner", 5, links: ["pet": [1]]),
      TestObject("Owner", 6, links: ["pet": [2]]),
      TestObject("Owner", 7, links: ["pet": [2]]),
      TestObject("Owner", 8)
    )
    store.sql = sql
    return store
  }

  @Test(arguments: ["99", "NULL", "'cat'", "3"])
  func `where the key leads to an object its entity takes the place of what stood there`(
    wrong: String
  ) throws {
    let migrated = try migrate(
      store("UPDATE ZOWNER SET Z1_PET = \(wrong) WHERE Z_PK = 6"),
      to: Self.model(EntityDescription("Aardvark"))
    )
    #expect(
      try migrated.destination.rows(of: "ZOWNER", "Z_PK", "ZPET", "Z2_PET")
        == [[5, 1, 2], [6, 2, 3], [7, 2, 3], [8, nil, nil]]
    )
    #expect(
      migrated.plan.warnings == [
        "1 value of ZOWNER.Z1_PET is not an entity to which ZPET may lead; "
          + "it becomes that of the object"
      ]
    )
  }

  @Test func `a number beside a dangling key is kept if it is one`() throws {
    let migrated = try migrate(
      store(
        "UPDATE ZOWNER SET ZPET = 77, Z1_PET = 99 WHERE Z_PK = 6",
        "UPDATE ZOWNER SET ZPET = 77 WHERE Z_PK = 7"
      ),
      to: Self.model(EntityDescription("Aardvark"))
    )
    #expect(
      try migrated.destination.rows(of: "ZOWNER", "Z_PK", "ZPET", "Z2_PET")
        == [[5, 1, 2], [6, 77, nil], [7, 77, 3], [8, nil, nil]]
    )
    #expect(migrated.plan.warnings == [])
  }

  /// Nothing is renumbered here, so records are copied.
  @Test(arguments: ["99", "NULL"])
  func `a damaged number is not copied`(wrong: String) throws {
    let source = try Self.model(EntityDescription("Other"))
    var store = TestStore(
      source,
      TestObject("Cat", 2),
      TestObject("Owner", 6, links: ["pet": [2]]),
      TestObject("Owner", 7, links: ["pet": [2]])
    )
    store.sql = ["UPDATE ZOWNER SET Z1_PET = \(wrong) WHERE Z_PK = 6"]
    let destination = try Self.model(EntityDescription("Other", [.optional("name")]))
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZOWNER", "Z_PK", "ZPET", "Z1_PET")
        == [[6, 2, 2], [7, 2, 2]]
    )
  }

  @Test func `an object that a narrowed relationship leads to is known in spite of a wrong number`()
    throws
  {
    let source = try Self.model()
    var store = TestStore(
      source,
      TestObject("Animal", 1),
      TestObject("Cat", 2),
      TestObject("Owner", 5, links: ["pet": [1]]),
      TestObject("Owner", 6, links: ["pet": [2]])
    )
    store.sql = ["UPDATE ZOWNER SET Z1_PET = 99"]
    let destination = try ManagedObjectModel.of(
      EntityDescription("Animal"),
      EntityDescription("Cat", under: "Animal"),
      EntityDescription("Kitten", under: "Cat"),
      EntityDescription("Owner", [], [.toOne("pet", "Cat")])
    )
    #expect(
      try migrate(store, to: destination).destination.rows(of: "ZOWNER", "Z_PK", "ZPET", "Z2_PET")
        == [[5, nil, nil], [6, 2, 2]]
    )
  }

  // MARK: Z_MAX

  /// The entity that had the key leaves, no object is left, or the only entity with objects is removed.
  @Test(arguments: [(false, true), (true, true), (true, false)])
  func `the highest key of a hierarchy is kept`(isAbstract: Bool, hasCats: Bool) throws {
    let animal = EntityDescription("Animal", isAbstract: isAbstract)
    var store = TestStore(
      try .of(animal, .init("Cat", under: "Animal")),
      TestObject("Cat", 9)
    )
    if !isAbstract { store.objects.append(TestObject("Animal", 1)) }
    let cats = hasCats ? [EntityDescription("Cat")] : []
    #expect(
      try migrate(store, to: ManagedObjectModel(entities: [animal] + cats)).destination
        .rows(of: "Z_PRIMARYKEY", "Z_NAME", "Z_MAX")
        == [["Animal", 9]] + (hasCats ? [["Cat", 9]] : [])
    )
  }
}
