import BulkTestSupport
import Testing

struct DerivedTriggerTests {
  private static func derived(
    _ attributes: (String, AttributeType, String)...
  ) throws
    -> [AttributeDescription]
  { try attributes.map { .derived($0, $1, try ValueExpression(format: $2)) } }

  /// Items, number 4 under 3, of owners, number 2, which have labels.
  private static func schema() throws -> StoreSchema {
    StoreSchema(
      try .of(
        .init("Thing", [.optional("name")]),
        .init(
          "Item",
          under: "Thing",
          [.optional("number", .integer32), .optional("isDone", .boolean)]
            + derived(
              ("upper", .string, "uppercase:(name)"),
              ("plain", .string, "canonical:(owner.name)")
            ),
          [.toOne("owner", "Owner.items")]
        ),
        .init(
          "Owner",
          [.optional("name")]
            + derived(
              ("edited", .date, "now()"),
              ("count", .integer64, "items.@count"),
              ("total", .integer64, "sum:(items.number)"),
              ("done", .integer64, "count:(items.isDone)"),
              ("least", .integer32, "min:(items.number)"),
              ("labelled", .integer32, "labels.@count")
            ),
          [.toMany("items", "Item.owner"), .toMany("labels", "Label.owners")]
        ),
        .init("Label", [], [.toMany("owners", "Owner.labels")])
      )
    )
  }

  private static func triggers(_ property: String) throws -> [SchemaTrigger] {
    try schema().derivedAttributes.filter { $0.key.property == property }.flatMap(\.triggers)
  }

  // formats/store.md 9.2
  @Test(
    arguments: [
      ("upper", ["ZTHING_Item_upper_INSERT", "ZTHING_Item_upper_UPDATE"]),
      ("edited", ["ZOWNER_Owner_edited_INSERT", "ZOWNER_Owner_edited_UPDATE"]),
      (
        "plain",
        [
          "ZTHING_Item_plain_SOURCE_INSERT", "ZTHING_Item_plain_SOURCE_UPDATE",
          "ZOWNER_Item_plain_PARAMETER_INSERT", "ZOWNER_Item_plain_PARAMETER_UPDATE",
        ]
      ),
      (
        "total",
        [
          "ZTHING_Owner_total_PARAMETER_INSERT", "ZTHING_Owner_total_PARAMETER_UPDATE_INCREMENT",
          "ZTHING_Owner_total_PARAMETER_UPDATE_DECREMENT", "ZTHING_Owner_total_PARAMETER_DELETE",
          "ZOWNER_Owner_total_SOURCE_INSERT",
        ]
      ),
      (
        "least",
        [
          "ZTHING_Owner_least_INSERT", "ZTHING_Owner_least_UPDATE_SET",
          "ZTHING_Owner_least_UPDATE_UNSET", "ZTHING_Owner_least_DELETE",
          "ZOWNER_Owner_least_INSERT",
        ]
      ),
      (
        "labelled",
        [
          "Z_1OWNERS_Owner_labelled_PARAMETER_INSERT", "Z_1OWNERS_Owner_labelled_PARAMETER_DELETE",
          "ZOWNER_Owner_labelled_SOURCE_INSERT",
        ]
      ),
    ]
  )
  func `triggers have the names of Core Data`(property: String, names: [String]) throws {
    #expect(try Self.triggers(property).map(\.name) == names.map { "Z_DA_" + $0 })
  }

  /// The text of now() is one that a published article shows, but for its names and `IF NOT EXISTS`.
  @Test(
    arguments: [
      (
        "edited", 1,
        "CREATE TRIGGER Z_DA_ZOWNER_Owner_edited_UPDATE AFTER UPDATE OF Z_OPT ON ZOWNER FOR EACH ROW "
          + "BEGIN UPDATE ZOWNER SET ZEDITED = NSCoreDataNow() WHERE Z_PK = NEW.Z_PK; "
          + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZOWNER', Z_ENT, Z_PK, 'edited', "
          + "ZEDITED) FROM ZOWNER WHERE Z_PK = NEW.Z_PK; END"
      ),
      (
        "upper", 0,
        "CREATE TRIGGER Z_DA_ZTHING_Item_upper_INSERT AFTER INSERT ON ZTHING FOR EACH ROW "
          + "WHEN (4 <= NEW.Z_ENT AND NEW.Z_ENT <= 4) BEGIN UPDATE ZTHING SET ZUPPER = "
          + "NSCoreDataToUpper(NEW.ZNAME) WHERE Z_PK = NEW.Z_PK AND 4 <= Z_ENT AND Z_ENT <= 4; "
          + "SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZTHING', Z_ENT, Z_PK, "
          + "'upper', ZUPPER) FROM ZTHING WHERE Z_PK = NEW.Z_PK AND 4 <= Z_ENT AND Z_ENT <= 4; END"
      ),
      (
        "total", 2,
        "CREATE TRIGGER Z_DA_ZTHING_Owner_total_PARAMETER_UPDATE_DECREMENT AFTER UPDATE OF ZOWNER, "
          + "ZNUMBER ON ZTHING FOR EACH ROW WHEN (OLD.ZOWNER NOT NULL) BEGIN UPDATE ZOWNER SET "
          + "ZTOTAL = ZTOTAL - IFNULL(OLD.ZNUMBER, 0) WHERE Z_PK = OLD.ZOWNER; "
          + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZOWNER', Z_ENT, Z_PK, 'total', "
          + "ZTOTAL) FROM ZOWNER WHERE Z_PK = OLD.ZOWNER; END"
      ),
    ] as [(String, Int, String)]
  )
  func `triggers are written as those that were seen`(
    property: String,
    index: Int,
    sql: String
  ) throws {
    #expect(try Self.triggers(property)[index].sql == sql)
  }

