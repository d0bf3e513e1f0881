import BulkModel
import BulkStore
import BulkTestSupport
import Testing

/// A join table that a change does not touch is written as the source has it.
@Suite("The form of join tables")
struct JoinTableFormTests {
  private static func model(_ others: EntityDescription...) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: others + [
        EntityDescription(
          "User",
          [],
          [
            .toMany("blocking", "User", inverse: "blockedBy"),
            .toMany("blockedBy", "User", inverse: "blocking"),
          ]
        )
      ]
    )
  }

  /// Users of whom 1 blocks 2 and 3.
  private static func store(named side: String, _ sql: String...) throws -> TestStore {
    var store = TestStore(
      try model(),
      TestObject("User", 1, links: ["blocking": [2, 3]]),
      TestObject("User", 2),
      TestObject("User", 3)
    )
    store.namingSides = [PropertyKey("User", side)]
    store.sql = sql
    return store
  }

  /// The statements that make the join table and its index.
  private func statements(_ migrated: Migrated) throws -> [[StoredValue]] {
    try migrated.destination.rows(
      "SELECT sql FROM sqlite_schema WHERE tbl_name LIKE 'Z!_%BLOCK%' ESCAPE '!' "
        + "AND sql IS NOT NULL ORDER BY type DESC"
    )
  }

  private static let table: [[StoredValue]] = [
    [
      "CREATE TABLE Z_2BLOCKING ( Z_2BLOCKEDBY INTEGER, Z_2BLOCKING INTEGER, PRIMARY KEY (Z_2BLOCKEDBY, Z_2BLOCKING) )"
    ],
    [
      "CREATE INDEX Z_2BLOCKING_Z_2BLOCKING_INDEX ON Z_2BLOCKING (Z_2BLOCKING, Z_2BLOCKEDBY)"
    ],
  ]

  /// Source of the name: formats/store.md 6.
  @Test func `a mapping model makes the table as a new store has it`() throws {
    let migrated = try migrate(
      Self.store(named: "blocking"),
      to: Self.model(EntityDescription("Message")),
      by: .of(
        "User",
        "User",
        [:],
        [
          "blocking": instances("UserToUser", "$source.blocking"),
          "blockedBy": instances("UserToUser", "$source.blockedBy"),
        ]
      )
    )
    #expect(try statements(migrated) == Self.table)
    #expect(
      try migrated.destination.rows(
        "SELECT Z_2BLOCKEDBY, Z_2BLOCKING FROM Z_2BLOCKING ORDER BY 1, 2"
      ) == [[1, 2], [1, 3]]
    )
  }

  @Test func `a table that gets another name keeps the order of its columns`() throws {
    let migrated = try migrate(
      Self.store(named: "blockedBy"),
      to: Self.model(EntityDescription("Message"))
    )
    #expect(
      try statements(migrated) == [
        [
          "CREATE TABLE Z_2BLOCKING ( Z_2BLOCKING INTEGER, Z_2BLOCKEDBY INTEGER, PRIMARY KEY (Z_2BLOCKING, Z_2BLOCKEDBY) )"
        ],
        [
          "CREATE INDEX Z_2BLOCKING_Z_2BLOCKEDBY_INDEX ON Z_2BLOCKING (Z_2BLOCKEDBY, Z_2BLOCKING)"
        ],
      ]
    )
    #expect(
      try migrated.destination.rows(
        "SELECT Z_2BLOCKEDBY, Z_2BLOCKING FROM Z_2BLOCKING ORDER BY 1, 2"
      )
        == [[1, 2], [1, 3]]
    )
  }

  /// The first user's pairs as a table whose columns come in the other order.
  private static let swapped = [
    "DROP TABLE Z_1BLOCKING",
    "CREATE TABLE Z_1BLOCKING ( Z_1BLOCKING INTEGER, Z_1BLOCKEDBY INTEGER, "
      + "PRIMARY KEY (Z_1BLOCKING, Z_1BLOCKEDBY) )",
    "CREATE INDEX Z_1BLOCKING_Z_1BLOCKEDBY_INDEX ON Z_1BLOCKING (Z_1BLOCKEDBY, Z_1BLOCKING)",
    "INSERT INTO Z_1BLOCKING (Z_1BLOCKING, Z_1BLOCKEDBY) VALUES (2, 1), (3, 1)",
  ]

  @Test func `columns and key keep the order that they have in the source`() throws {
    var store = try Self.store(named: "blocking")
    store.sql = Self.swapped
    let migrated = try migrate(store, to: Self.model(EntityDescription("Message")))
    #expect(
      try statements(migrated) == [
        [
          "CREATE TABLE Z_2BLOCKING ( Z_2BLOCKING INTEGER, Z_2BLOCKEDBY INTEGER, PRIMARY KEY (Z_2BLOCKING, Z_2BLOCKEDBY) )"
        ],
        [
          "CREATE INDEX Z_2BLOCKING_Z_2BLOCKEDBY_INDEX ON Z_2BLOCKING (Z_2BLOCKEDBY, Z_2BLOCKING)"
        ],
      ]
    )
    #expect(try migrated.destination.rows(of: "Z_2BLOCKING") == [[2, 1], [3, 1]])
  }

  @Test func `a table that stays as it is keeps the order of its columns`() throws {
    var store = try Self.store(named: "blocking")
    store.sql = Self.swapped
    let migrated = try migrate(store, to: Self.model(EntityDescription("Zebra")))
    #expect(
      try statements(migrated) == [
        [
          "CREATE TABLE Z_1BLOCKING ( Z_1BLOCKING INTEGER, Z_1BLOCKEDBY INTEGER, PRIMARY KEY (Z_1BLOCKING, Z_1BLOCKEDBY) )"
        ],
        [
          "CREATE INDEX Z_1BLOCKING_Z_1BLOCKEDBY_INDEX ON Z_1BLOCKING (Z_1BLOCKEDBY, Z_1BLOCKING)"
        ],
      ]
    )
    #expect(try migrated.destination.rows(of: "Z_1BLOCKING") == [[2, 1], [3, 1]])
  }

  @Test func `a table whose relationship becomes ordered is made afresh`() throws {
    var store = try Self.store(named: "blocking")
    store.sql = Self.swapped
    let model = try ManagedObjectModel.of(
      EntityDescription(
        "User",
        [],
        [
          .toMany("blocking", "User", inverse: "blockedBy", isOrdered: true),
          .toMany("blockedBy", "User", inverse: "blocking"),
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
