import BulkTestSupport
import Testing

struct AttributeAgreementTests {
  private let agreement: Agreement

  init() throws { agreement = try Agreement() }

  /// Every form of expression that goes to SQL, with the type of the destination's attribute.
  static let pushed: [(String, AttributeType)] = [
    // Copies.
    ("$source.i16", .integer16), ("$source.i32", .integer32), ("$source.i64", .integer64),
    ("$source.flag", .boolean), ("$source.real", .double), ("$source.single", .float),
    ("$source.money", .decimal), ("$source.text", .string), ("$source.day", .date),
    ("$source.uuid", .uuid), ("$source.link", .uri), ("$source.bytes", .binaryData),
    ("$source.image", .transformable), ("text", .string), ("SELF.text", .string),
    ("FUNCTION($source, \"valueForKey:\", \"text\")", .string),
    ("FUNCTION($source, \"valueForKeyPath:\", \"box.label\")", .string),
    ("noindex:(text)", .string),
    // Copies into wider types.
    ("$source.i16", .integer32), ("$source.i16", .integer64), ("$source.i32", .integer64),
    ("$source.flag", .integer16), ("$source.i16", .boolean), ("$source.i64", .boolean),
    ("$source.real", .boolean), ("$source.money", .boolean), ("$source.i16", .double),
    ("$source.i64", .double), ("$source.i64", .float), ("$source.flag", .double),
    ("$source.real", .float), ("$source.single", .double), ("$source.money", .double),
    ("$source.i16", .decimal), ("$source.i32", .decimal), ("$source.flag", .decimal),
    ("$source.bytes", .transformable),
    // Key paths over to-one relationships.
    ("$source.box.label", .string), ("$source.box.size", .integer16),
    ("$source.box.weight", .double), ("$source.box.shelf.label", .string),
    ("$source.box.shelf.height", .double), ("$source.box.shelf.built", .date),
    // Constants.
    ("nil", .string), ("TRUE", .boolean), ("5", .integer16), ("-1", .integer32), ("2", .boolean),
    ("9223372036854775807", .integer64), ("1.5", .double), ("7.9", .integer16),
    ("0.1", .decimal), ("\"3.0.0\"", .string), ("\"\"", .string), ("\"a\\0b\"", .string),
    ("CAST(5, \"NSDate\")", .date), ("CAST(\"AQI=\", \"NSData\")", .binaryData),
    ("CAST(\"9.99\", \"NSDecimalNumber\")", .decimal), ("1 + 2 * 3", .integer16),
    // Arithmetic.
    ("($source.real - 32.0) / 1.8", .double), ("$source.real + 1", .double),
    ("$source.real * $source.real", .double), ("$source.real - $source.real", .double),
    ("$source.real + $source.i64", .double), ("-$source.real", .double),
    ("$source.real / -3", .double), ("$source.i16 / 2.0", .double),
    ("$source.i16 + 1", .integer32), ("$source.i16 * $source.i16", .integer32),
    ("$source.i16 - $source.i32", .integer64), ("$source.i16 * $source.i32", .integer64),
    ("$source.i16 / 3", .integer16), ("$source.i16 / -3", .integer32), ("$source.i32 / 2", .double),
    ("$source.flag + $source.flag", .integer16), ("-$source.i16", .integer32),
    ("$source.box.weight * 2 - $source.real", .double),
    ("$source.box.size + $source.i16", .integer32),
    // Casts.
    ("CAST($source.day, \"NSNumber\")", .double), ("CAST($source.day, \"NSNumber\") / 2", .double),
    ("CAST($source.i16, \"NSDate\")", .date), ("CAST($source.real, \"NSDate\")", .date),
    ("CAST($source.i64, \"NSString\")", .string), ("CAST($source.flag, \"NSString\")", .string),
    ("CAST($source.text, \"NSString\")", .string), ("CAST($source.i32, \"NSNumber\")", .integer32),
    // Choices.
    ("TERNARY($source.i16 > 0, $source.i32, -1)", .integer32),
    ("TERNARY($source.text == nil, \"none\", $source.text)", .string),
    ("TERNARY($source.box == nil, nil, $source.box.weight)", .double),
    // Counts.
    ("$source.parts.@count", .integer64), ("count:($source.tags)", .integer64),
    ("$source.box.items.@count", .integer64), ("$source.box.shelf.boxes.@count", .integer64),
    ("$source.parts.@count", .boolean), ("$source.pages.@count", .integer64),
    ("$source.sheets.@count", .integer64),
    ("$source.parts[SIZE]", .integer64), ("$source.box.shelf.boxes[SIZE]", .integer64),
    ("FUNCTION($source.tags, \"count\")", .integer64),
    // Methods.
    ("FUNCTION($source.text, \"stringByAppendingString:\", \"é\\0b\")", .string),
    ("FUNCTION(\"a\", \"stringByAppendingString:\", \"b\")", .string),
    (
      "FUNCTION($source.text, \"stringByAppendingString:\", "
        + "TERNARY($source.text == nil, \"\", \"x\"))",
      .string
    ),
    ("FUNCTION($source.i64, \"stringValue\")", .string),
    ("FUNCTION($source.flag, \"stringValue\")", .string),
    ("FUNCTION($source.text, \"description\")", .string),
    ("FUNCTION($source.i64, \"doubleValue\")", .double),
    ("FUNCTION($source.i32, \"integerValue\")", .integer64),
    ("FUNCTION($source.real, \"boolValue\")", .boolean),
    ("FUNCTION($source.money, \"boolValue\")", .boolean),
    ("FUNCTION($source.text, \"isEqualToString:\", \"a\")", .boolean),
    ("FUNCTION($source.i64, \"isEqualToNumber:\", 1.0)", .boolean),
    ("FUNCTION($source.real, \"isEqual:\", 1)", .boolean),
    ("FUNCTION($source.day, \"isEqualToDate:\", CAST(0, \"NSDate\"))", .boolean),
    ("FUNCTION($source.day, \"dateByAddingTimeInterval:\", 86400)", .date),
    ("FUNCTION($source.day, \"dateByAddingTimeInterval:\", -0.1)", .date),
    ("FUNCTION($source.day, \"timeIntervalSinceDate:\", CAST(1, \"NSDate\"))", .double),
    ("FUNCTION($source.day, \"timeIntervalSince1970\")", .double),
    ("FUNCTION($source.day, \"timeIntervalSinceReferenceDate\")", .double),
    (
      "FUNCTION(CAST(\"NSDate\", \"Class\"), \"dateWithTimeIntervalSince1970:\", $source.i16)",
      .date
    ),
    // Ends of values.
    ("$source.parts.@max.weight", .integer32), ("$source.parts.@min.weight", .integer32),
    ("$source.box.items.@max.real", .double), ("$source.box.items.@min.real", .double),
    ("$source.box.items.@min.text", .string), ("$source.box.items.@max.text", .string),
    ("$source.box.items.@max.day", .date), ("$source.box.items.@min.money", .decimal),
    ("$source.tags.@max.name", .string), ("$source.pages.@max.number", .integer16),
    ("max($source.box.items.i64)", .integer64),
  ]