  @Test(
    .enabled(if: SharedData.isPresent, "../shared/data is not there"),
    arguments: ["core-data-plus/SampleModel2_V2.sqlite", "photos/Photos-10.16.0.sqlite"]
  )
  func `triggers of real stores have the text that their models predict`(path: String) throws {
    let store = try RealStores.open(path)
    let found = store.schema.objects.filter {
      $0.kind == .trigger && $0.name.hasPrefix(DerivedAttribute.triggerPrefix)
    }
    let schema = try store.layout(for: RealStores.model(of: store, path)).schema
    let predicted = schema.derivedAttributes.flatMap(\.triggers)
    #expect(Set(found.map(\.sql)) == Set(predicted.map(\.sql)) && found.count >= 4)
    #expect(schema.underivable == [])
  }

  /// What triggers do to the values; the functions that tell Core Data of it are left out.
  @Test func `triggers keep the values whatever happens to members`() throws {
    let schema = try Self.schema()
    let connection = try Connection(path: "derived", access: .memory)
    for table in schema.entityTables { try connection.execute(SchemaSQL.create(table)) }
    for table in schema.joinTables { try connection.execute(SchemaSQL.create(table)) }
    for name in ["count", "total", "done", "least", "labelled"] {
      for trigger in try Self.triggers(name) {
        try connection.execute(trigger.sql.replacing(/\ SELECT NSCoreData[^;]*;/, with: ""))
      }
    }
    try connection.execute("INSERT INTO ZOWNER (Z_PK, Z_ENT) VALUES (1, 2), (2, 2), (3, 2)")
    var random = SeededGenerator(seed: 1)
    for key in 1...400 {
      func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
      let (owner, item) = (number(0...3), number(1...key))
      try connection.execute(
        [
          "INSERT INTO ZTHING (Z_PK, Z_ENT, ZOWNER, ZNUMBER, ZISDONE) "
            + "VALUES (\(key), 4, NULLIF(\(owner), 0), NULLIF(\(number(0...9)), 9), \(number(0...1)))",
          "UPDATE ZTHING SET ZOWNER = NULLIF(\(owner), 0) WHERE Z_PK = \(item)",
          "UPDATE ZTHING SET ZNUMBER = \(number(0...9)), ZISDONE = NULL WHERE Z_PK = \(item)",
          "DELETE FROM ZTHING WHERE Z_PK = \(item)",
          "INSERT OR IGNORE INTO Z_1OWNERS VALUES (\(number(1...5)), \(number(1...3)))",
          "DELETE FROM Z_1OWNERS WHERE Z_1LABELS = \(number(1...5)) OR Z_2OWNERS = 9",
        ][number(0...5)]
      )
    }
    let wrong = try connection.value(
      """
      SELECT group_concat(Z_PK) FROM ZOWNER AS o
      WHERE ZCOUNT IS NOT (SELECT count(*) FROM ZTHING AS t WHERE t.ZOWNER = o.Z_PK)
        OR ZTOTAL IS NOT (SELECT ifnull(sum(ZNUMBER), 0) FROM ZTHING AS t WHERE t.ZOWNER = o.Z_PK)
        OR ZDONE IS NOT (SELECT count(*) FROM ZTHING AS t WHERE t.ZOWNER = o.Z_PK AND ZISDONE)
        OR ZLEAST IS NOT (SELECT min(ZNUMBER) FROM ZTHING AS t WHERE t.ZOWNER = o.Z_PK)
        OR ZLABELLED IS NOT (SELECT count(*) FROM Z_1OWNERS AS l WHERE l.Z_2OWNERS = o.Z_PK)
      """
    )
    #expect(wrong == .null)
    #expect(try connection.value("SELECT count(*) > 50 FROM ZTHING") == .integer(1))
  }
}
