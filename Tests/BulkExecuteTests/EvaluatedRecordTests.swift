import BulkCoding
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import Testing

/// Rows with evaluated attributes that are copied from records are those that SQLite inserts value by value.
@Suite("Evaluated rows that are copied")
struct EvaluatedRecordTests {
  private static let note = EntityDescription(
    "Note",
    [
      .optional("title"), .optional("rank", .integer64), .optional("ratio", .double),
      .optional("data", .binaryData),
    ],
    [.toOne("next", "Note", inverse: "former"), .toMany("former", "Note", inverse: "next")]
  )

  /// A mapping that evaluates the title, and takes rows by a filter that is evaluated.
  private static func mappings() throws -> [EntityMapping] {
    [
      try .of(
        "Note",
        "Note",
        where: "modulus:by:(rank, 3) != 1",
        [
          "title": "uppercase:($source.title)", "rank": "$source.rank", "ratio": "$source.ratio",
          "data": "$source.data",
        ],
        [
          "next":
            "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'NoteToNote', $source.next)"
        ]
      )
    ]
  }

  private static func store(_ sql: [String]) throws -> TestStore {
    var store = TestStore(try .of(note))
    store.objects = (1...40).map { key in
      TestObject(
        "Note",
        key * 2,
        ["title": .string("note \(key)"), "rank": .integer(key), "ratio": .double(0.5)],
        links: key > 1 ? ["next": [key * 2 - 2]] : [:]
      )
    }
    store.sql = sql
    return store
  }

  private static func made(_ store: TestStore, bySQL: Bool) throws -> [[StoredValue]] {
    let planned = try Planned(store, to: .of(note), by: mappings())
    var migration = Migration(inTestProcess: planned.plan)
    if bySQL { migration.rowSink = { session, _ in SQLRowSink(session) } }
    _ = try migration.run()
    return try StoreFile(planned.plan.destination.store, keeping: planned.directory).rows(
      """
      SELECT Z_PK, Z_ENT, Z_OPT, quote(ZTITLE), ZRANK, typeof(ZRATIO), quote(ZRATIO), quote(ZDATA),
        ZNEXT FROM ZNOTE ORDER BY Z_PK
      """
    )
  }

  @Test func `values come from the record, and evaluated ones from the expression`() throws {
    let made = try Self.made(
      Self.store(["UPDATE ZNOTE SET ZDATA = x'0102' WHERE Z_PK = 4"]),
      bySQL: false
    )
    // Of the ranks 1 to 40 those that leave 1 are left out: 1, 4, …, 40.
    #expect(made.count == 26)
    #expect(made[0] == [4, 1, 1, "'NOTE 2'", 2, "real", "0.5", "X'0102'", nil])
    #expect(made[1] == [6, 1, 1, "'NOTE 3'", 3, "real", "0.5", "NULL", 4])
    #expect(made[2] == [10, 1, 1, "'NOTE 5'", 5, "real", "0.5", "NULL", nil])
  }

  /// Values that records hold though their attributes do not have them, and large ones.
  private static let odd = [
    "ZRATIO = 5", "ZRATIO = 'x'", "ZRATIO = x'00'", "ZRATIO = 9e999", "ZDATA = 7", "ZDATA = 'text'",
    "ZDATA = zeroblob(9000)", "ZDATA = zeroblob(200000)", "ZTITLE = NULL", "ZTITLE = 12",
    "ZTITLE = CAST(x'41ff42' AS TEXT)", "ZTITLE = hex(zeroblob(50000))", "ZTITLE = 'straße'",
    "Z_OPT = 9", "ZNEXT = 999", "ZNEXT = NULL",
  ]

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `odd records give the same rows as SQLite`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let sql = (1...15).map { _ in
      let key = Int64.random(in: 1...40, using: &generator) * 2
      return
        "UPDATE ZNOTE SET \(Self.odd.randomElement(using: &generator) ?? "") WHERE Z_PK = \(key)"
    }
    let store = try Self.store(sql)
    let rows = try Self.made(store, bySQL: false)
    #expect(rows.count == 26)
    #expect(rows == (try Self.made(store, bySQL: true)))
  }
}
