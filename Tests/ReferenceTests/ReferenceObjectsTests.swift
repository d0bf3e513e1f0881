import BulkTestSupport
import Testing

/// How the reference keeps inverses, assignment by assignment.
struct ReferenceObjectsTests {
  /// Objects `0` to `3` of one entity.
  private static func objects(_ relationships: RelationshipDescription...) -> ReferenceObjects {
    let entity = EntityDescription("Node", [], relationships)
    var objects = ReferenceObjects(of: ModelSketch(entity))
    for number in 0..<4 {
      _ = objects.insert(.init(entity: "Node", marks: Marks(text: "\(number)"), number: nil))
    }
    return objects
  }

  @Test func `an object leaves its old owner for its new one`() {
    var objects = Self.objects(
      .toOne("parent", "Node.children"),
      .toMany("children", "Node.parent")
    )
    objects.set("parent", of: 2, to: [0])
    objects.set("parent", of: 3, to: [0, 1])
    #expect(objects.links(of: "children") == ["0": ["2", "3"]])
    objects.set("children", of: 1, to: [3])
    #expect(objects.links(of: "parent") == ["2": ["0"], "3": ["1"]])
    #expect(objects.links(of: "children") == ["0": ["2"], "1": ["3"]])
    objects.set("children", of: 0, to: [])
    #expect(objects.links(of: "parent") == ["2": ["0"], "3": ["1"]])
    objects.set("parent", of: 2, to: [])
    #expect(objects.links(of: "children") == ["1": ["3"]])
  }

  @Test func `a partner of one to one leaves its former partner`() {
    var objects = Self.objects(
      .toOne("twin", "Node.twinOf"),
      .toOne("twinOf", "Node.twin")
    )
    objects.set("twin", of: 0, to: [1])
    objects.set("twin", of: 2, to: [1])
    #expect(objects.links(of: "twin") == ["2": ["1"]])
    #expect(objects.links(of: "twinOf") == ["1": ["2"]])
    objects.set("twinOf", of: 3, to: [2])
    #expect(objects.links(of: "twin") == ["2": ["3"]])
    #expect(objects.links(of: "twinOf") == ["3": ["2"]])
  }

  @Test func `a relationship that is its own inverse stays symmetric`() {
    var objects = Self.objects(.toOne("spouse", "Node.spouse"))
    objects.set("spouse", of: 0, to: [1])
    objects.set("spouse", of: 2, to: [3])
    objects.set("spouse", of: 1, to: [2])
    #expect(objects.links(of: "spouse") == ["1": ["2"], "2": ["1"]])
    objects.set("spouse", of: 1, to: [1])
    #expect(objects.links(of: "spouse") == ["1": ["1"]])
  }

  @Test func `friends are added to those who are there (formats/migration.md 8.10)`() {
    var objects = Self.objects(.toMany("friends", "Node.friends"))
    objects.set("friends", of: 0, to: [0, 1, 2])
    objects.set("friends", of: 1, to: [2])
    #expect(
      objects.links(of: "friends") == ["0": ["0", "1", "2"], "1": ["0", "2"], "2": ["0", "1"]]
    )
  }

  @Test func `an object that comes in by the inverse goes to the end, once`() {
    var objects = Self.objects(
      .toMany("list", "Node.lists", isOrdered: true),
      .toMany("lists", "Node.list")
    )
    objects.set("list", of: 0, to: [3, 2])
    objects.set("lists", of: 1, to: [0])
    objects.set("lists", of: 3, to: [0])
    #expect(objects.links(of: "list") == ["0": ["3", "2", "1"]])
    objects.set("list", of: 0, to: [1, 3])
    #expect(objects.links(of: "list") == ["0": ["1", "3", "2"]])
    #expect(objects.links(of: "lists") == ["1": ["0"], "2": ["0"], "3": ["0"]])
  }

  @Test func `an object without a way back has one owner, the last`() {
    var objects = Self.objects(.toMany("books", "Node", isOrdered: true))
    objects.set("books", of: 0, to: [2, 3])
    objects.set("books", of: 1, to: [3])
    #expect(objects.links(of: "books") == ["0": ["2"], "1": ["3"]])
  }
}
