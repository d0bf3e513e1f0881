import BulkTestSupport
import Testing

@testable import BulkMigrate

/// R-trees of places, as a model declares them (formats/store.md 7.11, formats/migration.md 7.2).
struct RTreeTests {
  /// Places and towns, which are places, with an R-tree over two numbers.
  private static func model(
    _ names: [String] = ["latitude", "longitude"],
    named entity: String = "Place",
    isIndexed: Bool = true,
    more: [AttributeDescription] = []
  ) throws -> ManagedObjectModel {
    var place = EntityDescription(
      entity,
      id: "Place",
      zip(names, ["latitude", "longitude"]).map { .optional($0, .double, id: $1) } + more
    )
    if isIndexed {
      place.indexes = [
        FetchIndexDescription(
          "byPlace",
          elements: names.map { .init(.property($0), kind: .rTree) }
        )
      ]
    }
    return try .of(place, .init("Town", under: entity, [.optional("name")]))
  }

  /// The numbers are such that 32 bits hold them.
  private static func store(_ model: ManagedObjectModel) -> TestStore {
    TestStore(
      model,
      TestObject("Place", 1, ["latitude": .double(48.5), "longitude": .double(-2.25)]),
      TestObject("Place", 2, ["latitude": .double(1)]),
      TestObject("Town", 3, ["latitude": .double(0.5), "longitude": .double(179), "name": "x"])
    )
  }

  private static let entries: [[StoredValue]] = [
    [1, 48.5, 48.5, -2.25, -2.25], [3, 0.5, 0.5, 179.0, 179.0],
  ]

  private func faults(_ store: StoreFile, _ model: ManagedObjectModel) throws -> [String] {
    var result: [String] = []
    try StoreCheck(
      store: PersistentStore(path: store.path),
      model: model,
      source: StoreCheck.Source(path: store.path),
      memory: 1 << 20
    ).run({}) { result.append("\($0)") }
    return result
  }

  private func schema(_ store: StoreFile) throws -> [[StoredValue]] {
    try store.rows(
      "SELECT type, sql FROM sqlite_schema WHERE sql LIKE '%byPlace%' AND name NOT GLOB '*_[npr][oa]*' ORDER BY rowid"
    )
  }

