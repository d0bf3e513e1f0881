import BulkModel
import Testing

/// Texts are from the grammar and the list of expressions met in mapping models and models.
@Suite struct ValueExpressionParsingTests {
  @Test(
    arguments: [
      ("-1", .integer(-1)), ("0", .integer(0)), ("30", .integer(30)), ("- 3", .integer(-3)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("0x1F", .integer(31)), ("0o17", .integer(15)), ("0b101", .integer(5)),
      ("1.5", .double(1.5)), ("9.2e-5", .double(9.2e-5)), ("1E3", .double(1000)),
      ("-0.5", .double(-0.5)), ("TRUE", .boolean(true)), ("yes", .boolean(true)),
      ("False", .boolean(false)), ("NO", .boolean(false)), ("nil", .null), ("NULL", .null),
      ("\"\"", .string("")), ("\" \"", .string(" ")), ("'3.0.0'", .string("3.0.0")),
      ("\"it's\"", .string("it's")), ("'say \"hi\"'", .string("say \"hi\"")),
      (#""a\"b\\c""#, .string(#"a"b\c"#)), (#""\n\t\r""#, .string("\n\t\r")),
      (#""\101\x42\u0043""#, .string("ABC")), (#""\ud83d\ude00""#, .string("😀")),
      ("@\"old\"", .string("old")), ("\"100 %@\"", .string("100 %@")),
    ] as [(String, AttributeValue)]
  )
  func `a literal is a constant`(text: String, constant: AttributeValue) throws {
    #expect(try ValueExpression(format: text) == .constant(constant))
  }

  @Test(
    arguments: [
      ("title", .evaluatedObject, "title"),
      ("chat.serverId", .evaluatedObject, "chat.serverId"),
      ("$source.a.b", .variable("source"), "a.b"),
      ("$source . a", .variable("source"), "a"),
      ("SELF.a.b", .evaluatedObject, "a.b"),
      ("#select", .evaluatedObject, "select"),
      ("#size.#in.any", .evaluatedObject, "size.in.any"),
      ("first.size", .evaluatedObject, "first.size"),
      ("union.function", .evaluatedObject, "union.function"),
      ("größe", .evaluatedObject, "größe"),
      (#"a\u0020b"#, .evaluatedObject, "a b"),
      (#"\x69n"#, .evaluatedObject, "in"),
      ("trades.@sum.amount", .evaluatedObject, "trades.@sum.amount"),
      ("@avg.amount", .evaluatedObject, "@avg.amount"),
      (
        "$source.countries.@distinctUnionOfSets.moods", .variable("source"),
        "countries.@distinctUnionOfSets.moods"
      ),
      ("(a).b", .keyPath("a", of: .evaluatedObject), "b"),
      ("{a}.b", .aggregate([.keyPath("a", of: .evaluatedObject)]), "b"),
    ] as [(String, ValueExpression, String)]
  )
  func `a key path has its keys and what they are asked of`(
    text: String,
    operand: ValueExpression,
    path: String
  ) throws {
    #expect(try ValueExpression(format: text) == .keyPath(path, of: operand))
  }

  @Test(
    arguments: [
      ("breads.@count", "count:", ["breads"]),
      ("$source.pages.@count", "count:", ["$source.pages"]),
      ("@count", "count:", ["SELF"]),
      ("count:(pages)", "count:", ["pages"]),
      ("uppercase:(title)", "uppercase:", ["title"]),
      ("uppercase(title)", "uppercase:", ["title"]),
      ("sum({1, 2})", "sum:", ["{1, 2}"]),
      ("modulus:by:(a, b)", "modulus:by:", ["a", "b"]),
      ("now()", "now", []),
      ("random()", "random", []),
      ("random(6)", "random:", ["6"]),
      ("randomn(6)", "random:", ["6"]),
      ("canonical:(title)", "canonical:", ["title"]),
      ("CAST(a, 'NSDate')", "castObject:toType:", ["a", "'NSDate'"]),
      ("cast(a, 'NSDate')", "castObject:toType:", ["a", "'NSDate'"]),
      ("a + b", "add:to:", ["a", "b"]),
      ("a - b", "from:subtract:", ["a", "b"]),
      ("a-1", "from:subtract:", ["a", "1"]),
      ("a * b", "multiply:by:", ["a", "b"]),
      ("a / b", "divide:by:", ["a", "b"]),
      ("a ** b", "raise:toPower:", ["a", "b"]),
      ("-a", "multiply:by:", ["-1", "a"]),
      ("a[0]", "objectFrom:withIndex:", ["a", "0"]),
      ("a.b[i + 1]", "objectFrom:withIndex:", ["a.b", "i + 1"]),
      ("a['key']", "objectFrom:withIndex:", ["a", "'key'"]),
    ] as [(String, String, [String])]
  )
  func `an operator and a call are predefined functions`(
    text: String,
    selector: String,
    arguments: [String]
  ) throws {
    let values = try arguments.map { try ValueExpression(format: $0) }
    #expect(
      try ValueExpression(format: text) == .predefined(selector: selector, arguments: values)
    )
  }

  @Test(arguments: ValueExpression.Symbol.allCases, ["a[%]", "a[ % ]"])
  func `a place in a collection may be named`(symbol: ValueExpression.Symbol, text: String) throws {
    let format = text.split(separator: "%").joined(separator: symbol.rawValue)
    let expected = ValueExpression.predefined(
      selector: "objectFrom:withIndex:",
      arguments: [.keyPath("a", of: .evaluatedObject), .symbol(symbol)]
    )
    #expect(try ValueExpression(format: format) == expected)
    #expect(try ValueExpression(format: format.lowercased()) == expected)
  }

  @Test(
    arguments: [
      (
        #"FUNCTION($entityPolicy, "isbnForIsbn:", $source.isbn)"#,
        .function(
          target: .variable("entityPolicy"),
          selector: "isbnForIsbn:",
          arguments: [.keyPath("isbn", of: .variable("source"))]
        )
      ),
      (
        #"FUNCTION($entityPolicy, "epoch")"#,
        .function(target: .variable("entityPolicy"), selector: "epoch", arguments: [])
      ),
      (
        #"FETCH(FUNCTION($manager, "f:", "Car"), $manager.sourceContext, NO)"#,
        .fetch(
          request: .function(
            target: .variable("manager"),
            selector: "f:",
            arguments: [.constant(.string("Car"))]
          ),
          context: .keyPath("sourceContext", of: .variable("manager")),
          countOnly: false
        )
      ),
      (
        "TERNARY(a == nil, 1, 2)",
        .ternary(
          .comparison(.init(.keyPath("a", of: .evaluatedObject), .equalTo, .constant(.null))),
          then: .constant(.integer(1)),
          otherwise: .constant(.integer(2))
        )
      ),
      (
        "SUBQUERY(items, $x, $x.price > 5)",
        .subquery(
          .keyPath("items", of: .evaluatedObject),
          variable: "x",
          predicate: .comparison(
            .init(.keyPath("price", of: .variable("x")), .greaterThan, .constant(.integer(5)))
          )
        )
      ),
      ("{}", .aggregate([])),
      (
        "a UNION b minus SELF",
        .set(
          .minus,
          .set(
            .union,
            .keyPath("a", of: .evaluatedObject),
            .keyPath("b", of: .evaluatedObject)
          ),
          .evaluatedObject
        )
      ),
    ] as [(String, ValueExpression)]
  )
  func `a form of its own has its parts`(text: String, expression: ValueExpression) throws {
    #expect(try ValueExpression(format: text) == expression)
  }

  @Test(
    arguments: [
      ("a + b * c", "a + (b * c)"),
      ("a * b + c", "(a * b) + c"),
      ("a - b - c", "(a - b) - c"),
      ("a / b * c", "(a / b) * c"),
      ("a * b ** c", "a * (b ** c)"),
      ("a ** b ** c", "(a ** b) ** c"),
      ("4 + 5 - 2 ** 3", "(4 + 5) - (2 ** 3)"),
      ("-a ** b", "(-a) ** b"),
      ("-a.b", "-(a.b)"),
      ("a UNION b + c", "a UNION (b + c)"),
      ("a + b[0].c", "a + ((b[0]).c)"),
      ("($source.temperature - 32) / 1.8", "(($source.temperature) - 32) / 1.8"),
    ]
  )
  func `operators bind as the grammar says`(text: String, parenthesised: String) throws {
    #expect(
      try ValueExpression(format: text) == ValueExpression(format: parenthesised)
    )
  }
}
