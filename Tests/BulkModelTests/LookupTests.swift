import BulkModel
import Testing

/// Names in the order of Core Data, and properties that are found by them.
@Suite("Order and lookup of names")
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
