import BulkTestSupport
import Testing

struct RowLinkTests {
  private static func model(_ entity: String) throws -> ManagedObjectModel {
    try .of(
      .init(
        entity,
        [.optional("name"), .optional("rank", .integer64)],
        [
          .toOne("next", "\(entity).former"), .toMany("former", "\(entity).next"),
          .toOne("place", "Place"),
        ]
      ),
      .init("Place", isAbstract: true, [.optional("name")]),
      .init("Town", under: "Place"),
      .init("Village", under: "Place")
    )
  }

  private static let next =
    "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "
    + "\"next\", $source.next)"
  private static let place =
    "FUNCTION($manager, \"destinationInstancesForSourceRelationshipNamed:sourceInstances:\", "
    + "\"place\", $source.place)"

  private static func migrated(far: Int64) throws -> Migrated {
    let source = try model("Item")
    return try migrate(
      TestStore(
        source,
        TestObject("Item", 1, ["rank": 1], links: ["next": [2], "place": [1]]),
        TestObject("Item", 2, ["rank": 20], links: ["next": [1], "place": [far]]),
        TestObject("Item", 3, ["rank": 3], links: ["next": [far], "place": [2]]),
        TestObject("Item", 4, ["rank": 200]),
        TestObject("Item", far, ["rank": 40], links: ["next": [4], "place": [3]]),
        TestObject("Town", 1),
        TestObject("Village", 2),
        TestObject("Town", 3, ["name": "left out"]),
        TestObject("Town", far)
      ),
      to: try model("Thing"),
      by: .of(
        "Item",
        "Thing",
        named: "Low",
        where: "rank < 10",
        ["rank": "$source.rank"],
        ["next": next, "place": place]
      ),
      .of(
        "Item",
        "Thing",
        named: "High",
        where: "rank BETWEEN {10, 100}",
        ["rank": "add:to:($source.rank, 1)"],
        ["next": next, "place": place]
      ),
      .of("Town", "Town", where: "name == nil"),
      .of("Village", "Village")
    )
  }

  /// The objects of the second mapping have keys after the greatest of the first.
  ///
  /// Towns have number 2 and villages 3. A key of 10^12 is too far from the others to hold what is between
  /// them.
  @Test(arguments: [5, 1_000_000_000_000])
  func `keys and entities are those of the objects that were made`(far: Int64) throws {
    let migrated = try Self.migrated(far: far)
    #expect(
      try migrated.destination.rows(of: "ZTHING", "Z_PK", "ZRANK", "ZNEXT", "ZPLACE", "Z1_PLACE")
        == [
          [1, 1, .integer(far + 2), 1, 2], [3, 3, .integer(far + far), 2, 3],
          [.integer(far + 2), 21, 1, .integer(far), 2],
          [.integer(far + far), 41, nil, nil, nil],
        ]
    )
    #expect(migrated.losses["Item.next"] == 1)
    #expect(migrated.losses["Item.place"] == 1)
  }
}
