import BulkMapping
import BulkModel
import Testing

struct PageEvaluationTests {
  private let school: School

  init() throws { school = try School() }

  private func evaluate(_ text: String, _ keys: [Int64]) throws -> PageResults<EvaluatedValue> {
    let program = try ExpressionProgram(
      ValueExpression(format: text),
      of: school.entity(),
      in: school.model
    )
    return program.evaluate(school.page(of: program.inputs, keys: keys), in: School.constants)
  }

  @Test func `rows come in the order of the page, and each may fail for itself`() throws {
    let page = try evaluate("CAST(digits, \"NSNumber\") / age", [3, 1, 2])
    #expect(page.values.map { School.text(of: $0) } == ["nil", "0", "nil"])
    #expect(
      page.failures == [RowFailure(row: 0, message: "\"x\" cannot be cast to NSNumber")]
    )
  }

  @Test func `a choice asks each side of its own rows alone`() throws {
    let page = try evaluate("TERNARY(age == 0, -1, 100 / age)", [1, 2, 3])
    #expect(page.values.map { School.text(of: $0) } == ["2", "5", "-1"])
    #expect(page.failures == [])
  }

  @Test func `an empty page gives nothing`() throws {
    let page = try evaluate("courses.@sum.chapters + age", [])
    #expect(page.values == [])
    #expect(page.failures == [])
  }

  @Test func `random numbers follow from seed, row and place alone`() throws {
    let together = try evaluate("random(1000)", [1, 2, 3]).values
    let apart =
      try evaluate("random(1000)", [1]).values
      + evaluate("random(1000)", [2]).values + evaluate("random(1000)", [3]).values
    #expect(together == apart)
    #expect(Set(together).count == 3)
    let two = try evaluate("{random(1000), random(1000)}", [1]).values[0]
    guard case .collection(let pair) = two else {
      Issue.record("no collection")
      return
    }
    #expect(pair.elements[0] != pair.elements[1])
  }

  @Test(arguments: [("random(1)", "0"), ("random(absent)", "nil")])
  func `a random number lies below its limit`(text: String, expected: String) throws {
    #expect(try school.value(text) == expected)
  }

  @Test func `a limit of zero has no random number below it`() throws {
    #expect(
      try school.value("random(age - 41)") == "failure: random: needs a limit above 0, not 0"
    )
  }

  @Test func `a UUID follows from seed, entity, key and name, wherever it is written`() throws {
    let all = try evaluate("uuid()", [1, 2, 3]).values
    let named = try evaluate("uuid('cover')", [1, 2, 3]).values
    #expect(Set(all + named).count == 6)
    #expect(try evaluate("{uuid(), uuid('')}[1]", [2]).values == [all[1]])
    #expect(try evaluate("SUBQUERY(courses, $x, uuid() == uuid())[SIZE]", [1]).failures.isEmpty)
    let text = School.text(of: all[0])
    #expect(text.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB].*/) != nil)
    #expect(try evaluate("uuid(nick)", [1]).values == [.null])
  }

  @Test func `the key of a row is that of its source object`() throws {
    let found = try evaluate("rowKey()", [1, 2, 3]).values
    #expect(found.map { School.text(of: $0) } == ["1", "2", "3"])
    let count = try evaluate("SUBQUERY(courses, $x, rowKey() == 1)[SIZE]", [1]).values
    #expect(try count == evaluate("courses[SIZE]", [1]).values)
  }
}
