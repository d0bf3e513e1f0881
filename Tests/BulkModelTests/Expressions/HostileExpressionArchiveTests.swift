import BulkTestSupport
import Testing

@Suite struct HostileExpressionArchiveTests {
  private static func message(of bytes: [UInt8]) -> String? {
    do throws(ExpressionArchiveError) {
      _ = try ValueExpression(archive: bytes)
      return nil
    } catch { return error.description }
  }

  @Test(
    arguments: [
      (
        "NSFunctionExpression", [:], "root.NSOperand: a value is missing"
      ),
      (
        "NSBlockExpression", [:],
        "root: class NSBlockExpression is not an expression that is known"
      ),
      ("NSVariableExpression", [:], "root.NSVariable: a value is missing"),
      (
        "NSVariableExpression", ["NSVariable": .integer(3)],
        "root.NSVariable: this is not a string"
      ),
      (
        "NSKeyPathSpecifierExpression", ["NSKeyPath": .string("")],
        "root.NSKeyPath: a key of the key path is empty"
      ),
      (
        "NSKeyPathSpecifierExpression", ["NSKeyPath": .string("a..b")],
        "root.NSKeyPath: a key of the key path is empty"
      ),
      (
        "NSAggregateExpression", ["NSCollection": .string("a")],
        "root.NSCollection: this is not a collection"
      ),
      (
        "NSAggregateExpression", ["NSCollection": .array([.string("a")])],
        "root.NSCollection[0]: this is not an expression"
      ),
      (
        "NSAggregateExpression", ["NSCollection": .array([.uid(0)])],
        "root.NSCollection[0]: a value is missing"
      ),
      ("NSSetExpression", [:], "root.NSExpressionType: a value is missing"),
      (
        "NSSetExpression", ["NSExpressionType": .integer(9)],
        "root.NSExpressionType: 9 has no meaning here"
      ),
      (
        "NSSetExpression", ["NSExpressionType": .real(5)],
        "root.NSExpressionType: this is not an integer"
      ),
      (
        "NSSymbolicExpression", ["NSToken": .string("MIDDLE")],
        "root.NSToken: this is not FIRST, LAST or SIZE"
      ),
      (
        "NSTernaryExpression", ["NSPredicate": .integer(1)],
        "root.NSPredicate: this is not a predicate"
      ),
      (
        "NSConstantValueExpression", ["NSConstantValue": .unsigned(.max)],
        "root.NSConstantValue: this is not a number that fits 64 signed bits"
      ),
      (
        "NSConstantValueExpression", ["NSConstantValue": .dictionary([:])],
        "root.NSConstantValue: this is not a constant"
      ),
      (
        "NSConstantValueExpression", ["NSConstantValueClassName": .integer(1)],
        "root.NSConstantValueClassName: this is not a string"
      ),
    ] as [(String, [String: PropertyList], String)]
  )
  func `an object that lacks something is refused with its place`(
    name: String,
    entries: [String: PropertyList],
    message: String
  ) {
    var writer = KeyedArchiveWriter()
    #expect(Self.message(of: Archives.bytes(&writer, name, entries)) == message)
  }

  @Test(
    arguments: [
      (
        ["NSOperatorType": .integer(11)],
        "root.NSPredicateOperator.NSOperatorType: 11 has no meaning here"
      ),
      ([:], "root.NSPredicateOperator.NSOperatorType: a value is missing"),
      (
        ["NSOperatorType": .integer(4), "NSModifier": .integer(3)],
        "root.NSPredicateOperator.NSModifier: 3 has no meaning here"
      ),
      (
        ["NSOperatorType": .integer(7), "NSFlags": .integer(16)],
        "root.NSPredicateOperator.NSFlags: 16 has no meaning here"
      ),
    ] as [([String: PropertyList], String)]
  )
  func `an operator that is not known is refused`(
    entries: [String: PropertyList],
    message: String
  ) {
    let bytes = Archives.bytes([
      (
        "NSComparisonPredicate",
        [
          "NSLeftExpression→": .integer(2), "NSRightExpression→": .integer(2),
          "NSPredicateOperator→": .integer(3),
        ]
      ),
      ("NSSelfExpression", [:]), ("NSPredicateOperator", entries),
    ])
    let error = #expect(throws: ExpressionArchiveError.self) { try ValuePredicate(archive: bytes) }
    #expect(error?.description == message)
  }

