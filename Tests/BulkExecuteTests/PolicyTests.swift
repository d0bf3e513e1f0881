import BulkTestSupport
import Testing

struct PolicyTests {
  /// Many persons share an address, which becomes an object of its own.
  private static let personToAddress = Making { source, mapping, manager in
    let street = try source["street"] ?? .null
    let address = try manager.findOrInsert("Address", with: ["street": street])
    var person = try manager.evaluate(mapping, forSource: source)
    try person.setObject(address, for: "address")
    try manager.insert(person, forSource: source, in: mapping)
  }

  @Test func `an address is found again for every person who lives there`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Person", [.optional("name"), .optional("street")])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription("Address", [.optional("street")], [.toMany("people", "Person.address")]),
      EntityDescription("Person", [.optional("name")], [.toOne("address", "Address.people")])
    )
    let store = TestStore(
      source,
      TestObject("Person", 1, ["name": "Ann", "street": "High Street"]),
      TestObject("Person", 2, ["name": "Bob", "street": "Low Street"]),
      TestObject("Person", 4, ["name": "Cid", "street": "High Street"]),
      TestObject("Person", 5, ["name": "Dee"])
    )
    let migrated = try migrate(
      store,
      to: destination,
      policies: ["Notes.PersonToAddress": Self.personToAddress],
      by: .of("Person", "Person", policy: "PersonToAddress", ["name": "$source.name"])
    )
    #expect(
      try migrated.destination.rows(of: "ZPERSON", "Z_PK", "ZADDRESS", "ZNAME")
        == [[1, 1, "Ann"], [2, 2, "Bob"], [4, 1, "Cid"], [5, 3, "Dee"]]
    )
    #expect(
      try migrated.destination.rows(of: "ZADDRESS", "Z_PK", "Z_ENT", "Z_OPT", "ZSTREET")
        == [[1, 1, 1, "High Street"], [2, 1, 1, "Low Street"], [3, 1, 1, nil]]
    )
    #expect(
      try migrated.destination.rows(of: "Z_PRIMARYKEY", "Z_ENT", "Z_NAME", "Z_MAX")
        == [[1, "Address", 3], [2, "Person", 5]]
    )
  }

  /// Asks, while objects are made, for what other mappings made, and for new objects.
  private static let curious = Making { source, mapping, manager in
    let mark = try manager.findOrInsert("Mark", with: ["name": try source["name"] ?? .null])
    let first = try manager.sourceInstances(
      forEntityMappingNamed: "TagToTag",
      destinationKeys: [source.objectID.key]
    )
    var house = try manager.evaluate(mapping, forSource: source)
    try house.setValue(.string("\(first.map(\.key)) \(mark.key)"), forKey: "name")
    try manager.insert(house, forSource: source, in: mapping)
  }

  /// A query that asks for partners is under way while the policy makes its memory.
  @Test func `a policy may remember and ask in the midst of rows with relationships`() throws {
    let city = EntityDescription("City", [.optional("name")], [.toMany("houses", "House.city")])
    let house = EntityDescription("House", [.optional("name")], [.toOne("city", "City.houses")])
    // The relationship keeps tags in the pass of the houses.
    let tag = EntityDescription("Tag", [.optional("name")], [.toOne("house", "House")])
    let mark = EntityDescription("Mark", [.optional("name")])
    let store = TestStore(
      try ManagedObjectModel.of(city, house, tag),
      TestObject("City", 4, links: ["houses": [1, 2]]),
      TestObject("House", 1, ["name": "x"]),
      TestObject("House", 2, ["name": "y"]),
      TestObject("House", 3, ["name": "x"]),
      TestObject("Tag", 2, ["name": "a b"])
    )
    let migrated = try migrate(
      store,
      to: try ManagedObjectModel.of(city, house, tag, mark),
      policies: ["Curious": Self.curious, "Split": Self.split],
      by: .of("City", "City"),
      .of("Tag", "Tag", policy: "Split"),
      .of(
        "House",
        "House",
        policy: "Curious",
        [:],
        ["city": instances("CityToCity", "$source.city")]
      )
    )
    // Tag 2 became tags 2 and 3.
    let houses = try migrated.destination.rows(of: "ZHOUSE", "Z_PK", "ZCITY", "ZNAME")
    #expect(
      houses
        == [[1, 4, "[] 1"], [2, 4, "[2] 2"], [3, nil, "[2] 1"]]
    )
  }

  /// Tags are of another pass here, which comes later.
  @Test func `a policy is told that the objects it asks for are not made yet`() throws {
    let house = EntityDescription("House", [.optional("name")])
    let tag = EntityDescription("Tag", [.optional("name")])
    let mark = EntityDescription("Mark", [.optional("name")])
    let planned = try Planned(
      TestStore(
        try ManagedObjectModel.of(house, tag),
        TestObject("House", 1, ["name": "x"]),
        TestObject("Tag", 1, ["name": "a"])
      ),
      to: try ManagedObjectModel.of(house, tag, mark),
      by: [.of("Tag", "Tag"), .of("House", "House", policy: "Curious")]
    )
    #expect(
      failure(of: planned, policies: ["Curious": Self.curious])
        == "entity mapping HouseToHouse, policy Curious, createDestinationInstances, House 1: "
        + "the objects of entity mapping TagToTag are not made yet; no destination was made"
    )
  }

  /// Drops what has no name, and splits a name of two words into two objects.
  private static let split = Making { source, mapping, manager in
    guard case .string(let name) = try source["name"] else { return }
    for word in name.split(separator: " ") {
      var instance = try manager.evaluate(mapping, forSource: source)
      try instance.setValue(.string(String(word)), forKey: "name")
      try manager.insert(instance, forSource: source, in: mapping)
    }
  }

  /// Makes two objects at a time, and sets of each only what its source object has.
  private static let pair = Making { source, mapping, manager in
    var first = try manager.makeInstance(ofEntity: "Node")
    var second = try manager.makeInstance(ofEntity: "Node")
    let name = try source["name"]
    if let name {
      try first.setValue(name, forKey: "name")
      try first.setObject(source.objectID, for: "parent")
      try second.setValue(source["size"], forKey: "size")
    }
    try manager.insert(first, forSource: source, in: mapping)
    if name != nil { try manager.insert(second, forSource: source, in: mapping) }
  }

  @Test func `an object has default values whatever the one before it had`() throws {
    let node = EntityDescription(
      "Node",
      [
        .optional("name", default: .string("none")),
        .optional("size", .integer16, default: .integer(3)),
      ],
      [.toOne("parent", "Node.children"), .toMany("children", "Node.parent")]
    )
    let migrated = try migrate(
      TestStore(
        try ManagedObjectModel.of(node),
        TestObject("Node", 1, ["name": "a", "size": 7]),
        TestObject("Node", 2, ["size": 8]),
        TestObject("Node", 4, ["name": "b", "size": 9]),
        TestObject("Node", 5, ["name": "c"])
      ),
      to: try ManagedObjectModel.of(node, EntityDescription("New")),
      policies: ["Pair": Self.pair],
      by: .of("Node", "Node", policy: "Pair")
    )
    #expect(
      try migrated.destination.rows(of: "ZNODE", "Z_PK", "ZNAME", "ZSIZE", "ZPARENT")
        == [
          [1, "a", 3, 1], [2, "none", 3, nil], [4, "b", 3, 4], [5, "c", 3, 5],
          [6, "none", 7, nil], [7, "none", 9, nil], [8, "none", nil, nil],
        ]
    )
  }

  private static let tree = EntityDescription(
    "Node",
    [.optional("name")],
    [.toOne("parent", "Node.children"), .toMany("children", "Node.parent")]
  )

  private static func nodes(_ objects: TestObject..., by mapping: EntityMapping) throws -> Planned {
    var store = TestStore(try .of(tree))
    store.objects = objects
    return try Planned(store, to: .of(tree, .init("New")), by: [mapping])
  }

  private static func rows(_ migrated: Migrated) throws -> [[StoredValue]] {
    try migrated.destination.rows(of: "ZNODE", "Z_PK", "ZPARENT", "ZNAME")
  }

  private final class LastManager: @unchecked Sendable {
    weak var manager: MigrationManager?
  }

  /// A run may go on in the same process, with a memory limit of its own.
  @Test func `a manager does not outlive a run that fails`() throws {
    let last = LastManager()
    let evaluating = Making { source, mapping, manager in
      last.manager = manager
      _ = try manager.evaluate(mapping, forSource: source)
      throw PolicyError("enough")
    }
    let planned = try Self.nodes(
      TestObject("Node", 1, ["name": "a"]),
      by: .of("Node", "Node", policy: "Evaluating", ["name": "uppercase:($source.name)"])
    )
    #expect(
      failure(of: planned, policies: ["Evaluating": evaluating])
        == "entity mapping NodeToNode, policy Evaluating, createDestinationInstances, Node 1: enough; "
        + "no destination was made"
    )
    #expect(last.manager == nil)
  }

  /// Makes one object of all that have a name, and associates each of them with it.
  private static let merge = Making { source, mapping, manager in
    let node = try manager.findOrInsert("Node", with: ["name": try source["name"] ?? .null])
    try manager.associate(sourceInstance: source, withDestinationInstance: node, for: mapping)
  }

  /// An error in Core Data (formats/migration.md 8.9).
  @Test func `an object of several source objects breaks a rule where the mapping relates it`()
    throws
  {
    func merged(_ relationships: [String: String] = [:]) throws -> Planned {
      try Self.nodes(
        TestObject("Node", 1, ["name": "a"]),
        TestObject("Node", 2, ["name": "b"]),
        TestObject("Node", 5, ["name": "a"], links: ["parent": [2]]),
        TestObject("Node", 6, ["name": "a"], links: ["parent": [2]]),
        by: .of("Node", "Node", policy: "Merge", [:], relationships)
      )
    }
    let related = try merged(["parent": instances("NodeToNode", "$source.parent")])
    #expect(
      failure(of: related, policies: ["Merge": Self.merge]).contains(
        """
          Node.parent: one source object, unless createRelationships of the policy sets the relationships: \
        broken by 1 object
            key 7, from Node 1: Node 1 and Node 5
        """
      )
    )
    let unrelated = try migrated(merged(), policies: ["Merge": Self.merge])
    #expect(try Self.rows(unrelated) == [[7, nil, "a"], [8, nil, "b"]])
  }

  @Test func `dropped objects leave relationships, and split ones keep the first key`() throws {
    let planned = try Self.nodes(
      TestObject("Node", 1, ["name": "a b"], links: ["parent": [3]]),
      TestObject("Node", 2, links: ["parent": [1]]),
      TestObject("Node", 3, ["name": "c"], links: ["parent": [1]]),
      TestObject("Node", 4, ["name": "d"], links: ["parent": [2]]),
      by: .of(
        "Node",
        "Node",
        policy: "Tree.Split",
        [:],
        ["parent": instances("NodeToNode", "$source.parent") + "[FIRST]"]
      )
    )
    // Key 5 is the second object of source 1, behind the highest key that is kept.
    #expect(
      try Self.rows(migrated(planned, policies: ["Split": Self.split]))
        == [[1, 3, "a"], [3, 1, "c"], [4, nil, "d"], [5, 3, "b"]]
    )
  }

  @Test func `a policy that is not there, and the object of an error, are named`() throws {
    let failing = Making { source, _, _ in
      if source.objectID.key == 2 { throw PolicyError("its name is not to be used") }
    }
    let planned = try Self.nodes(
      TestObject("Node", 1),
      TestObject("Node", 2),
      by: .of("Node", "Node", policy: "Notes.Failing")
    )
    #expect(
      failure(of: planned)
        == "there is no policy Notes.Failing, which entity mapping NodeToNode needs; "
        + "this program has none, and --policy names none; no destination was made"
    )
    #expect(
      failure(of: planned, policies: ["Failing": failing])
        == "entity mapping NodeToNode, policy Notes.Failing, createDestinationInstances, Node 2: "
        + "its name is not to be used; no destination was made"
    )
    #expect(!planned.isMade)
  }

  /// Answers functions of expressions, as `$entityPolicy`.
  private struct Answering: EntityMigrationPolicy {
    func value(
      ofFunction selector: String,
      arguments: [AttributeValue],
      manager: MigrationManager
    ) throws -> AttributeValue {
      guard selector == "shout:times:", case .string(let text) = arguments[0],
        case .integer(let count) = arguments[1]
      else { return .null }
      return .string(text.uppercased() + String(repeating: "!", count: Int(count)))
    }

    func destinationInstances(
      ofFunction selector: String,
      arguments: [AttributeValue],
      forSource source: ObjectID,
      manager: MigrationManager
    ) throws -> [ObjectID] {
      // Every object but the last becomes a child of the next.
      try manager.destinationInstances(
        forEntityMappingNamed: "NodeToNode",
        sourceKeys: [source.key + 1]
      )
    }

    func createRelationships(
      forDestination destination: ObjectID,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let sources = try manager.sourceInstances(
        forEntityMappingNamed: mapping.name,
        destinationKeys: [destination.key]
      )
      manager.userInfo["sum"] = .integer(
        sources.reduce(0) { $0 + $1.key } + (manager.userInfo["sum"]?.number ?? 0)
      )
    }

    func performCustomValidation(
      forMapping mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      guard manager.userInfo["sum"] == .integer(6) else { throw PolicyError("the sum is wrong") }
    }
  }

  @Test func `functions of a policy give values and objects`() throws {
    let planned = try Self.nodes(
      TestObject("Node", 1, ["name": "a"]),
      TestObject("Node", 2, ["name": "b"]),
      TestObject("Node", 3),
      by: .of(
        "Node",
        "Node",
        policy: "Answering",
        ["name": "FUNCTION($entityPolicy, 'shout:times:', $source.name, 2)"],
        ["parent": "FUNCTION($entityPolicy, 'next:', $source)"]
      )
    )
    #expect(
      try Self.rows(migrated(planned, policies: ["Answering": Answering()]))
        == [[1, 2, "A!!"], [2, 3, "B!!"], [3, nil, nil]]
    )
  }

  @Test func `a function of a policy needs a policy`() throws {
    let text = failure {
      try Self.nodes(
        TestObject("Node", 1),
        by: .of(
          "Node",
          "Node",
          ["name": "FUNCTION($entityPolicy, 'name')"],
          ["parent": "FUNCTION($entityPolicy, 'parent')"]
        )
      )
    }
    let mapping = "entity mapping NodeToNode"
    let missing = "is sent to a policy, but the mapping has none"
    #expect(
      text.split(separator: "\n").map { String($0.split(separator: "/").last ?? "") } == [
        "all.json:11:44: \(mapping), attribute name: name \(missing)",
        "all.json:14:46: \(mapping), relationship parent: parent \(missing)",
      ]
    )
  }
}

extension AttributeValue {
  fileprivate var number: Int64? {
    guard case .integer(let number) = self else { return nil }
    return number
  }
}
