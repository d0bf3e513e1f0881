import BulkMapping
import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// Worked examples whose attributes are computed, at the level of tables.
@Suite("Migrations with computed attributes")
struct MappedExpressionTests {
  /// E-1 and E-2.
  @Test func `amounts keep their value under a new name, and degrees are converted`() throws {
    let migrated = try migrate(
      TestStore(
        try .of(
          EntityDescription(
            "Reading",
            [.optional("amount", .decimal), .optional("temperature", .double)]
          )
        ),
        TestObject(
          "Reading",
          1,
          ["amount": .decimal(Decimal(999) / 100), "temperature": .double(212)]
        ),
        TestObject("Reading", 2, ["temperature": .double(-40)]),
        TestObject("Reading", 3)
      ),
      to: .of(
        EntityDescription(
          "Reading",
          [.optional("totalCost", .decimal), .optional("celsius", .double)]
        )
      ),
      by: .of(
        "Reading",
        "Reading",
        ["totalCost": "$source.amount", "celsius": "($source.temperature - 32.0) / 1.8"]
      )
    )
    #expect(
      try migrated.destination.rows(of: "ZREADING", "Z_PK", "ZTOTALCOST", "ZCELSIUS")
        == [[1, 9.99, 100.0], [2, nil, -40.0], [3, nil, nil]]
    )
  }

  // formats/migration.md 8.8
  @Test func `nil replaces a default value, also where another attribute is evaluated`() throws {
    let migrated = try migrate(
      TestStore(
        try .of(EntityDescription("Note", [.optional("title"), .optional("rank", .integer16)])),
        TestObject("Note", 1, ["title": "a", "rank": 5])
      ),
      to: .of(
        EntityDescription(
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

  /// C-2: the name of a student's class, which is dropped.
  @Test func `an attribute comes across a relationship`() throws {
    let migrated = try migrate(
      TestStore(
        try .of(
          EntityDescription("Clazz", [.optional("clazzName")]),
          EntityDescription("Student", [.optional("name")], [.toOne("clazz", "Clazz")])
        ),
        TestObject("Clazz", 7, ["clazzName": "文科一班"]),
        TestObject("Student", 1, ["name": "a"], links: ["clazz": [7]]),
        TestObject("Student", 2, ["name": "b"])
      ),
      to: .of(EntityDescription("Student", [.optional("name"), .optional("clazzName")])),
      by: .of(
        "Student",
        "Student",
        ["name": "$source.name", "clazzName": "$source.clazz.clazzName"]
      )
    )
    #expect(
      try migrated.destination.rows(of: "ZSTUDENT", "Z_PK", "ZNAME", "ZCLAZZNAME")
        == [[1, "a", "文科一班"], [2, "b", nil]]
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

  /// E-6: one event becomes one with the time as a number and one with the date as text.
  @Test func `a date becomes a number, and a text, and a filter narrows`() throws {
    let migrated = try migrate(
      TestStore(
        try .of(EntityDescription("Event", [.optional("timeStamp", .date)])),
        TestObject("Event", 1, ["timeStamp": .date(0)]),
        TestObject("Event", 2, ["timeStamp": .date(86_399.5)]),
        TestObject("Event", 3)
      ),
      to: .of(
        EntityDescription("Moment", [.optional("time", .double)]),
        EntityDescription("Day", [.optional("text")])
      ),
      by: .of("Event", "Moment", ["time": "CAST($source.timeStamp, \"NSNumber\")"]),
      .of(
        "Event",
        "Day",
        where: "CAST(timeStamp, \"NSString\") LIKE \"*:59:59 *\"",
        ["text": "CAST($source.timeStamp, \"NSString\")"]
      )
    )
    #expect(
      try migrated.destination.rows(of: "ZMOMENT", "Z_PK", "ZTIME")
        == [[1, 0.0], [2, 86_399.5], [3, nil]]
    )
    #expect(
      try migrated.destination.rows(of: "ZDAY", "Z_PK", "ZTEXT") == [
        [2, "2001-01-01 23:59:59 +0000"]
      ]
    )
  }

  @Test func `collections give counts, sums and choices`() throws {
    let migrated = try migrate(
      TestStore(
        try .of(
          EntityDescription(
            "Order",
            [.optional("code")],
            [.toMany("lines", "Line", inverse: "order")]
          ),
          EntityDescription(
            "Line",
            [.optional("price", .integer32)],
            [.toOne("order", "Order", inverse: "lines")]
          )
        ),
        TestObject("Order", 1, ["code": "é"], links: ["lines": [1, 2, 3]]),
        TestObject("Order", 2),
        TestObject("Line", 1, ["price": 5]),
        TestObject("Line", 2, ["price": 7]),
        TestObject("Line", 3)
      ),
      to: .of(
        EntityDescription(
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
