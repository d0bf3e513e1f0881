import BulkLowering
import BulkMapping
import BulkModel
import BulkPlan
import BulkTestSupport
import Testing

@Suite("Filters of many terms")
struct LongFilterTests {
  private let agreement: Agreement

  init() throws { agreement = try Agreement() }

  @Test(arguments: [("OR", "=="), ("AND", "!=")])
  func `thousands of terms run in SQL`(word: String, sign: String) throws {
    let text = (0..<3_000).map { "i32 \(sign) \($0 - 9)" }.joined(separator: " \(word) ")
    let condition = try #require(try agreement.lowered(filter: text).condition)
    #expect(try agreement.keys(condition) == agreement.evaluated(filter: text).keys)
  }
}
