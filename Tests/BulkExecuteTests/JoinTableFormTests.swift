import BulkTestSupport
import Testing

/// A join table that a change does not touch is written as the source has it.
struct JoinTableFormTests {
  private static func model(_ others: EntityDescription...) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: others + [
        EntityDescription(
          "User",
          [],
          [.toMany("blocking", "User.blockedBy"), .toMany("blockedBy", "User.blocking")]
        )
      ]
    )
  }

  /// Users; 1 blocks 2 and 3.
  private static func store(named side: String) throws -> TestStore {
    var store = TestStore(
      try model(),
      TestObject("User", 1, links: ["blocking": [2, 3]]),
    )
    store.namingSides = [PropertyKey("User", side)]
    return store
  }

  /// The first user's pairs as a table whose columns come in the other order.
  private static let swapped = [
    "DROP TABLE Z_1BLOCKING",
    "CREATE TABLE Z_1BLOCKING ( Z_1BLOCKING INTEGER, Z_1BLOCKEDBY INTEGER, "
      + "PRIMARY KEY (Z_1BLOCKING, Z_1BLOCKEDBY) )",
    "CREATE INDEX Z_1BLOCKING_Z_1BLOCKEDBY_INDEX ON Z_1BLOCKING (Z_1BLOCKEDBY, Z_1BLOCKING)",
    "INSERT INTO Z_1BLOCKING (Z_1BLOCKING, Z_1BLOCKEDBY) VALUES (2, 1), (3, 1)",
  ]

  /// Message comes before User, which gets number 2, and Zebra after it; the names are those of formats/store.md 6.
  @Test(
    arguments: [
      ("blocking", false, true, "Message", "2", "BLOCKEDBY", "BLOCKING"),
      ("blockedBy", false, false, "Message", "2", "BLOCKING", "BLOCKEDBY"),
      ("blocking", true, false, "Message", "2", "BLOCKING", "BLOCKEDBY"),
      ("blocking", true, false, "Zebra", "1", "BLOCKING", "BLOCKEDBY"),
    ]
  )
  func `columns and key keep the order that they have in the source, unless rows are new`(
    side: String,
    isSwapped: Bool,
    isMapped: Bool,
    added: String,
    number: String,
    first: String,
    second: String
  ) throws {
    var store = try Self.store(named: side)
    if isSwapped { store.sql = Self.swapped }
    let model = try Self.model(EntityDescription(added))
    let users = try EntityMapping.of(
      "User",
      "User",
      [:],
      [
        "blocking": instances("UserToUser", "$source.blocking"),
        "blockedBy": instances("UserToUser", "$source.blockedBy"),
      ]
    )
    let made = try (isMapped ? migrate(store, to: model, by: users) : migrate(store, to: model))
      .destination
    let prefix = "Z_\(number)"
    let table = prefix + "BLOCKING"
    let columns = [prefix + first, prefix + second]
    let statements = try made.rows(
      "SELECT sql FROM sqlite_schema WHERE tbl_name = '\(table)' AND sql IS NOT NULL ORDER BY type DESC"
    )
    #expect(
      statements == [
        [
          .text(
            "CREATE TABLE \(table) ( \(columns[0]) INTEGER, \(columns[1]) INTEGER, "
              + "PRIMARY KEY (\(columns[0]), \(columns[1])) )"
          )
        ],
        [
          .text(
            "CREATE INDEX \(table)_\(columns[1])_INDEX ON \(table) (\(columns[1]), \(columns[0]))"
          )
        ],
      ]
    )
    #expect(
      try made.rows("SELECT \(prefix)BLOCKEDBY, \(prefix)BLOCKING FROM \(table) ORDER BY 1, 2")
        == [[1, 2], [1, 3]]
    )
  }

  @Test func `a table whose relationship becomes ordered is made afresh`() throws {
    var store = try Self.store(named: "blocking")
    store.sql = Self.swapped
    let model = try ManagedObjectModel.of(
      EntityDescription(
        "User",
        [],
        [
          .toMany("blocking", "User.blockedBy", isOrdered: true),
          .toMany("blockedBy", "User.blocking"),
        ]
      )
    )
    let migrated = try migrate(store, to: model)
    #expect(
      try migrated.destination.columns(of: "Z_1BLOCKING")
        == ["Z_1BLOCKEDBY", "Z_1BLOCKING", "Z_FOK_1BLOCKING"]
    )
    #expect(
      try migrated.destination.rows(of: "Z_1BLOCKING") == [[1, 2, 2048], [1, 3, 3072]]
    )
  }
}
