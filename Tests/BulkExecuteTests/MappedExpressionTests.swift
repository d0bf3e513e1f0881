import BulkTestSupport
import Testing

/// Attributes that are computed, at the level of tables; AcceptanceTests have the worked examples.
struct MappedExpressionTests {
  // formats/migration.md 8.8
  @Test func `nil replaces a default value, also where another attribute is evaluated`() throws {
    let migrated = try migrate(
      TestStore(
        try .of(EntityDescription("Note", [.optional("title"), .optional("rank", .integer16)])),
        TestObject("Note", 1, ["title": "a", "rank": 5])
      ),
      to: .of(
        .init(
          "Note",
          [
            .optional("title"), .optional("rank", .integer16, default: 1),
            .optional("x", default: "y"),
          ]
        )
      ),
      by: .of("Note", "Note", ["title": "uppercase:($source.title)", "rank": "nil"])
    )
    #expect(
      try migrated.destination.rows(of: "ZNOTE", "ZTITLE", "ZRANK", "ZX") == [["A", nil, "y"]]
    )
  }

  /// E-5, the good strings.
  @Test func `text in base 64 becomes bytes`() throws {
    let migrated = try migrate(
      TestStore(
        try .of(EntityDescription("Key", [.optional("base64")])),
        TestObject("Key", 1, ["base64": "AQL/"]),
        TestObject("Key", 2, ["base64": ""]),
        TestObject("Key", 3)
      ),
      to: .of(EntityDescription("Key", [.optional("bytes", .binaryData), .external("file")])),
      by: .of(
        "Key",
        "Key",
        ["bytes": "CAST($source.base64, \"NSData\")", "file": "CAST($source.base64, \"NSData\")"]
      )
    )
    #expect(
      try migrated.destination.rows("SELECT Z_PK, hex(ZBYTES), hex(ZFILE), typeof(ZFILE) FROM ZKEY")
        == [[1, "0102FF", "010102FF", "blob"], [2, "", "01", "blob"], [3, "", "", "null"]]
    )
  }

  // formats/expressions.md 12
  @Test func `an integer is read without a fraction that its column holds`() throws {
    var store = TestStore(
      try .of(
        EntityDescription("Note", [.optional("rank", .integer16), .optional("flag", .boolean)])
      ),
      TestObject("Note", 1),
      TestObject("Note", 2)
    )
    store.sql = [
      "UPDATE ZNOTE SET ZRANK = 5.5, ZFLAG = 2",
      "UPDATE ZNOTE SET ZRANK = -1 / 3.0, ZFLAG = 0.5 WHERE Z_PK = 2",
    ]
    let types: [(AttributeType, String)] = [
      (.integer16, "$source.rank"), (.boolean, "$source.flag"), (.integer32, "$source.rank"),
      (.double, "$source.rank"), (.string, "FUNCTION($source.rank, 'stringValue')"),
      (.integer32, "$source.rank / 2"), (.integer16, "modulus:by:($source.rank, 3)"),
      (.integer16, "TERNARY($source.flag == TRUE, 1, 0)"), (.double, "$source.flag * 2.5"),
      (.integer64, "$source.flag"), (.string, "CAST($source.flag, 'NSString')"),
    ]
    let names = types.indices.map { "v\($0)" }
    let migrated = try migrate(
      store,
      to: .of(EntityDescription("Note", zip(names, types).map { .optional($0, $1.0) })),
      by: .of("Note", "Note", Dictionary(uniqueKeysWithValues: zip(names, types.map(\.1))))
    )
    #expect(
      try migrated.destination.rows(
        "SELECT \(names.map { "Z\($0)" }.joined(separator: ",")) FROM ZNOTE"
      )
        == [
          [5.5, 2, 5, .real(5), "5", 2, 2, 1, 2.5, 1, "1"],
          [.real(-1 / 3.0), 0.5, 0, .real(0), "0", 0, 0, 0, .real(0), 0, "0"],
        ]
    )
  }

  @Test func `numbers in braces are added in the order in which they are written`() throws {
    let migrated = try migrate(
      TestStore(
        try .of(EntityDescription("Note", [.optional("x", .double), .optional("y", .double)])),
        TestObject("Note", 1, ["x": .double(0.3), "y": .double(0.2)])
      ),
      to: .of(EntityDescription("Note", [.optional("x", .double)])),
      by: .of(
        "Note",
        "Note",
        where: "average({x, y, 0.1}) <= 0.2",
        ["x": "average({$source.x, $source.y, 0.1})"]
      )
    )
    #expect(try migrated.destination.rows(of: "ZNOTE", "ZX") == [[0.19999999999999998]])
  }

  @Test func `collections give counts, sums and choices`() throws {
    let migrated = try migrate(
      TestStore(
        try .of(
          .init("Order", [.optional("code")], [.toMany("lines", "Line.order")]),
          .init("Line", [.optional("price", .integer32)], [.toOne("order", "Order.lines")])
        ),
        TestObject("Order", 1, ["code": "é"], links: ["lines": [1, 2, 3]]),
        TestObject("Order", 2),
        TestObject("Line", 1, ["price": 5]),
        TestObject("Line", 2, ["price": 7]),
        TestObject("Line", 3)
      ),
      to: .of(
        .init(
          "Order",
          [
            .optional("code"), .optional("count", .integer16), .optional("total", .integer32),
            .optional("dear", .boolean), .optional("many", .integer64),
          ]
        )
      ),
      by: .of(
        "Order",
        "Order",
        [
          "code": "uppercase:($source.code)", "count": "$source.lines.@count",
          "total": "$source.lines.@sum.price",
          "dear": "TERNARY(ANY $source.lines.price > 6, TRUE, FALSE)",
          "many": "SUBQUERY($source.lines, $l, $l.price != nil).@count",
        ]
      )
    )
    #expect(
      try migrated.destination.rows(
        of: "ZORDER",
        "Z_PK",
        "ZCODE",
        "ZCOUNT",
        "ZTOTAL",
        "ZDEAR",
        "ZMANY"
      )
        == [[1, "É", 3, 12, 1, 2], [2, nil, 0, 0, 0, 0]]
    )
  }
}
