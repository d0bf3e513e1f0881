import BulkTestSupport
import Testing

/// A relationship that is its own inverse: a pair holds in both directions, whichever is stored.
struct SelfInverseTests {
  private static func person(
    _ relationships: RelationshipDescription...
  ) throws
    -> ManagedObjectModel
  {
    try .of(EntityDescription("Person", [], relationships))
  }

  private static func friends(isOrdered: Bool = false) throws -> ManagedObjectModel {
    try person(.toMany("friends", "Person.friends", isOrdered: isOrdered))
  }

  private static func friend() throws -> ManagedObjectModel {
    try person(.toOne("friend", "Person.friend", id: "friends"))
  }

  /// People 1 to 5 with friends.
  private func store(
    _ model: ManagedObjectModel,
    _ links: [Int64: [Int64]],
    of name: String = "friends"
  ) -> TestStore {
    var store = TestStore(model)
    store.objects = (1...5).map {
      TestObject("Person", $0, links: links[$0].map { [name: $0] } ?? [:])
    }
    return store
  }

  // MARK: To-one

  @Test(
    arguments: [
      ([1: [2, 3]], [[1, 2], [2, 1], [3, nil], [4, nil], [5, nil]]),
      ([2: [1], 3: [1]], [[1, 2], [2, 1], [3, nil], [4, nil], [5, nil]]),
      ([1: [2, 3], 2: [1], 3: [1]], [[1, 2], [2, 1], [3, nil], [4, nil], [5, nil]]),
      ([1: [2], 2: [3], 3: [4]], [[1, 2], [2, 1], [3, nil], [4, nil], [5, nil]]),
      ([1: [2], 3: [4]], [[1, 2], [2, 1], [3, 4], [4, 3], [5, nil]]),
      ([1: [5], 5: [2], 3: [4]], [[1, 5], [2, nil], [3, 4], [4, 3], [5, 1]]),
      ([3: [3]], [[1, nil], [2, nil], [3, 3], [4, nil], [5, nil]]),
    ] as [([Int64: [Int64]], [[StoredValue]])]
  )
  func `a pair is kept where each is the first of the other`(
    links: [Int64: [Int64]],
    kept: [[StoredValue]]
  ) throws {
    let migrated = try migrate(store(Self.friends(), links), to: Self.friend())
    #expect(try migrated.destination.rows(of: "ZPERSON", "Z_PK", "ZFRIEND") == kept)
  }

