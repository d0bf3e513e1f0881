import BulkTestSupport
import Testing

struct PolicyRelationshipTests {
  /// Nodes 1 to 4, whose relationships a policy sets to those of a dictionary, and what comes of it.
  private static func nodes(
    _ relationships: [RelationshipDescription],
    set relationship: String,
    to members: [Int64: [Int64]],
    links: [Int64: [String: [Int64]]] = [:],
    _ table: String,
    _ columns: String...
  ) throws -> [[StoredValue]] {
    let node = EntityDescription("Node", [.optional("name")], relationships)
    let objects = (1...4).map { TestObject("Node", $0, links: links[$0] ?? [:]) }
    var store = TestStore(try ManagedObjectModel.of(node))
    store.objects = objects
    let kept = Dictionary(
      uniqueKeysWithValues: relationships.filter { !$0.isToMany }.map {
        ($0.name, instances("NodeToNode", "$source.\($0.name)"))
      }
    )
    let setter = Making { source, mapping, manager in
      try manager.make(source, mapping)
    } relating: { node, manager in
      guard let keys = members[node.key] else { return }
      let objects = keys.map { ObjectID(entityName: node.entityName, key: $0) }
      try manager.setObjects(objects, for: relationship, of: node)
    }
    let migrated = try migrate(
      store,
      to: try ManagedObjectModel.of(node, EntityDescription("New")),
      policies: ["Setter": setter],
      by: .of("Node", "Node", policy: "Setter", [:], kept)
    )
    let list = columns.joined(separator: ", ")
    return try migrated.destination.rows("SELECT \(list) FROM \(table) ORDER BY \(list)")
  }

  @Test func `both partners of a one-to-one leave their former ones`() throws {
    // 1 ⇄ 2 and 3 ⇄ 4 before; then 1 ⇄ 4.
    let rows = try Self.nodes(
      [.toOne("mate", "Node.mateOf"), .toOne("mateOf", "Node.mate")],
      set: "mate",
      to: [1: [4]],
      links: [1: ["mate": [2]], 2: ["mateOf": [1]], 3: ["mate": [4]], 4: ["mateOf": [3]]],
      "ZNODE",
      "Z_PK",
      "ZMATE",
      "ZMATEOF"
    )
    #expect(rows == [[1, 4, nil], [2, nil, nil], [3, nil, nil], [4, nil, 1]])
  }

  /// 1 has 3 and 2; in the first case 4 comes to 1, and 2 leaves.
  @Test(
    arguments: [
      ("parent", [2: [], 4: [1]], [[3, 1, 2048], [4, 1, 3072]]),
      ("children", [1: [4, 3]], [[3, 1, 3072], [4, 1, 2048]]),
    ] as [(String, [Int64: [Int64]], [[StoredValue]])]
  )
  func `members that come go to the end of an order, and those that leave lose key and place`(
    relationship: String,
    members: [Int64: [Int64]],
    placed: [[StoredValue]]
  ) throws {
    let rows = try Self.nodes(
      [
        .toOne("parent", "Node.children"),
        .toMany("children", "Node.parent", isOrdered: true),
      ],
      set: relationship,
      to: members,
      links: [1: ["children": [3, 2]]],
      "ZNODE",
      "Z_PK",
      "ZPARENT",
      "Z_FOK_PARENT"
    )
    #expect(rows == [[1, nil, nil], [2, nil, nil]] + placed)
  }

  @Test func `a pair of a relationship that is its own inverse counts in both directions`() throws {
    let rows = try Self.nodes(
      [.toMany("friends", "Node.friends")],
      set: "friends",
      to: [1: [2, 3], 3: [4]],
      "Z_2FRIENDS",
      "Z_2FRIENDS",
      "REFLEXIVE"
    )
    #expect(rows == [[1, 2], [2, 1], [3, 4], [4, 3]])
  }

  /// Notes in a name which things some mapping made of the first two source objects.
  private static let asking = Making { source, mapping, manager in
    let made = try manager.destinationInstances(
      forEntityMappingNamed: "ItemToThing",
      sourceKeys: [1, 2]
    )
    let sources = try manager.sourceInstances(
      forEntityMappingNamed: "ItemToThing",
      destinationKeys: [1, 2]
    )
    var note = try manager.evaluate(mapping, forSource: source)
    try note.setValue(.string("\(made.map(\.key)) \(sources.map(\.key))"), forKey: "name")
    try manager.insert(note, forSource: source, in: mapping)
  }

  /// Item 1 and Special 2 become Things 1 and 2, whose keys come from one range.
  // formats/migration.md 8.15
  @Test func `an object belongs to the mapping that made it`() throws {
    let item = EntityDescription("Item", [], [.toOne("note", "Note")])
    let note = EntityDescription("Note", [.optional("name")])
    let store = TestStore(
      try ManagedObjectModel.of(item, EntityDescription("Special", under: "Item"), note),
      TestObject("Item", 1),
      TestObject("Special", 2),
      TestObject("Note", 5)
    )
    let migrated = try migrate(
      store,
      to: try ManagedObjectModel.of(
        EntityDescription("Thing", [], [.toOne("note", "Note")]),
        note
      ),
      policies: ["Asking": Self.asking],
      by: .of("Item", "Thing"),
      .of("Special", "Thing"),
      .of("Note", "Note", policy: "Asking")
    )
    #expect(try migrated.destination.rows(of: "ZNOTE", "Z_PK", "ZNAME") == [[5, "[1] [1]"]])
  }
}