  @Test(
    arguments: [
      (
        "NSFunctionExpression", "NSOperand→", .integer(1),
        "root.NSOperand: the object leads to itself"
      ),
      (
        "NSAggregateExpression", "NSCollection→", .array([.integer(1)]),
        "root.NSCollection[0]: the object leads to itself"
      ),
      (
        "NSSubqueryExpression", "NSExpression→", .integer(1),
        "root.NSExpression: the object leads to itself"
      ),
      (
        "NSFetchRequestExpression", "NSFRExpression→", .integer(1),
        "root.NSFRExpression: the object leads to itself"
      ),
    ] as [(String, String, PropertyList, String)]
  )
  func `an object that leads to itself is refused`(
    name: String,
    key: String,
    value: PropertyList,
    message: String
  ) {
    #expect(Self.message(of: Archives.bytes([(name, [key: value])])) == message)
  }

  @Test func `a constant array that holds itself is refused`() {
    let bytes = Archives.bytes([
      ("NSConstantValueExpression", ["NSConstantValue→": .integer(2)]),
      ("NSArray", ["NS.objects→": .array([.integer(2)])]),
    ])
    #expect(Self.message(of: bytes) == "root.NSConstantValue.[0]: the object leads to itself")
  }

  @Test func `a compound predicate that holds itself is refused`() {
    let bytes = Archives.bytes([
      (
        "NSCompoundPredicate",
        ["NSCompoundPredicateType": .integer(0), "NSSubpredicates→": .array([.integer(1)])]
      )
    ])
    let error = #expect(throws: ExpressionArchiveError.self) { try ValuePredicate(archive: bytes) }
    #expect(error?.reason == "the object leads to itself")
  }

  @Test func `objects inside one another beyond the limit are refused`() {
    let bytes = Archives.bytes(
      (1...5000 as ClosedRange<Int64>).map { number in
        let next: [PropertyList] = number < 5000 ? [.integer(number + 1)] : []
        return ("NSAggregateExpression", ["NSCollection→": .array(next)])
      }
    )
    let error = #expect(throws: ExpressionArchiveError.self) { try ValueExpression(archive: bytes) }
    #expect(error?.reason == "more than 100 objects are nested")
  }

  /// 30 objects, each of which is used twice by the one before it: a tree of 2³⁰ places.
  @Test func `a small archive of a huge tree is refused`() {
    let bytes = Archives.bytes(
      (1...30).map { number in
        let next = PropertyList.integer(Int64(number) + 1)
        return (
          "NSAggregateExpression", ["NSCollection→": .array(number < 30 ? [next, next] : [])]
        )
      }
    )
    let error = #expect(throws: ExpressionArchiveError.self) { try ValueExpression(archive: bytes) }
    #expect(error?.reason == "more than 10000 objects are used")
  }

  private static let sample: [UInt8] = {
    let text =
      "TERNARY(ANY a.b == {1, 'x', nil}, FUNCTION($m, 's:', SELF), SUBQUERY(c, $x, $x > now()))"
    do { return try ValueExpression(format: text).archive() } catch { return [] }
  }()

  @Test func `an archive that is cut off is refused`() {
    for length in Self.sample.indices {
      #expect(Self.message(of: Array(Self.sample.prefix(length))) != nil, "\(length)")
    }
  }

  @Test(arguments: RandomSeeds.some(of: Array(0..<3000 as Range<UInt64>), every: 5))
  func `an archive with changed bytes is read or refused at a place`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var bytes = Self.sample
    #expect(!bytes.isEmpty)
    for _ in 0...(seed % 4) {
      let location = Int.random(in: bytes.indices, using: &generator)
      bytes[location] = UInt8.random(in: 0...255, using: &generator)
    }
    do throws(ExpressionArchiveError) {
      let expression = try ValueExpression(archive: bytes)
      #expect(try ValueExpression(archive: expression.archive()) == expression)
    } catch { #expect(!error.location.isEmpty) }
  }

  @Test(arguments: [[], [0x62], Array("not an archive".utf8)] as [[UInt8]])
  func `bytes that are not an archive are refused`(bytes: [UInt8]) {
    #expect(Self.message(of: bytes)?.hasPrefix("archive: ") == true)
  }
}