  @Test(arguments: [StoreStrategy.Kind.rebuild, .copy])
  func `a new index is a virtual table with the rows that have all numbers, and three triggers`(
    strategy: StoreStrategy.Kind
  ) throws {
    let model = try Self.model(more: [.optional("note")])
    let planned = try plan(Self.store(Self.model(isIndexed: false)), to: model, by: strategy)
    let destination = try planned.make()
    #expect(try destination.rows("SELECT * FROM Z_Place_byPlace ORDER BY Z_PK") == Self.entries)
    #expect(
      try schema(destination) == [
        [
          "table",
          """
          CREATE VIRTUAL TABLE Z_Place_byPlace USING RTREE (Z_PK INTEGER PRIMARY KEY, ZLATITUDE_MIN FLOAT, \
          ZLATITUDE_MAX FLOAT, ZLONGITUDE_MIN FLOAT, ZLONGITUDE_MAX FLOAT)
          """,
        ],
        [
          "trigger",
          """
          CREATE TRIGGER Z_Place_byPlace_INSERT AFTER INSERT ON ZPLACE FOR EACH ROW BEGIN INSERT OR REPLACE INTO \
          Z_Place_byPlace (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, ZLONGITUDE_MIN, ZLONGITUDE_MAX) SELECT NEW.Z_PK, \
          NEW.ZLATITUDE ,NEW.ZLATITUDE, NEW.ZLONGITUDE, NEW.ZLONGITUDE WHERE NEW.ZLATITUDE NOT NULL AND \
          NEW.ZLONGITUDE NOT NULL ; END
          """,
        ],
        [
          "trigger",
          """
          CREATE TRIGGER Z_Place_byPlace_UPDATE AFTER UPDATE ON ZPLACE FOR EACH ROW BEGIN DELETE FROM \
          Z_Place_byPlace WHERE Z_PK = NEW.Z_PK ; INSERT INTO Z_Place_byPlace (Z_PK, ZLATITUDE_MIN, ZLATITUDE_MAX, \
          ZLONGITUDE_MIN, ZLONGITUDE_MAX) SELECT NEW.Z_PK, NEW.ZLATITUDE ,NEW.ZLATITUDE, NEW.ZLONGITUDE, \
          NEW.ZLONGITUDE WHERE NEW.ZLATITUDE NOT NULL AND NEW.ZLONGITUDE NOT NULL ; END
          """,
        ],
        [
          "trigger",
          """
          CREATE TRIGGER Z_Place_byPlace_DELETE AFTER DELETE ON ZPLACE FOR EACH ROW BEGIN DELETE FROM \
          Z_Place_byPlace WHERE Z_PK = OLD.Z_PK ; END
          """,
        ],
      ]
    )
    #expect(try faults(destination, model) == [])
    // Core Data trusts the schema of its stores, whose triggers fill the virtual table.
    try destination.execute(
      """
      PRAGMA trusted_schema = ON;
      UPDATE ZPLACE SET ZLONGITUDE = 4 WHERE Z_PK = 2; UPDATE ZPLACE SET ZLATITUDE = NULL WHERE Z_PK = 1;
      DELETE FROM ZPLACE WHERE Z_PK = 3; INSERT INTO ZPLACE (Z_PK, Z_ENT, ZLATITUDE) VALUES (4, 1, 7)
      """
    )
    #expect(
      try destination.rows("SELECT * FROM Z_Place_byPlace") == [[2, 1.0, 1.0, 4.0, 4.0]]
    )
  }

  @Test func `it follows its entity and attributes to other names, and nothing is lost`() throws {
    let model = try Self.model(["north", "east"], named: "Spot")
    let migrated = try migrate(Self.store(Self.model()), to: model)
    #expect(migrated.plan.losses == [])
    #expect(migrated.plan.carried.tables == [])
    #expect(migrated.plan.carried.objects == [])
    #expect(
      try migrated.destination.rows("SELECT * FROM Z_Spot_byPlace ORDER BY Z_PK") == Self.entries
    )
    #expect(
      try migrated.destination.rows(
        "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'Z_Place%'"
      ) == [[0]]
    )
    #expect(try faults(migrated.destination, model) == [])
  }

  @Test func `without its index nothing is left of it, and nothing is lost`() throws {
    let model = try Self.model(isIndexed: false, more: [.optional("note")])
    let migrated = try migrate(Self.store(Self.model()), to: model)
    #expect(migrated.plan.losses == [])
    #expect(try schema(migrated.destination) == [])
  }

  @Test func `objects with new keys are found by their new keys`() throws {
    let model = try Self.model()
    let migrated = try migrate(
      Self.store(model),
      to: model,
      by: try .of(
        "Town",
        "Town",
        ["latitude": "$source.latitude + 1", "longitude": "$source.longitude"]
      )
    )
    #expect(
      try migrated.destination.rows(
        "SELECT ZLATITUDE_MIN, ZLATITUDE_MAX FROM Z_Place_byPlace WHERE ZLONGITUDE_MAX = 179"
      ) == [[1.5, 1.5]]
    )
    #expect(try faults(migrated.destination, model) == [])
  }

  @Test func `a store that is changed in its place has it too`() throws {
    let model = try Self.model(more: [.optional("note")])
    let planned = try Planned(Self.store(Self.model()), to: model)
    var request = PlanRequest()
    request.sourceModel = planned.directory.path("source.mom")
    request.destinationModel = planned.directory.path("destination.mom")
    _ = try AlteringMigration(of: planned.source.path, request, .inTestProcess).run()
    #expect(
      try planned.source.rows("SELECT * FROM Z_Place_byPlace ORDER BY Z_PK") == Self.entries
    )
    #expect(try faults(planned.source, model) == [])
  }

  @Test(
    arguments: [
      (
        "DROP TRIGGER Z_Place_byPlace_UPDATE",
        "trigger: expected Z_Place_byPlace_UPDATE, found nothing"
      ),
      (
        "DELETE FROM Z_Place_byPlace WHERE Z_PK = 1",
        "Z_Place_byPlace: expected the rows of ZPLACE with their values, found 1 rows are not as in ZPLACE, "
          + "the first with key 1"
      ),
      (
        "UPDATE Z_Place_byPlace SET ZLATITUDE_MAX = 48.6 WHERE Z_PK = 1",
        "Z_Place_byPlace: expected the rows of ZPLACE with their values, found 1 rows are not as in ZPLACE, "
          + "the first with key 1"
      ),
      (
        "INSERT INTO Z_Place_byPlace VALUES (9, 1, 1, 1, 1)",
        "Z_Place_byPlace: expected the rows of ZPLACE with their values, found 1 entries of rows that do not exist, "
          + "the first with key 9"
      ),
      (
        "DROP TABLE Z_Place_byPlace",
        "R-tree: expected Z_Place_byPlace, found nothing"
      ),
    ]
  )
  func `a check of the store finds what is wrong with it`(sql: String, fault: String) throws {
    let (model, directory) = (try Self.model(), TemporaryDirectory())
    var store = Self.store(model)
    store.sql = [sql]
    #expect(try faults(store.write(to: directory.path("store.sqlite")), model) == [fault])
  }
}
