import BulkModel
import struct Foundation.Decimal
import struct Foundation.UUID
import Testing

@Suite struct ExpressionDescriptionTests {
  /// The first four are hashed by Core Data in this form (31 derived attributes of real stores).
  @Test(
    arguments: [
      ("chat.serverId", "chat.serverId"),
      ("pages.@count", "count:(pages)"),
      ("uppercase:(title)", "uppercase:(title)"),
      ("name", "name"),
      ("$source.title", "$source.title"),
      ("SELF", "SELF"),
      ("SELF.a", "a"),
      ("now()", "now()"),
      (
        "FUNCTION( $manager,'sel:' ,$source.trades)", #"FUNCTION($manager, "sel:", $source.trades)"#
      ),
      ("FUNCTION($entityPolicy, 'epoch')", #"FUNCTION($entityPolicy, "epoch")"#),
      ("'it\\'s \"x\"'", #""it's \"x\"""#),
      ("'a\\nb\\u0001'", #""a\nb\u0001""#),
      ("a+b", "a + b"),
      ("(($source.temperature-32.0))/1.8", "($source.temperature - 32.0) / 1.8"),
      ("(a + b) + c", "a + b + c"),
      ("a + (b + c)", "a + (b + c)"),
      ("a - (b - c)", "a - (b - c)"),
      ("(a * b) + c", "a * b + c"),
      ("(a ** b) ** c", "(a ** b) ** c"),
      ("-2 ** 3", "-2 ** 3"),
      ("(-2)[0]", "(-2)[0]"),
      ("a - -1", "a - -1"),
      ("-a", "-1 * a"),
      ("a[FIRST].b[1 + 2]", "a[FIRST].b[1 + 2]"),
      ("(a).b", "(a).b"),
      ("(a + b).c", "(a + b).c"),
      ("#size.#in", "#size.#in"),
      (#"a\u002db"#, #"a\u002db"#),
      ("TRUE", "TRUE"),
      ("no", "FALSE"),
      ("null", "nil"),
      ("cast(a, 'NSDate')", #"CAST(a, "NSDate")"#),
      ("{1,2.5,{}}", "{1, 2.5, {}}"),
      ("a UNION (b MINUS c)", "a UNION (b MINUS c)"),
      (
        "SUBQUERY(items,$x,$x.price > 5 OR ($x.a==1 AND TRUEPREDICATE))",
        "SUBQUERY(items, $x, $x.price > 5 OR ($x.a == 1 AND TRUEPREDICATE))"
      ),
      ("TERNARY(ANY a.b==1, c, d)", "TERNARY(ANY a.b == 1, c, d)"),
      ("FETCH(a, b, true)", "FETCH(a, b, YES)"),
    ]
  )
  func `a description has Core Data's form`(text: String, description: String) throws {
    #expect(try ValueExpression(format: text).description == description)
  }

  /// Core Data has no literals for these; the `CAST` of a date is its own.
  @Test(
    arguments: [
      (.constant(.date(600)), #"CAST(600.0, "NSDate")"#),
      (
        .constant(.decimal(Decimal(sign: .minus, exponent: -1, significand: 25))),
        #"CAST("-2.5", "NSDecimalNumber")"#
      ),
      (.constant(.double(.infinity)), #"CAST("inf", "NSNumber")"#),
      (.constant(.binary([1, 2, 255])), #"CAST("AQL/", "NSData")"#),
      (.constant(.uri("x:y")), #"CAST("x:y", "NSURL")"#),
      (
        .constant(.uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))),
        #"CAST("01020304-0506-0708-090A-0B0C0D0E0F10", "NSUUID")"#
      ),
      (.classConstant("NSDate"), #"CAST("NSDate", "Class")"#),
    ] as [(ValueExpression, String)]
  )
  func `a constant without a literal is cast`(value: ValueExpression, description: String) throws {
    #expect(value.description == description)
    #expect(try ValueExpression(format: description).description == description)
  }

  @Test(
    arguments: [
      (.and([]), "TRUEPREDICATE"), (.or([]), "FALSEPREDICATE"),
      (.not(.constant(true)), "NOT TRUEPREDICATE"),
      (.not(.or([.constant(true), .constant(false)])), "NOT (TRUEPREDICATE OR FALSEPREDICATE)"),
      (.not(.not(.constant(true))), "NOT NOT TRUEPREDICATE"),
      (
        .comparison(
          .init(
            .evaluatedObject,
            .like,
            .variable("x"),
            options: [.localeSensitive, .caseInsensitive]
          )
        ),
        "SELF LIKE[cl] $x"
      ),
    ] as [(ValuePredicate, String)]
  )
  func `a predicate's description has Core Data's form`(
    predicate: ValuePredicate,
    description: String
  ) {
    #expect(predicate.description == description)
  }
}
