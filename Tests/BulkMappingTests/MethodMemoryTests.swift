import BulkMapping
import BulkModel
import Testing

@Suite("Memory of methods")
struct MethodMemoryTests {
  private let school: School
  private static let padding =
    #"FUNCTION("", "stringByPaddingToLength:withString:startingAtIndex:", age * 10, "x", 0)"#

  init() throws { school = try School() }

  private func evaluate(
    _ text: String,
    held: Int,
    results: ResultMemory? = nil
  ) throws -> PageResults<EvaluatedValue> {
    let program = try ExpressionProgram(
      ValueExpression(format: text),
      of: school.entity(),
      in: school.model
    )
    let page = school.page(of: program.inputs, keys: [1, 2, 3])
    let stream = ObjectStream(heldLimit: 0, heldBytes: held, results: results) { _, _ in nil }
    return program.evaluate(page, in: School.constants, stream)
  }

  // Students 1 to 3 are 41, 20 and 0 years old; a unit is counted as three bytes.
  @Test func `a row whose values are too large fails, and no other`() throws {
    let page = try evaluate(Self.padding, held: 600)
    #expect(
      page.failures == [
        RowFailure(
          row: 0,
          message:
            "stringByPaddingToLength:withString:startingAtIndex: makes more than the 600 bytes "
            + "that the values of a row may take; a larger memory limit allows more"
        )
      ]
    )
    #expect(page.values.count == 3)
    #expect(page.values[1] == .attribute(.string(String(repeating: "x", count: 200))))
  }

  @Test(arguments: [(1, 1), (473, 1), (475, 2), (737, 2), (739, 3), (100_000, 3)])
  func `a page ends where its results are too large`(limit: Int, rows: Int) throws {
    let results = ResultMemory(limit: limit)
    for _ in 0..<2 {
      results.beginPage()
      #expect(try evaluate(Self.padding, held: 1 << 20, results: results).values.count == rows)
    }
  }

  @Test(
    arguments: [
      #"FUNCTION(name, "stringByReplacingOccurrencesOfString:withString:", "o", "0123456789")"#,
      #"FUNCTION(FUNCTION(name, "componentsSeparatedByString:", "o"), "count")"#,
      #"FUNCTION({name, name}, "componentsJoinedByString:", "0123456789")"#,
      #"FUNCTION({name}, "arrayByAddingObject:", "a")"#,
      #"FUNCTION({name}, "setByAddingObject:", "a")"#,
      #"FUNCTION({name, "a"}, "sortedArrayUsingSelector:", "compare:")"#,
      #"FUNCTION({name, "a"}, "subarrayWithRange:", {0, 2})"#,
      #"FUNCTION(name, "uppercaseString")"#, #"FUNCTION(name, "pathComponents")"#,
      #"FUNCTION(name, "stringByAppendingString:", "0123456789")"#,
      #"FUNCTION(name, "stringByAppendingPathComponent:", "0123456789")"#,
      #"FUNCTION(name, "dataUsingEncoding:", 4)"#,
    ]
  )
  func `what is made is counted before`(text: String) throws {
    let page = try evaluate(text, held: 3)
    #expect(page.failures.first?.message.contains("makes more than the 3 bytes") == true)
  }
}
