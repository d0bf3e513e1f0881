import BulkTestSupport
import Testing

/// A store that is written from a sketch reads as it was meant.
struct SourceObjectsTests {
  private static let scenario = Scenario(
    model: ModelSketch(
      EntityDescription(
        "Node",
        [],
        [
          .toOne("parent", "Node.children"),
          .toMany("children", "Node.parent", isOrdered: true),
          .toOne("twin", "Node.twinOf"),
          .toOne("twinOf", "Node.twin"),
          .toMany("friends", "Node.friends"),
          .toMany("tags", "Tag.nodes", isOrdered: true),
        ]
      ),
      EntityDescription("Leaf", under: "Node", [], [.toMany("owned", "Tag", isOrdered: true)]),
      EntityDescription("Tag", [], [.toMany("nodes", "Node.tags")])
    ),
    objects: [
      ObjectSketch("Node", 1, n: 7, ["twin": 2]),
      ObjectSketch("Node", 2, ["parent": 1, "twinOf": 4], positions: ["parent": 3072]),
      ObjectSketch("Leaf", 4, ["parent": 1], positions: ["parent": 2048]),
      ObjectSketch("Node", 9, ["parent": 1, "twin": 99]),
      ObjectSketch("Tag", 1, ["owned": 4], positions: ["owned": 3072]),
      ObjectSketch("Tag", 2, ["owned": 4], positions: ["owned": 2048]),
    ],
    pairs: [
      PairSketch("friends", 1, 2), PairSketch("friends", 4, 1), PairSketch("friends", 9, 9),
      PairSketch("tags", 1, 1, position: 3072), PairSketch("nodes", 2, 1, ownerPosition: 2048),
      PairSketch("tags", 1, 88, position: 1024),
    ],
    step: StepSketch(model: ModelSketch(entities: []), mappings: [])
  )

  private let directory = TemporaryDirectory()
  private let store: StoreFile
  private let objects: SourceObjects

  init() throws {
    store = try Self.scenario.write(to: directory.path("source.sqlite"))
    objects = SourceObjects(try StoreContents(of: store, Self.scenario.model))
  }

  private func keys(_ name: String, of root: String, _ key: Int64) -> [Int64] {
    objects.members(of: name, RowID(root: root, key: key)).map(\.key)
  }

  @Test func `entities have the objects of no subentity`() {
    #expect(objects.objects(of: "Node").map(\.id.key) == [1, 2, 9])
    #expect(objects.objects(of: "Leaf").map(\.id.key) == [4])
    #expect(objects.objects(of: "Node").map(\.number) == [7, nil, nil])
    #expect(objects.objects(of: "Leaf").map(\.marks) == [Marks(text: "Leaf 4")])
  }

  @Test func `members come by place, those without one first, then by key`() {
    #expect(keys("children", of: "Node", 1) == [9, 4, 2])
    #expect(keys("parent", of: "Node", 4) == [1])
    #expect(keys("tags", of: "Node", 1) == [2, 1])
    #expect(keys("nodes", of: "Tag", 1) == [1])
    #expect(keys("owned", of: "Node", 4) == [2, 1])
  }

  @Test func `each side of a one-to-one reads its own column, and a key to no row nothing`() {
    #expect(keys("twin", of: "Node", 1) == [2])
    #expect(keys("twinOf", of: "Node", 2) == [4])
    #expect(keys("twin", of: "Node", 4) == [])
    #expect(keys("twin", of: "Node", 9) == [])
  }

  @Test func `a pair of a relationship that is its own inverse counts in both directions`() {
    #expect(keys("friends", of: "Node", 1) == [2, 4])
    #expect(keys("friends", of: "Node", 2) == [1])
    #expect(keys("friends", of: "Node", 4) == [1])
    #expect(keys("friends", of: "Node", 9) == [9])
  }

  @Test func `a path leads to each object once, in the order of the way`() {
    let end = objects.objects(at: ["children", "friends"], from: RowID(root: "Node", key: 1))
    #expect(end.map(\.key) == [9, 1])
  }

  /// formats/store.md 4.1 to 4.4, 5.2 and 5.3.
  @Test func `columns are those of the store format`() throws {
    let nodes = try store.rows(
      of: "ZNODE",
      "Z_PK",
      "Z_ENT",
      "ZPARENT",
      "Z1_PARENT",
      "Z_FOK_PARENT",
      "ZTWIN",
      "Z1_TWIN"
    )
    #expect(
      nodes == [
        [1, 1, nil, nil, nil, 2, 1], [2, 1, 1, 1, 3072, nil, nil], [4, 2, 1, 1, 2048, nil, nil],
        [9, 1, 1, 1, nil, 99, 1],
      ]
    )
    #expect(
      try store.rows(of: "ZTAG", "Z_PK", "Z2OWNED", "Z_FOK_2OWNED")
        == [[1, 4, 3072], [2, 4, 2048]]
    )
    #expect(
      try store.rows(of: "Z_1FRIENDS", "Z_1FRIENDS", "REFLEXIVE") == [[1, 2], [4, 1], [9, 9]]
    )
    #expect(
      try store.rows(of: "Z_1TAGS", "Z_1NODES", "Z_3TAGS", "Z_FOK_3TAGS")
        == [[1, 1, 3072], [1, 2, 2048], [1, 88, 1024]]
    )
  }
}