  @Test func `the first of a self-inverse relationship is that with the first place`() throws {
    let migrated = try migrate(
      store(Self.friends(isOrdered: true), [1: [3, 2]]),
      to: Self.friend()
    )
    #expect(
      try migrated.destination.rows(of: "ZPERSON", "Z_PK", "ZFRIEND")
        == [[1, 3], [2, nil], [3, 1], [4, nil], [5, nil]]
    )
  }

  @Test func `what falls out of a self-inverse relationship that becomes to-one is counted`() throws
  {
    let planned = try Planned(store(Self.friends(), [1: [2, 3], 3: [1, 4]]), to: Self.friend())
    #expect(
      planned.plan.warnings
        == [
          "Person.friend becomes to-one: Core Data refuses this; bulkmigrate keeps the first of several objects",
          "Person.friend keeps the first of several objects; 2 are dropped from the relationship",
        ]
    )
  }

  @Test func `a to-one relationship that becomes its own inverse holds in both directions`() throws
  {
    let source = try Self.person(.toOne("next", "Person"))
    let destination = try Self.person(.toOne("friend", "Person.friend", id: "next"))
    let migrated = try migrate(
      store(source, [1: [2], 3: [2], 4: [5], 5: [4]], of: "next"),
      to: destination
    )
    #expect(
      try migrated.destination.rows(of: "ZPERSON", "Z_PK", "ZFRIEND")
        == [[1, 2], [2, 1], [3, nil], [4, 5], [5, 4]]
    )
  }

  @Test func `a self-inverse to-one relationship stays as it is`() throws {
    let source = try Self.person(.toOne("friend", "Person.friend"))
    let destination = try ManagedObjectModel.of(
      EntityDescription("Animal"),
      EntityDescription("Person", [], [.toOne("friend", "Person.friend")])
    )
    let migrated = try migrate(store(source, [1: [4], 2: [3]], of: "friend"), to: destination)
    #expect(
      try migrated.destination.rows(of: "ZPERSON", "Z_PK", "ZFRIEND")
        == [[1, 4], [2, 3], [3, 2], [4, 1], [5, nil]]
    )
  }

  // MARK: Other kinds

  @Test(arguments: [false, true])
  func `objects of both directions are counted, each once`(isOrdered: Bool) throws {
    let planned = try Planned(
      store(Self.friends(isOrdered: isOrdered), [1: [2, 3], 2: [1], 4: [1]]),
      to: .of(
        EntityDescription(
          "Person",
          [.optional("count", .integer16), .optional("some", .integer16)]
        )
      ),
      by: [
        .of(
          "Person",
          "Person",
          where: "friends.@count > 0",
          [
            "count": "$source.friends.@count",
            "some": "SUBQUERY($source.friends, $f, $f.friends.@count > 1).@count",
          ]
        )
      ]
    )
    _ = try planned.run { $0.lossLimit = .all }
    #expect(
      try planned.made.rows(of: "ZPERSON", "Z_PK", "ZCOUNT", "ZSOME")
        == [[1, 3, 0], [2, 1, 1], [3, 1, 1], [4, 1, 1]]
    )
  }

  @Test func `friends of people stay friends where the inverse is lost`() throws {
    let destination = try Self.person(.toMany("pals", "Person", id: "friends"))
    let migrated = try migrate(store(Self.friends(), [1: [2], 4: [3]]), to: destination)
    #expect(
      try migrated.destination.rows(of: "ZPERSON", "Z_PK", "Z1PALS")
        == [[1, 2], [2, 1], [3, 4], [4, 3], [5, nil]]
    )
  }

  @Test func `both directions of a pair are kept where the inverse becomes another relationship`()
    throws
  {
    let destination = try Self.person(
      .toMany("friends", "Person.admirers"),
      .toMany("admirers", "Person.friends")
    )
    let migrated = try migrate(store(Self.friends(), [1: [2], 4: [3]]), to: destination)
    let names = try migrated.destination.tables().map { "\($0)" }.joined()
    let table = names.contains("Z_1FRIENDS") ? "Z_1FRIENDS" : "Z_1ADMIRERS"
    #expect(
      try migrated.destination.rows(
        "SELECT Z_1ADMIRERS, Z_1FRIENDS FROM \(table) ORDER BY 1, 2"
      ) == [[1, 2], [2, 1], [3, 4], [4, 3]]
    )
  }

  // MARK: Order

  @Test(
    arguments: [
      ([1: [3], 2: [3]], [[1, 3, 2048], [2, 3, 3072]]),
      ([1: [3, 2]], [[1, 2, 2048], [1, 3, 3072]]),
      ([1: [2, 3], 2: [3]], [[1, 2, 2048], [1, 3, 3072], [2, 3, 4096]]),
      ([1: [2], 2: [1], 3: [1]], [[1, 2, 2048], [2, 1, 2048], [3, 1, 3072]]),
    ] as [([Int64: [Int64]], [[StoredValue]])]
  )
  func `no two members of an owner get the same place`(
    links: [Int64: [Int64]],
    places: [[StoredValue]]
  ) throws {
    let migrated = try migrate(
      store(Self.friends(), links),
      to: Self.friends(isOrdered: true)
    )
    #expect(
      try migrated.destination.rows(
        "SELECT Z_1FRIENDS, REFLEXIVE, Z_FOK_REFLEXIVE FROM Z_1FRIENDS ORDER BY 1, 2"
      ) == places
    )
  }
}
