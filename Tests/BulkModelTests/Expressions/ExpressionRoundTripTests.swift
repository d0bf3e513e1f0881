import BulkModel
import Testing

@Suite struct ExpressionRoundTripTests {
  @Test(arguments: 0..<1500 as Range<UInt64>)
  func `a described expression reads back as an equal one`(seed: UInt64) throws {
    var random = RandomExpressions(seed: seed)
    let expression = random.value(depth: Int(seed % 5))
    #expect(try ValueExpression(format: expression.description) == expression)
  }

  @Test(arguments: 0..<1500 as Range<UInt64>)
  func `a described predicate reads back as an equal one`(seed: UInt64) throws {
    var random = RandomExpressions(seed: seed)
    let predicate = random.predicate(depth: Int(seed % 5))
    #expect(try ValuePredicate(format: predicate.description) == predicate)
  }
}
