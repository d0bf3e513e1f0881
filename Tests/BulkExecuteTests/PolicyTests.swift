import BulkExecute
import BulkMapping
import BulkModel
import BulkTestSupport
import Testing

/// Migration policies: what they make, what they find, and how they fail.
@Suite("Migration policies")
struct PolicyTests {
  /// E-4 of requirements.md: many persons share an address, which becomes an object of its own.
  private struct PersonToAddress: EntityMigrationPolicy {
    func createDestinationInstances(
      forSource source: borrowing SourceInstance,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let address = try manager.findOrInsert("Address", with: ["street": source["street"] ?? .null])
      var person = try manager.evaluate(mapping, forSource: source)
      try person.setObject(address, for: "address")
      try manager.insert(person, forSource: source, in: mapping)
    }
  }

  @Test func `an address is found again for every person who lives there`() throws {
    let source = try ManagedObjectModel.of(
      EntityDescription("Person", [.optional("name", .string), .optional("street", .string)])
    )
    let destination = try ManagedObjectModel.of(
      EntityDescription(
        "Address",
        [.optional("street", .string)],
        [.toMany("people", "Person", inverse: "address")]
      ),
      EntityDescription(
        "Person",
        [.optional("name", .string)],
        [.toOne("address", "Address", inverse: "people")]
      )
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
      policies: ["Notes.PersonToAddress": PersonToAddress()],
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

  /// Drops what has no name, and splits a name of two words into two objects.
  private struct Split: EntityMigrationPolicy {
    func createDestinationInstances(
      forSource source: borrowing SourceInstance,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      guard case .string(let name) = source["name"] else { return }
      for word in name.split(separator: " ") {
        var instance = try manager.evaluate(mapping, forSource: source)
        instance["name"] = .string(String(word))
        try manager.insert(instance, forSource: source, in: mapping)
      }
    }
  }

  private static let tree = EntityDescription(
    "Node",
    [.optional("name", .string)],
    [.toOne("parent", "Node", inverse: "children"), .toMany("children", "Node", inverse: "parent")]
  )

  @Test func `dropped objects leave relationships, and split ones keep the first key`() throws {
    let model = try ManagedObjectModel.of(Self.tree)
    let store = TestStore(
      model,
      TestObject("Node", 1, ["name": "a b"], links: ["parent": [3]]),
      TestObject("Node", 2, links: ["parent": [1]]),
      TestObject("Node", 3, ["name": "c"], links: ["parent": [1]]),
      TestObject("Node", 4, ["name": "d"], links: ["parent": [2]])
    )
    let destination = try ManagedObjectModel.of(Self.tree, EntityDescription("New"))
    let migrated = try migrate(
      store,
      to: destination,
      policies: ["Split": Split()],
      by: .of(
        "Node",
        "Node",
        policy: "Tree.Split",
        [:],
        ["parent": instances("NodeToNode", "$source.parent")]
      )
    )
    // Key 5 is the second object of source 1, behind the highest key that is kept.
    #expect(
      try migrated.destination.rows(of: "ZNODE", "Z_PK", "ZPARENT", "ZNAME")
        == [[1, 3, "a"], [3, 1, "c"], [4, nil, "d"], [5, 3, "b"]]
    )
  }

  @Test func `a policy that is not there is named before anything is made`() throws {
    let model = try ManagedObjectModel.of(Self.tree)
    let destination = try ManagedObjectModel.of(Self.tree, EntityDescription("New"))
    let planned = try plan(
      TestStore(model, TestObject("Node", 1)),
      to: destination,
      by: [.of("Node", "Node", policy: "Notes.Missing")]
    )
    #expect(
      failure(of: planned)
        == "there is no policy Notes.Missing, which entity mapping NodeToNode needs; "
        + "this program has none; no destination was made"
    )
  }

  private struct Failing: EntityMigrationPolicy {
    func createDestinationInstances(
      forSource source: borrowing SourceInstance,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      if source.objectID.key == 2 { throw PolicyError("its name is not to be used") }
    }
  }

  @Test func `an error of a policy names the object`() throws {
    let model = try ManagedObjectModel.of(Self.tree)
    let destination = try ManagedObjectModel.of(Self.tree, EntityDescription("New"))
    let planned = try plan(
      TestStore(model, TestObject("Node", 1), TestObject("Node", 2)),
      to: destination,
      by: [.of("Node", "Node", policy: "Failing")]
    )
    #expect(
      failure(of: planned, policies: ["Failing": Failing()])
        == "entity mapping NodeToNode, policy Failing, createDestinationInstances, Node 2: "
        + "its name is not to be used; no destination was made"
    )
    #expect(try planned.directory.bytes()["destination.sqlite"] == nil)
  }
}