  @Test(arguments: pushed)
  func `SQL and evaluation write the same values`(text: String, type: AttributeType) throws {
    let attribute = AttributeDescription.optional("value", type)
    guard case .sql(let expression) = try agreement.compiled(text, attribute) else {
      Issue.record("\(text) does not go to SQL")
      return
    }
    let evaluated = try agreement.evaluated(text, attribute)
    #expect(evaluated.failures == [])
    #expect(try agreement.written(expression, attribute) == evaluated.rows)
    #expect(evaluated.rows.count == Int(GeneratedStore.rowCount))
  }

  /// What SQL would say otherwise than evaluation in some row.
  static let evaluated: [(String, AttributeType)] = [
    ("$source.i64 + 1", .integer64), ("$source.i64 * 2", .integer64), ("-$source.i64", .integer64),
    ("$source.i64 / $source.i16", .integer64), ("$source.i16 / $source.i16", .integer16),
    ("$source.real / $source.real", .double), ("$source.i64", .integer32),
    ("$source.i32", .integer16), ("$source.real", .integer64), ("$source.real", .decimal),
    ("$source.i64", .decimal), ("$source.money + $source.money", .decimal),
    ("$source.money * 2", .double), ("$source.i16 + 1", .integer16),
    ("CAST($source.text, \"NSNumber\")", .integer64), ("CAST($source.i64, \"NSDate\")", .date),
    ("CAST($source.real, \"NSString\")", .string), ("CAST($source.day, \"NSString\")", .string),
    ("uppercase:($source.text)", .string), ("length:($source.text)", .integer64),
    ("$source.real ** 2", .double), ("sqrt($source.real)", .double),
    ("abs($source.i32)", .integer64),
    ("modulus:by:($source.i16, 3)", .integer16), ("now()", .date), ("random()", .integer64),
    ("$source.sheets[FIRST].number", .integer16),
    ("$source.sheets[1].number", .integer16),
    ("$source.parts.@sum.weight", .integer64),
    ("FUNCTION($source.text, \"uppercaseString\")", .string),
    ("FUNCTION($source.text, \"hasPrefix:\", \"a\")", .boolean),
    ("FUNCTION($source.text, \"stringByAppendingString:\", $source.text)", .string),
    ("FUNCTION($source.real, \"stringValue\")", .string),
    ("FUNCTION($source.i64, \"intValue\")", .integer64),
    ("FUNCTION($source.money, \"doubleValue\")", .double),
    ("FUNCTION($source.day, \"dateByAddingTimeInterval:\", $source.real)", .date),
    ("FUNCTION($source.text, \"isEqualToString:\", $source.box.label)", .boolean),
    ("TERNARY($source.text MATCHES \"a.*\", 1, 2)", .integer16),
    ("TERNARY($source.flag == TRUE, $source.real, $source.i16)", .double),
    ("$source.real / 0", .double), ("TERNARY($source.i16 == 1, $source.i64 + 1, 0)", .integer64),
  ]

  @Test(arguments: evaluated)
  func `what SQL cannot say is evaluated`(text: String, type: AttributeType) throws {
    let compiled = try agreement.compiled(text, .optional("value", type))
    guard case .program = compiled else {
      Issue.record("\(text) becomes \(compiled)")
      return
    }
    #expect(
      try agreement.evaluated(text, .optional("value", type)).rows.count
        == Int(GeneratedStore.rowCount)
    )
  }
}
