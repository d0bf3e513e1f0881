import BulkTestSupport
import Testing

/// Objects of a relationship that are too many to be held beside the rows of a page.
@Suite("Streamed objects", .tags(.promise31))
struct StreamedObjectTests {
  private static let lines: Int64 = 3_000

  /// An order with so many lines that they do not fit the smallest limit, and one with few.
  private static func store() throws -> TestStore {
    let many = (1...lines).map { key in
      // Every price occurs many times, and one is missing.
      TestObject("Line", key, key == 17 ? [:] : ["price": .integer(key % 10)])
    }
    let few = [lines + 1, lines + 2].map { TestObject("Line", $0, ["price": 5]) }
    var store = TestStore(
      try .of(
        .init("Order", [.optional("code")], [.toMany("lines", "Line.order")]),
        .init("Line", [.optional("price", .integer32)], [.toOne("order", "Order.lines")])
      )
    )
    store.objects =
      [
        TestObject("Order", 1, links: ["lines": many.map(\.key)]),
        TestObject("Order", 2, links: ["lines": few.map(\.key)]),
        TestObject("Order", 3),
      ] + many + few
    return store
  }

  private static func planned(_ value: String, _ type: AttributeType) throws -> Planned {
    try Planned(
      store(),
      to: .of(EntityDescription("Order", [.optional("result", type)])),
      by: [.of("Order", "Order", ["result": value])]
    )
  }

  private static func results(_ planned: Planned, limit: ByteCount) throws -> [StoredValue] {
    var migration = Migration(planned.plan)
    migration.baseMemory = .mebibytes(20)
    migration.lossLimit = .all
    migration.memoryLimit = limit
    _ = try migration.run()
    let path = planned.plan.destination.store
    let results = try StoreFile(path).rows(of: "ZORDER", "ZRESULT").map { $0[0] }
    try FileManager.default.removeItem(atPath: path)
    return results
  }

  // Prices are 1 to 9 and 0 in turn, 300 times each; the price of line 17 would be 7.
  @Test(
    arguments: [
      ("$source.lines.@sum.price", [13_493, 10, 0]),
      ("TERNARY($source.lines.@avg.price > 4.4, 1, 0)", [1, 1, 0]),
      ("$source.lines.@min.price + 0 * $source.lines.@sum.price", [0, 5, nil]),
      ("TERNARY(ANY $source.lines.price > 8, 1, 0)", [1, 0, 0]),
      ("TERNARY(ALL $source.lines.price < 9, 1, 0)", [0, 1, 1]),
      ("TERNARY(NONE $source.lines.price == 10, 1, 0)", [1, 1, 1]),
      ("SUBQUERY($source.lines, $l, $l.price == 7).@count", [299, 0, 0]),
      ("SUBQUERY($source.lines, $l, $l.price >= 5).@sum.price", [10_493, 10, 0]),
      ("SUBQUERY($source.lines, $l, $l.price == nil).@count", [1, 0, 0]),
    ] as [(String, [StoredValue])]
  )
  func `an expression gives the same, whether they are held or not`(
    expression: String,
    expected: [StoredValue]
  ) throws {
    let planned = try Self.planned(expression, .integer64)
    let limit = planned.plan.smallestMemoryLimit(base: .mebibytes(20))
    #expect(try Self.results(planned, limit: limit) == expected)
    #expect(try Self.results(planned, limit: .gibibytes(64)) == expected)
  }

  @Test
  func `an operation that needs all of them at once fails the object where they are too many`()
    throws
  {
    let expression = "TERNARY(3 IN $source.lines.price, 1, 0)"
    let planned = try Self.planned(expression, .integer64)
    let limit = planned.plan.smallestMemoryLimit(base: .mebibytes(20))
    let error = #expect(throws: MigrationError.self) {
      try Self.results(planned, limit: limit)
    }
    guard case .invalidObjects(let summary)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(summary.rules.map(\.count) == [1])
    let reason = summary.rules.first?.first.first?.value ?? ""
    #expect(
      reason.hasPrefix("asks for all objects of a relationship at once, of which there are more")
    )
    let wide = try Self.planned(expression, .integer64)
    #expect(try Self.results(wide, limit: .gibibytes(64)) == [1, 0, 0])
  }
}
