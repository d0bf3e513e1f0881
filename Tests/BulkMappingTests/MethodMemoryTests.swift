import BulkMapping
import BulkModel
import Testing

struct MethodMemoryTests {
  private let school: School
  /// 203 bytes for student 1, the name for the others.
  private static let replacing =
    "FUNCTION(name, 'stringByReplacingOccurrencesOfString:withString:', 'Z', "
    + "'\(String(repeating: "x", count: 200))')"

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

  @Test func `a row whose values are too large fails, and no other`() throws {
    let page = try evaluate(Self.replacing, held: 203)
    #expect(
      page.failures == [
        RowFailure(
          row: 0,
          message:
            "stringByReplacingOccurrencesOfString:withString: makes more than the 203 bytes "
            + "that the values of a row may take; a larger memory limit allows more"
        )
      ]
    )
    #expect(page.values.count == 3)
    #expect(page.values[1] == .attribute(.string("Ann")))
  }

  @Test(arguments: [(1, 1), (267, 1), (268, 2), (334, 2), (335, 3), (100_000, 3)])
  func `a page ends where its results are too large`(limit: Int, rows: Int) throws {
    let results = ResultMemory(limit: limit)
    for _ in 0..<2 {
      results.beginPage()
      #expect(try evaluate(Self.replacing, held: 1 << 20, results: results).values.count == rows)
    }
  }

  @Test(
    arguments: [
      #"FUNCTION(name, "stringByReplacingOccurrencesOfString:withString:", "o", "0123456789")"#,
      #"FUNCTION(FUNCTION(name, "componentsSeparatedByString:", "o"), "count")"#,
      #"FUNCTION({name, name}, "componentsJoinedByString:", "0123456789")"#,
      #"FUNCTION({name}, "arrayByAddingObject:", "a")"#,
      #"FUNCTION({name, "a"}, "sortedArrayUsingSelector:", "compare:")"#,
      #"FUNCTION(name, "uppercaseString")"#,
      #"FUNCTION(name, "stringByAppendingString:", "0123456789")"#,
      #"FUNCTION(name, "dataUsingEncoding:", 4)"#,
    ]
  )
  func `a result is counted`(text: String) throws {
    let page = try evaluate(text, held: 3)
    #expect(page.failures.first?.message.contains("makes more than the 3 bytes") == true)
  }
}
