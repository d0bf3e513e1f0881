import BulkTestSupport
import Testing

/// Names in policies that neither model has: each ends the migration with the nearest one.
struct PolicyNameTests {
  private static let place =
    "entity mapping NodeToNode, policy Doing, createDestinationInstances, Node 1: "

  /// What a migration of one node says that does something with it, without what every failure says.
  private func fault(
    _ work: @escaping @Sendable (borrowing SourceInstance, MigrationManager) throws -> Void
  ) throws -> String {
    var face = AttributeDescription.optional("face")
    face.isTransient = true
    let node = EntityDescription(
      "Node",
      [.optional("name"), .optional("size", .integer16), face],
      [.toOne("parent", "Node.children"), .toMany("children", "Node.parent")]
    )
    let planned = try Planned(
      TestStore(try ManagedObjectModel.of(node), TestObject("Node", 1, ["name": "a"])),
      to: try ManagedObjectModel.of(node, EntityDescription("New")),
      by: [.of("Node", "Node", policy: "Doing")]
    )
    let text = failure(
      of: planned,
      policies: [
        "Doing": Making { source, mapping, manager in
          try work(source, manager)
          try manager.make(source, mapping)
        }
      ]
    )
    guard text.hasPrefix(Self.place) else { return text }
    return String(text.dropFirst(Self.place.count).dropLast("; no destination was made".count))
  }

  @Test(
    arguments: [
      ("nmae", "entity Node has no attribute nmae; did you mean name?"),
      ("parent.nmae", "entity Node has no attribute nmae; did you mean name?"),
      ("paren.name", "entity Node has no to-one relationship paren; did you mean parent?"),
      ("colour", "entity Node has no attribute colour"),
      ("", "entity Node has no attribute "),
      ("parent", "parent of entity Node is a relationship, not an attribute"),
      (
        "children.name",
        "relationship children of entity Node is to-many, so children.name is not a single value"
      ),
      ("name.length", "entity Node has no to-one relationship name"),
      ("face", "the store holds no values of attribute face of entity Node"),
      ("parent.name", "nothing failed"),
    ]
  )
  func `an attribute that the source does not have`(name: String, expected: String) throws {
    #expect(try fault { source, _ in _ = try source[name] } == expected)
    #expect(try fault { source, _ in _ = try source.value(forKeyPath: name) } == expected)
  }

  @Test(
    arguments: [
      ("nmae", "entity Node has no attribute nmae; did you mean name?"),
      ("parent", "entity Node has no attribute parent"),
      ("face", "entity Node has no attribute face"),
      ("size", "nothing failed"),
    ]
  )
  func `an attribute that the destination does not store`(name: String, expected: String) throws {
    #expect(
      try fault { _, manager in
        var new = try manager.makeInstance(ofEntity: "Node")
        try new.setValue(1, forKey: name)
      } == expected
    )
    #expect(
      try fault { _, manager in
        let new = try manager.makeInstance(ofEntity: "Node")
        _ = try new[name]
      } == expected
    )
  }

  @Test(
    arguments: [
      ("Nod", "the destination has no entity Nod; did you mean Node?"),
      ("Address", "the destination has no entity Address"),
      ("New", "nothing failed"),
    ]
  )
  func `an entity of a new object`(name: String, expected: String) throws {
    #expect(
      try fault { _, manager in _ = try manager.makeInstance(ofEntity: name) } == expected
    )
  }

  @Test(
    arguments: [
      ("parnt", "Node", "entity Node has no to-one relationship parnt; did you mean parent?"),
      ("children", "Node", "entity Node has no to-one relationship children"),
      ("parent", "Nodes", "the destination has no entity Nodes; did you mean Node?"),
      ("parent", "Node", "nothing failed"),
    ]
  )
  func `a relationship to one object`(name: String, entity: String, expected: String) throws {
    #expect(
      try fault { _, manager in
        var new = try manager.makeInstance(ofEntity: "Node")
        try new.setObject(ObjectID(entityName: entity, key: 1), for: name)
      } == expected
    )
  }

  @Test(
    arguments: [
      ("childen", "Node", "entity Node has no stored relationship childen; did you mean children?"),
      ("children", "Nod", "the destination has no entity Nod; did you mean Node?"),
      ("children", "Node", "nothing failed"),
    ]
  )
  func `a relationship to several objects`(name: String, entity: String, expected: String) throws {
    #expect(
      try fault { source, manager in
        let member = ObjectID(entityName: entity, key: 1)
        try manager.setObjects([member], for: name, of: source.objectID)
      } == expected
    )
  }

  @Test func `an attribute, an entity or a mapping that the manager is asked for`() throws {
    #expect(
      try fault { _, manager in
        _ = try manager.findOrInsert("Node", with: ["nmae": "x"])
      } == "entity Node has no attribute nmae; did you mean name?"
    )
    #expect(
      try fault { _, manager in
        try manager.setObjects([], for: "children", of: ObjectID(entityName: "Noed", key: 1))
      } == "the destination has no entity Noed; did you mean Node?"
    )
    #expect(
      try fault { _, manager in
        _ = try manager.destinationInstances(forEntityMappingNamed: "NodToNode", sourceKeys: [1])
      } == "there is no entity mapping NodToNode that makes objects; did you mean NodeToNode?"
    )
  }
}
