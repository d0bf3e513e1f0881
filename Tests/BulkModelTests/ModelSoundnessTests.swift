import BulkModel
import Testing

struct ModelSoundnessTests {
  private static func line(of count: Int) -> [EntityDescription] {
    (0..<count).map { index in
      var entity = EntityDescription("E\(index)")
      entity.superentityName = index == 0 ? nil : "E\(index - 1)"
      return entity
    }
  }

  @Test func `a line of 256 entities is the longest that is accepted`() throws {
    #expect(try ManagedObjectModel(entities: Self.line(of: 256)).entities.count == 256)
    #expect(throws: ModelError.inheritanceTooDeep("E256", limit: 256)) {
      try ManagedObjectModel(entities: Self.line(of: 100_000))
    }
  }

  @Test func `an entity of a cycle is named, not one that hangs from it`() {
    var entities = Self.line(of: 3)
    entities[0].superentityName = "E1"
    #expect(throws: ModelError.cyclicInheritance("E1")) {
      try ManagedObjectModel(entities: entities)
    }
    var leaf = EntityDescription("A")
    leaf.superentityName = "B"
    var ring = EntityDescription("B")
    ring.superentityName = "B"
    #expect(throws: ModelError.cyclicInheritance("B")) {
      try ManagedObjectModel(entities: [leaf, ring])
    }
  }

  @Test func `a property may have the name of one in another branch, not of one above`() throws {
    var entities = Self.line(of: 2)
    var sibling = EntityDescription("S")
    sibling.superentityName = "E0"
    entities[1].attributes = [AttributeDescription("a", .string)]
    sibling.attributes = [AttributeDescription("a", .string)]
    #expect(try ManagedObjectModel(entities: entities + [sibling]).entities.count == 3)
    entities[0].attributes = [AttributeDescription("a", .string)]
    #expect(throws: ModelError.duplicateProperty("a", entity: "E1")) {
      try ManagedObjectModel(entities: entities)
    }
  }

  @Test func `an inverse may be inherited by the destination`() throws {
    var entities = Self.line(of: 2)
    entities[0].relationships = [RelationshipDescription("back", to: "T")]
    var to = RelationshipDescription("there", to: "E1")
    to.inverseName = "back"
    var target = EntityDescription("T")
    target.relationships = [to]
    #expect(try ManagedObjectModel(entities: entities + [target]).entities.count == 3)
    target.relationships[0].inverseName = "none"
    #expect(
      throws: ModelError.missingInverse(
        "none",
        destination: "E1",
        relationship: "there",
        entity: "T"
      )
    ) { try ManagedObjectModel(entities: entities + [target]) }
  }

  @Test func `an entity with 20,000 relationships to itself is checked at once`() throws {
    var entity = EntityDescription("E")
    entity.relationships = (0..<20_000).map { index in
      var relationship = RelationshipDescription("r\(index)", to: "E")
      relationship.inverseName = "r\(19_999 - index)"
      return relationship
    }
    #expect(try ManagedObjectModel(entities: [entity]).entities.count == 1)
  }
}

/// Names in the order of Core Data, and properties that are found by them.
struct LookupTests {
  private static let names = [
    "", "a", "aa", "b", "A", "é", "e\u{301}", "z", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}",
    "\u{FFFD}",
    "\u{FFFF}", "\u{10000}", "\u{1F600}", "\u{10FFFF}", "a\u{FFFD}", "a\u{10000}", "a\u{10000}b",
  ]

  @Test(arguments: names)
  func `names are ordered by UTF-16 code units`(name: String) {
    for other in Self.names {
      #expect(
        CodeUnitOrder.precedes(name, other) == name.utf16.lexicographicallyPrecedes(other.utf16)
      )
    }
  }

  @Test func `a leaf is found where it is declared`() throws {
    var place = AttributeDescription("place", .composite)
    place.elements = [AttributeDescription("x", .double)]
    var root = EntityDescription("Root")
    root.attributes = [place, AttributeDescription("title", .string)]
    var middle = EntityDescription("Middle")
    middle.superentityName = "Root"
    var leaf = EntityDescription("Leaf")
    leaf.superentityName = "Middle"
    leaf.attributes = [AttributeDescription("own", .string)]
    let model = try ManagedObjectModel(entities: [leaf, middle, root])
    for attribute in model.attributes(of: leaf) {
      #expect(model.leaf(named: attribute.name, of: leaf)?.attribute == attribute)
    }
    #expect(model.leaf(named: "place.x", of: leaf)?.owner.name == "Root")
    #expect(model.leaf(named: "own", of: leaf)?.owner.name == "Leaf")
    #expect(model.leaf(named: "own", of: middle) == nil)
    #expect(model.leaf(named: "place", of: leaf) == nil)
  }
}
