import BulkTestSupport
import Testing

/// The comparison finds what is wrong in a store, by what it is.
struct DamageTests {
  private static let model = ModelSketch(
    EntityDescription(
      "Node",
      [],
      [
        .toOne("parent", "Node.children"),
        .toMany("children", "Node.parent", isOrdered: true),
        .toMany("friends", "Node.friends"),
        .toMany("tags", "Tag.nodes", isOrdered: true),
      ]
    ),
    EntityDescription("Leaf", under: "Node"),
    EntityDescription("Tag", [], [.toMany("nodes", "Node.tags")])
  )

  /// Node 1 has the children 3 and 2, the friend 2, and the tags 2 and 1.
  private static let scenario = Scenario(
    model: model,
    objects: [
      ObjectSketch("Node", 1, n: 5),
      ObjectSketch("Node", 2, ["parent": 1], positions: ["parent": 3072]),
      ObjectSketch("Leaf", 3, ["parent": 1], positions: ["parent": 2048]), ObjectSketch("Tag", 1),
      ObjectSketch("Tag", 2),
    ],
    pairs: [
      PairSketch("friends", 1, 2), PairSketch("friends", 2, 1),
      PairSketch("tags", 1, 1, position: 3072), PairSketch("tags", 1, 2, position: 2048),
    ],
    step: StepSketch(
      model: model,
      mappings: [
        .map(
          "Node",
          "Node",
          .set("children", .madeByAny("children")),
          .set("friends", .madeByAny("friends")),
          .set("tags", .madeByAny("tags"))
        ), .map("Leaf", "Leaf"), .map("Tag", "Tag"),
      ]
    )
  )

  @Test(arguments: [
    ("UPDATE ZNODE SET ZN = 6 WHERE Z_PK = 1", Difference.Kind.object),
    ("UPDATE ZNODE SET ZLOUD = 'x' WHERE Z_PK = 1", .object),
    ("UPDATE ZNODE SET Z_ENT = 1, ZPARENT = NULL WHERE Z_PK = 3", .object),
    ("DELETE FROM ZTAG WHERE Z_PK = 1", .object),
    ("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (3, 3, 1)", .object),
    ("UPDATE ZNODE SET ZPARENT = 2 WHERE Z_PK = 3", .link),
    (
      "UPDATE ZNODE SET ZPARENT = NULL, Z1_PARENT = NULL, Z_FOK_PARENT = NULL WHERE Z_PK = 3",
      .link
    ),
    ("DELETE FROM Z_1TAGS WHERE Z_3TAGS = 1", .link),
    ("INSERT INTO Z_1TAGS VALUES (2, 1, 2048)", .link),
    ("UPDATE ZNODE SET ZPARENT = 77 WHERE Z_PK = 3", .stray),
    ("INSERT INTO Z_1TAGS VALUES (1, 88, 4096)", .stray),
    ("UPDATE ZNODE SET Z_FOK_PARENT = 5120 - Z_FOK_PARENT", .order),
    ("UPDATE Z_1TAGS SET Z_FOK_3TAGS = 5120 - Z_FOK_3TAGS", .order),
    ("UPDATE ZNODE SET Z_FOK_PARENT = Z_FOK_PARENT + 1", .orderKey),
    ("UPDATE Z_1TAGS SET Z_FOK_3TAGS = Z_FOK_3TAGS * 2", .orderKey),
    ("UPDATE ZNODE SET Z_FOK_PARENT = 2048 WHERE Z_PK = 1", .orderKey),
    ("UPDATE ZNODE SET Z1_PARENT = 2 WHERE Z_PK = 3", .entityNumber),
    ("UPDATE ZNODE SET Z1_PARENT = 1 WHERE Z_PK = 1", .entityNumber),
    ("UPDATE ZNODE SET Z1_PARENT = NULL WHERE Z_PK = 3", .entityNumber),
    ("DELETE FROM Z_1FRIENDS WHERE REFLEXIVE = 1", .pair),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Node'", .highestKey),
    ("UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_NAME = 'Leaf'", .highestKey),
  ])
  func `damage is found`(sql: String, kind: Difference.Kind) throws {
    let found = try #require(try Trial.differences(of: Self.scenario, by: .sql, damagedBy: sql))
    #expect(found.contains { $0.kind == kind }, "\(found)")
  }

  @Test func `without damage nothing is found`() throws {
    #expect(try Trial.differences(of: Self.scenario, by: .sql) == [])
  }
}
