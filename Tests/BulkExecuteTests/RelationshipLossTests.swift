import BulkTestSupport
import Testing

struct RelationshipLossTests {
  private static func pets(_ relationship: RelationshipDescription) throws -> ManagedObjectModel {
    try .of(
      .init("Animal", isAbstract: true),
      .init("Cat", under: "Animal"),
      .init("Dog", under: "Animal"),
      .init("Owner", [], [relationship])
    )
  }

  /// Two owners with a cat and a dog.
  private static func store(
    _ name: String,
    _ relationship: RelationshipDescription
  ) throws
    -> TestStore
  {
    TestStore(
      try pets(relationship),
      TestObject("Cat", 1),
      TestObject("Dog", 2),
      TestObject("Owner", 1, links: [name: [1]]),
      TestObject("Owner", 2, links: [name: [2]])
    )
  }

  private static let owner = instances("DogToDog", "$source.pet")

  @Test(arguments: [true, false])
  func `objects that only other mappings read are told apart from those that none reads`(
    isCatMade: Bool
  ) throws {
    let pet = RelationshipDescription.toOne("pet", "Animal")
    let mappings = try [
      EntityMapping.of("Cat", "Cat"), .of("Dog", "Dog"),
      .of("Owner", "Owner", [:], ["pet": Self.owner]),
    ]
    let made = try migrated(
      Planned(
        Self.store("pet", pet),
        to: Self.pets(pet),
        by: isCatMade ? mappings : Array(mappings.dropFirst())
      )
    )
    #expect(made.losses == (isCatMade ? [:] : ["Owner.pet": 1]))
    #expect(made.overlooked == (isCatMade ? ["Owner.pet": 1] : [:]))
  }

  /// Places of ordered members that different mappings make follow from all assignments together.
  @Test(arguments: [(true, ["Cat.owners": 1]), (false, [:])])
  func `links that are sorted are told apart as well`(
    isCatMade: Bool,
    overlooked: [String: Int64]
  ) throws {
    func model() throws -> ManagedObjectModel {
      try .of(
        .init("Animal", isAbstract: true, [], [.toMany("owners", "Owner.pets")]),
        .init("Cat", under: "Animal"),
        .init("Dog", under: "Animal", [.optional("name")]),
        .init("Owner", [], [.toMany("pets", "Animal.owners", isOrdered: true)])
      )
    }
    let store = TestStore(
      try model(),
      TestObject("Cat", 1),
      TestObject("Dog", 2, ["name": "a"]),
      TestObject("Owner", 1, links: ["pets": [1, 2]])
    )
    let dogs = try EntityMapping.of("Dog", "Dog", where: "name != nil", ["name": "$source.name"])
    let owners = try EntityMapping.of(
      "Owner",
      "Owner",
      [:],
      ["pets": instances("DogToDog", "$source.pets")]
    )
    let cats = try EntityMapping.of("Cat", "Cat")
    let planned = try Planned(store, to: model(), by: (isCatMade ? [cats] : []) + [dogs, owners])
    let made = try migrated(planned)
    #expect(made.losses == (isCatMade ? [:] : ["Cat.owners": 1]))
    #expect(made.overlooked == overlooked)
  }

  @Test func `a key that leads to no row is not an object that is lost`() throws {
    let pet = RelationshipDescription.toOne("pet", "Animal")
    var store = try Self.store("pet", pet)
    store.sql = ["UPDATE ZOWNER SET ZPET = 77 WHERE Z_PK = 1"]
    let made = try migrate(
      store,
      to: Self.pets(pet),
      by: .of("Dog", "Dog"),
      .of("Owner", "Owner", [:], ["pet": Self.owner])
    )
    #expect(made.losses == [:])
    #expect(try made.destination.rows(of: "ZOWNER", "Z_PK", "ZPET") == [[1, nil], [2, 2]])
  }
}
