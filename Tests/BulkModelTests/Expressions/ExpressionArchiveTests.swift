import BulkTestSupport
import Testing

import struct Foundation.Decimal
import struct Foundation.UUID

@Suite struct ExpressionArchiveTests {
  @Test(arguments: RandomSeeds.some(of: Array(0..<600 as Range<UInt64>), every: 2))
  func `an archived expression reads back as an equal one`(seed: UInt64) throws {
    var random = RandomExpressions(seed: seed)
    let expression = random.value(depth: Int(seed % 5))
    #expect(try ValueExpression(archive: expression.archive()) == expression)
  }

  @Test(arguments: RandomSeeds.some(of: Array(0..<600 as Range<UInt64>), every: 2))
  func `an archived predicate reads back as an equal one`(seed: UInt64) throws {
    var random = RandomExpressions(seed: seed)
    let predicate = random.predicate(depth: Int(seed % 5))
    #expect(try ValuePredicate(archive: predicate.archive()) == predicate)
  }

  @Test(
    arguments: [
      .null, .boolean(true), .boolean(false), .integer(1), .integer(0), .integer(.min),
      .double(1), .double(0.1), .string(""), .string("größe"), .date(726_154_980), .binary([]),
      .binary([0, 255]), .uri("x-coredata://a/b/p1"),
      .decimal(Decimal(sign: .minus, exponent: -1, significand: 25)),
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
    ] as [AttributeValue]
  )
  func `an archived constant keeps its type`(value: AttributeValue) throws {
    let expression = ValueExpression.constant(value)
    #expect(try ValueExpression(archive: expression.archive()) == expression)
  }

  @Test(arguments: [.classConstant("NSDate"), .symbol(.size)] as [ValueExpression])
  func `what a text cannot say can be archived`(expression: ValueExpression) throws {
    #expect(try ValueExpression(archive: expression.archive()) == expression)
  }

  /// The keys and values are those of the archive of `$source.color` in a real mapping model.
  @Test func `a key path on a variable has Core Data's keys`() throws {
    let bytes = ValueExpression.keyPath("color", of: .variable("source")).archive()
    let root = try #require(try KeyedArchive(bytes).root)
    #expect(
      root.classNames == [
        "NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject",
      ]
    )
    #expect(
      root.keys == ["NSArguments", "NSExpressionType", "NSOperand", "NSSelectorName"]
    )
    #expect(root["NSExpressionType"]?.integer == 4)
    #expect(root["NSSelectorName"]?.string == "valueForKeyPath:")
    #expect(root["NSOperand"]?.classNames.first == "NSVariableExpression")
    #expect(root["NSOperand"]?["NSExpressionType"]?.integer == 2)
    #expect(root["NSOperand"]?["NSVariable"]?.string == "source")
    #expect(root["NSArguments"]?.className == "NSMutableArray")
    let specifier = try #require(root["NSArguments"]?.elements?.first ?? nil)
    #expect(specifier.className == "NSKeyPathSpecifierExpression")
    #expect(specifier["NSExpressionType"]?.integer == 10)
    #expect(specifier["NSKeyPath"]?.string == "color")
  }

  /// As the archive of `importDate` in a real mapping model.
  @Test func `a key of the evaluated object is asked for by its own selector`() throws {
    let bytes = ValueExpression.keyPath("importDate", of: .evaluatedObject).archive()
    let root = try #require(try KeyedArchive(bytes).root)
    #expect(root["NSExpressionType"]?.integer == 3)
    #expect(root["NSSelectorName"]?.string == "valueForKey:")
    #expect(root["NSOperand"]?.className == "NSSelfExpression")
  }

  /// As the archive of `now()` in a real mapping model.
  @Test func `a predefined function is one of a class of Foundation's`() throws {
    let bytes = ValueExpression.predefined(selector: "now", arguments: []).archive()
    let root = try #require(try KeyedArchive(bytes).root)
    #expect(root.className == "NSFunctionExpression")
    #expect(root["NSSelectorName"]?.string == "now")
    let operand = try #require(root["NSOperand"])
    #expect(operand.keys == ["NSConstantValueClassName", "NSExpressionType"])
    #expect(operand["NSConstantValueClassName"]?.string == "_NSPredicateUtilities")
  }

  /// As the predicates of `.mom` files: `length >= 1` has the operator type 3 twice.
  @Test func `a comparison has Core Data's keys`() throws {
    let bytes = try ValuePredicate(format: "length >= 1").archive()
    let root = try #require(try KeyedArchive(bytes).root)
    #expect(root.classNames == ["NSComparisonPredicate", "NSPredicate", "NSObject"])
    #expect(root.keys == ["NSLeftExpression", "NSPredicateOperator", "NSRightExpression"])
    let `operator` = try #require(root["NSPredicateOperator"])
    #expect(`operator`.className == "NSComparisonPredicateOperator")
    #expect(`operator`["NSOperatorType"]?.integer == 3)
    #expect(`operator`["NSVariant"]?.integer == 3)
    #expect(`operator`["NSModifier"]?.integer == 0)
    #expect(`operator`["NSOptions"]?.integer == 0)
  }

  /// As in the model caches of real stores.
  @Test(
    arguments: [
      ("a CONTAINS[c] b", "NSInPredicateOperator", ["NSFlags": 1, "NSOperatorType": 99]),
      (
        "a == b", "NSEqualityPredicateOperator",
        ["NSNegate": 0, "NSOptions": 0, "NSOperatorType": 4]
      ),
      (
        "a != b", "NSEqualityPredicateOperator",
        ["NSNegate": 1, "NSOptions": 0, "NSOperatorType": 5]
      ),
    ] as [(String, String, [String: Int64])]
  )
  func `an operator's family has Core Data's keys`(
    text: String,
    name: String,
    numbers: [String: Int64]
  ) throws {
    let root = try #require(try KeyedArchive(ValuePredicate(format: text).archive()).root)
    let `operator` = try #require(root["NSPredicateOperator"])
    #expect(`operator`.classNames == [name, "NSPredicateOperator", "NSObject"])
    #expect(Set(`operator`.keys) == Set(numbers.keys).union(["NSModifier"]))
    #expect(numbers.allSatisfy { `operator`[$0.key]?.integer == $0.value })
  }

  @Test func `a constant collection is an aggregate of its elements`() throws {
    var writer = KeyedArchiveWriter()
    let elements = [
      writer.add(PropertyList.integer(1)), KeyedArchiveWriter.null,
      writer.add([writer.add(PropertyList.string("a"))]),
    ]
    let array = writer.add(elements)
    let bytes = Archives.bytes(&writer, "NSConstantValueExpression", ["NSConstantValue": array])
    #expect(
      try ValueExpression(archive: bytes)
        == .aggregate([
          .constant(.integer(1)), .constant(.null), .aggregate([.constant(.string("a"))]),
        ])
    )
  }
}

@Suite struct ExpressionRoundTripTests {
  @Test(arguments: RandomSeeds.some(of: Array(0..<1500 as Range<UInt64>), every: 5))
  func `a described expression reads back as an equal one`(seed: UInt64) throws {
    var random = RandomExpressions(seed: seed)
    let expression = random.value(depth: Int(seed % 5))
    #expect(try ValueExpression(format: expression.description) == expression)
  }

  @Test(arguments: RandomSeeds.some(of: Array(0..<1500 as Range<UInt64>), every: 5))
  func `a described predicate reads back as an equal one`(seed: UInt64) throws {
    var random = RandomExpressions(seed: seed)
    let predicate = random.predicate(depth: Int(seed % 5))
    #expect(try ValuePredicate(format: predicate.description) == predicate)
  }
}
