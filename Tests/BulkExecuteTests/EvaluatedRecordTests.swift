import BulkTestSupport
import Testing

/// Rows with evaluated attributes that are copied from records are those that SQLite inserts value by value.
struct EvaluatedRecordTests {
  private static let note = EntityDescription(
    "Note",
    [
      .optional("title"), .optional("rank", .integer64), .optional("ratio", .double),
      .optional("data", .binaryData), .optional("body"), .optional("sum", .integer64),
    ],
    [.toOne("next", "Note.former"), .toMany("former", "Note.next")]
  )

  /// A mapping that evaluates values of all kinds that records give, and takes rows by a filter of which SQL tests one
  /// part, so that a run counts the rows that the other one leaves out.
  private static func mappings() throws -> [EntityMapping] {
    [
      try .of(
        "Note",
        "Note",
        where: "rank != 6 AND modulus:by:(rank, 3) != 1",
        [
          "title": "uppercase:($source.title)", "rank": "$source.rank", "ratio": "$source.ratio",
          "data": "$source.data", "sum": "$source.rank * 3 + 7",
          "body":
            "TERNARY($source.rank * 3 > 60, lowercase:($source.next.title), canonical:($source.title))",
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

  private static func made(
    _ store: TestStore,
    bySQL: Bool
  ) throws -> Result<[[StoredValue]], RunFailure> {
    let planned = try Planned(store, to: .of(note), by: mappings())
    var migration = Migration(inTestProcess: planned.plan)
    if bySQL { migration.rowSink = { session, _ in SQLRowSink(session) } }
    do {
      _ = try migration.run()
    } catch {
      // The last line names a folder; pages of rows and single ones report in another order.
      let lines = "\(error)".split(separator: "\n").filter { !$0.hasPrefix("all are listed") }
      return .failure(RunFailure(text: lines.sorted().joined(separator: "\n")))
    }
    return .success(
      try planned.made.rows(
        """
        SELECT Z_PK, Z_ENT, Z_OPT, quote(ZTITLE), ZRANK, typeof(ZRATIO), quote(ZRATIO), quote(ZDATA),
          ZNEXT, quote(ZBODY), ZSUM FROM ZNOTE ORDER BY Z_PK
        """
      )
    )
  }

  private struct RunFailure: Error, Equatable {
    let text: String
  }

  @Test func `values come from the record, and evaluated ones from the expression`() throws {
    let made = try Self.made(
      Self.store(["UPDATE ZNOTE SET ZDATA = x'0102' WHERE Z_PK = 4"]),
      bySQL: false
    ).get()
    // Of the ranks 1 to 40 those that leave 1 are left out: 1, 4, …, 40; and 6.
    #expect(made.count == 25)
    #expect(made[0] == [4, 1, 1, "'NOTE 2'", 2, "real", "0.5", "X'0102'", nil, "'note 2'", 13])
    #expect(made[1] == [6, 1, 1, "'NOTE 3'", 3, "real", "0.5", "NULL", 4, "'note 3'", 16])
    #expect(made[2] == [10, 1, 1, "'NOTE 5'", 5, "real", "0.5", "NULL", nil, "'note 5'", 22])
    // The rank 21 is the first above 20; the note before it has the title.
    #expect(made[12] == [42, 1, 1, "'NOTE 21'", 21, "real", "0.5", "NULL", 40, "'note 20'", 70])
  }

  /// Both texts are of rows of one table, in records that are read one after the other.
  @Test(arguments: [1, 400, 40_000])
  func `texts of two related rows stay apart`(length: Int) throws {
    let text = { (letter: String) in String(repeating: letter, count: length) }
    var store = TestStore(
      try .of(
        EntityDescription("Book", [], [.toOne("author", "Person"), .toOne("editor", "Person")]),
        EntityDescription("Person", [.optional("name")])
      ),
      TestObject("Person", 1, ["name": .string(text("a"))]),
      TestObject("Person", 2, ["name": .string(text("b") + "b")])
    )
    store.objects += (1...300).map {
      TestObject("Book", $0, links: ["author": [1], "editor": [$0 % 2 + 1]])
    }
    let planned = try Planned(
      store,
      to: .of(EntityDescription("Book", [.optional("label"), .optional("isSame", .boolean)])),
      by: [
        .of(
          "Book",
          "Book",
          [
            "label":
              "TERNARY($source.author.name != nil, $source.author.name, $source.editor.name)",
            "isSame": "TERNARY($source.author.name == $source.editor.name, 1, 0)",
          ]
        )
      ]
    )
    _ = try planned.run { $0.lossLimit = .all }
    #expect(
      try planned.made.rows(
        "SELECT DISTINCT ZLABEL = '\(text("a"))', Z_PK % 2 + ZISSAME FROM ZBOOK"
      )
        == [[1, 1]]
    )
  }

  /// Values that records hold though their attributes do not have them, and large ones.
  private static let odd = [
    "ZRATIO = 5", "ZRATIO = 'x'", "ZRATIO = x'00'", "ZRATIO = 9e999", "ZDATA = 7", "ZDATA = 'text'",
    "ZDATA = zeroblob(9000)", "ZDATA = zeroblob(200000)", "ZTITLE = NULL", "ZTITLE = 12",
    "ZTITLE = CAST(x'41ff42' AS TEXT)", "ZTITLE = hex(zeroblob(50000))", "ZTITLE = 'straße'",
    "Z_OPT = 9", "ZNEXT = 999", "ZNEXT = NULL", "ZTITLE = 'Ärger Σς'", "ZTITLE = ''",
    "ZRANK = NULL", "ZRANK = 33.0",
  ]

  /// Values for which an expression has no result.
  private static let failing = [
    "ZRANK = 'x'", "ZRANK = x'00'", "ZRANK = 9223372036854775807", "ZRANK = 2.5", "ZTITLE = x'41'",
    "ZRANK = -9223372036854775808",
  ]

  private static func store(_ values: [String], seed: UInt64) throws -> TestStore {
    var generator = SeededGenerator(seed: seed)
    return try store(
      (1...15).map { _ in
        let key = Int64.random(in: 1...40, using: &generator) * 2
        return
          "UPDATE ZNOTE SET \(values.randomElement(using: &generator) ?? "") WHERE Z_PK = \(key)"
      }
    )
  }

  @Test(arguments: RandomSeeds.first(12))
  func `odd records give the same rows as SQLite`(seed: UInt64) throws {
    let store = try Self.store(Self.odd, seed: seed)
    let rows = try Self.made(store, bySQL: false)
    #expect(try rows.get().count > 20)
    #expect(rows == (try Self.made(store, bySQL: true)))
  }

  @Test(arguments: RandomSeeds.first(12))
  func `values without a result fail as those that SQLite reads`(seed: UInt64) throws {
    let store = try Self.store(Self.odd + Self.failing, seed: seed)
    let (records, statements) = try (Self.made(store, bySQL: false), Self.made(store, bySQL: true))
    #expect(records == statements, "\(store.sql)")
  }
}
