import BulkTestSupport
import Testing

/// Rows with a `Z_ENT` that no entity of their table has, which Core Data never fetches (formats/migration.md 3.5, 8.3:
/// it looks at rows with exactly the numbers of an entity).
@Suite("Rows of no entity", .tags(.promise22)) struct StrayRowTests {
  private static let note = EntityDescription(
    "Note",
    [.optional("title")],
    [.toOne("next", "Note")]
  )

  /// Three notes, of which the second has the number of no entity, and the first leads to it.
  ///
  /// The trigger would end every statement that deletes a row.
  private static func planned(
    _ number: String,
    by mappings: [EntityMapping]? = nil,
    _ strategy: StoreStrategy.Kind? = nil,
    changing sql: [String] = []
  ) throws -> Planned {
    var store = TestStore(
      try .of(note),
      TestObject("Note", 1, ["title": "a"], links: ["next": [2]]),
      TestObject("Note", 2, ["title": "b"]),
      TestObject("Note", 3, ["title": "c"], links: ["next": [1]])
    )
    store.sql =
      [
        "UPDATE ZNOTE SET Z_ENT = \(number) WHERE Z_PK = 2",
        "CREATE TRIGGER app AFTER DELETE ON ZNOTE BEGIN SELECT app_function(OLD.Z_PK); END",
      ] + sql
    var request = PlanRequest()
    request.strategy = strategy
    return try Planned(
      store,
      to: .of(.init("Note", [.optional("title"), .optional("more")], [.toOne("next", "Note")])),
      by: mappings,
      request
    )
  }

  @Test(arguments: ["9", "0", "NULL", "'x'"])
  func `a row of no entity is a lost object with its place`(number: String) throws {
    let planned = try Self.planned(number)
    #expect(
      planned.plan.lossLines == [
        "1 object of ZNOTE: the row with key 2 has Z_ENT \(number), which is not the number of an entity of the "
          + "table, so Core Data never fetches it"
      ]
    )
    let text = failure { try planned.run { $0.lossLimit = .count(0) } }
    #expect(text.contains("pass --max-loss 1"))
  }

  @Test(arguments: [nil, .rebuild, .copy] as [StoreStrategy.Kind?])
  func `it is left out where rows keep their keys`(strategy: StoreStrategy.Kind?) throws {
    let planned = try Self.planned("9", strategy)
    let before = try planned.directory.bytes()["source.sqlite"]
    let outcome = try planned.run { $0.lossLimit = .count(1) }
    #expect(outcome.losses == planned.plan.losses)
    let made = planned.made
    // The key of row 1 is dangling, as in the source.
    #expect(
      try made.rows("SELECT Z_PK, Z_ENT, ZTITLE, ZNEXT FROM ZNOTE ORDER BY 1")
        == [[1, 1, "a", 2], [3, 1, "c", 1]]
    )
    #expect(try made.names(of: "trigger") == ["app"])
    #expect(try planned.directory.bytes()["source.sqlite"] == before)
  }

  @Test func `a plan that would leave out the rows of an entity is stale`() throws {
    var planned = try Self.planned("9")
    let store = try PersistentStore(path: planned.source.path)
    planned.plan.strays = [try #require(try StrayRows(in: "ZNOTE", of: store, except: [999]))]
    let error = #expect(throws: PlanError.self) { try planned.plan.sourceCopy() }
    #expect(error?.description.contains("are not those of the plan") == true)
  }

  private static func replacing(_ old: String, with new: String) -> [String] {
    [
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)')",
      "PRAGMA writable_schema = RESET",
    ]
  }

  /// Orders and functions of the application are not there, others may take any memory, and the entries of an index may
  /// contradict the rows, as after bits of a row have changed on the disk.
  @Test(arguments: [
    ["CREATE INDEX i ON ZNOTE (ZTITLE COLLATE NOCASE)"] + replacing("NOCASE", with: "app_order"),
    ["CREATE INDEX i ON ZNOTE (lower(ZTITLE))"] + replacing("lower(", with: "app_function("),
    ["CREATE INDEX i ON ZNOTE (lower(ZTITLE))"]
      + replacing("lower(ZTITLE)", with: "hex(zeroblob(900000000))"),
    [
      "CREATE INDEX i ON ZNOTE (Z_ENT)",
      "CREATE TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'i'",
      "PRAGMA writable_schema = ON", "DELETE FROM sqlite_schema WHERE name = 'i'",
      "PRAGMA writable_schema = RESET", "UPDATE ZNOTE SET Z_ENT = 10 WHERE Z_PK = 2",
      "PRAGMA writable_schema = ON", "INSERT INTO sqlite_schema SELECT * FROM kept",
      "PRAGMA writable_schema = RESET", "DROP TABLE kept",
    ],
  ])
  func `no index prevents that it is left out`(sql: [String]) throws {
    let planned = try Self.planned("9", changing: sql)
    try planned.run { $0.lossLimit = .count(10) }
    let made = planned.made
    #expect(try made.rows(of: "ZNOTE", "Z_PK") == [[1], [3]])
  }

  @Test func `it is left out where objects are made`() throws {
    let next = "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", "
    let planned = try Self.planned(
      "9",
      by: [
        .of(
          "Note",
          "Note",
          ["title": "$source.title"],
          ["next": next + "\"NoteToNote\", $source.next)"]
        )
      ]
    )
    let outcome = try planned.run { $0.lossLimit = .count(1) }
    #expect(outcome.losses.map(\.count) == [1])
    let made = planned.made
    #expect(
      try made.rows("SELECT Z_PK, ZTITLE, ZNEXT FROM ZNOTE ORDER BY 1")
        == [[1, "a", nil], [3, "c", 1]]
    )
  }
}
