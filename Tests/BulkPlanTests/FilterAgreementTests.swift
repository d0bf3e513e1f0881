import BulkTestSupport
import Testing

struct FilterAgreementTests {
  private let agreement: Agreement

  init() throws { agreement = try Agreement() }

  /// Every form of predicate that goes to SQL.
  static let pushed: [String] = [
    "TRUEPREDICATE", "FALSEPREDICATE",
    // Nil.
    "image != nil", "image == nil", "text == nil", "nil == text", "file != nil", "box == nil",
    "box != nil", "box.shelf == nil", "box.shelf.label == nil", "$source.i16 != nil",
    // Numbers.
    "i32 < 10000", "i16 == 1", "i16 != 1", "i16 > 1.5", "i64 >= 9007199254740992.0",
    "i64 == 9223372036854775807", "i64 <= -9007199254740993", "i64 < 9223372036854775808.0",
    "real == 0", "real != 0.1", "real > 1e308", "real < -1e308", "real >= 5e-324",
    "real == 9223372036854775808.0", "real == i64", "i64 < real", "flag == TRUE", "flag != NO",
    "flag > 0", "flag == i16", "money == 0.1", "money > 9.99", "money < 100", "money == i16",
    "money != real", "single == 1.5", "i16 + 1 > i32", "real * 2 > 1", "real - real == nil",
    "i16 BETWEEN {0, 100}", "real BETWEEN {i16, i32}", "i16 IN {1, 2, 7}", "i16 IN {1, nil}",
    "i64 IN {7.0, -1}", "i16 IN {}", "NOT i16 IN {1, 2}",
    // Texts.
    "text == \"a\"", "text != \"A\"", "text == \"é\"", "text == \"e\u{301}\"", "text == \"\"",
    "text == \"5\"", "text < \"b\"", "text >= \"\u{FFFF}\"", "text <= \"a\\0\"",
    "text == \"a\\0b\"",
    "text BETWEEN {\"A\", \"a\"}", "text IN {\"a\", \"日本語\", \"😀\"}", "text == box.label",
    "text < box.label", "text BEGINSWITH \"a\"", "text BEGINSWITH \"e\"", "text CONTAINS \"b\"",
    "text CONTAINS \"\\0\"", "text CONTAINS \"\u{301}\"", "text ENDSWITH \"b\"",
    "text ENDSWITH \"é\"",
    "text ENDSWITH \"\\0\"", "text ENDSWITH \"abcabcabc\"", "text CONTAINS \"%\"",
    // Other kinds.
    "day > CAST(0, \"NSDate\")", "day == CAST(0.5, \"NSDate\")", "day != CAST(7, \"NSDate\")",
    "day <= box.shelf.built", "CAST(day, \"NSNumber\") > 3",
    "uuid == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")",
    "link == CAST(\"x:é\", \"NSURL\")", "bytes == CAST(\"AQL/\", \"NSData\")", "bytes == bytes",
    // Counts.
    "parts.@count == 1", "parts.@count > 1", "tags.@count >= 3", "box.items.@count == 0",
    "box.shelf.boxes.@count > 1",
    "parts.@max.weight > 3", "parts.@min.weight == nil",
    // Joined.
    "i16 <= i32", "i16 >= i32", "real <= real", "i16 <= nil", "i16 >= nil", "i16 < nil",
    "nil > i16",
    "nil <= text", "NOT (i16 <= i32)", "text <= box.label", "day >= box.shelf.built",
    "i16 BETWEEN {nil, nil}", "i16 BETWEEN {nil, 5}", "i16 BETWEEN {i32, i64}",
    "text BEGINSWITH \"\"", "text ENDSWITH \"\"", "text CONTAINS \"\"", "NOT text CONTAINS \"\"",
    "i16 > 0 AND i32 > 0", "i16 > 0 OR text == nil", "NOT (i16 > 0)", "NOT (i16 > 0 AND real < 1)",
    "NOT (NOT (text == nil))", "TERNARY(i16 > 0, i32, 5) == 5",
  ]

  @Test(arguments: pushed)
  func `SQL and evaluation choose the same rows`(text: String) throws {
    let filter = try agreement.compiled(filter: text)
    #expect(filter.program == nil)
    let condition = try #require(filter.condition)
    let evaluated = try agreement.evaluated(filter: text)
    #expect(evaluated.failures == [])
    #expect(try agreement.keys(condition) == evaluated.keys)
  }

  @Test(
    arguments: [
      "text LIKE \"a*\"", "text IN \"abc\"", "text MATCHES \"a.\"", "text ==[c] \"A\"",
      "text CONTAINS[cd] \"E\"", "text.length > 1", "ANY parts.weight > 1",
      "ALL tags.name == \"1\"", "SUBQUERY(parts, $p, $p.weight > 1).@count > 0", "i64 + 1 > 0",
      "box == box", "money + 1 > 2", "CAST(text, \"NSNumber\") > 5 AND i16 == 1",
    ]
  )
  func `what SQL cannot ask is evaluated`(text: String) throws {
    let filter = try agreement.compiled(filter: text)
    #expect(filter.condition == nil)
    #expect(filter.program != nil)
    let evaluated = try agreement.evaluated(filter: text)
    #expect(evaluated.keys.count <= Int(GeneratedStore.rowCount))
  }

  @Test func `of several conditions SQL asks those before the first that it cannot`() throws {
    let text = "i16 > 0 AND real < 100 AND text LIKE \"a*\" AND i32 > 0"
    let filter = try agreement.compiled(filter: text)
    let condition = try #require(filter.condition)
    #expect(
      try agreement.keys(condition) == agreement.evaluated(filter: "i16 > 0 AND real < 100").keys
    )
    #expect(filter.program != nil)
  }

  @Test(arguments: ["text < \"b\"", "text ENDSWITH \"b\"", "text BETWEEN {\"a\", \"b\"}"])
  func `SQL does not order texts that are not kept in UTF-8`(text: String) throws {
    let model = try GeneratedStore.model()
    let entity = try #require(model.entity(named: "Item"))
    let filter = try AttributeCompiler(TestStore(model).schema, of: entity, isUTF8: false)
      .filter(ValuePredicate(format: text))
    #expect(filter.condition == nil)
  }
}

struct LongFilterTests {
  private let agreement: Agreement

  init() throws { agreement = try Agreement() }

  @Test(arguments: [("OR", "=="), ("AND", "!=")])
  func `thousands of terms run in SQL`(word: String, sign: String) throws {
    let text = (0..<3_000).map { "i32 \(sign) \($0 - 9)" }.joined(separator: " \(word) ")
    let condition = try #require(try agreement.compiled(filter: text).condition)
    #expect(try agreement.keys(condition) == agreement.evaluated(filter: text).keys)
  }
}
