import BulkTestSupport
import Testing

/// Expressions over one row that take long, and are not wanted any more.
@Suite("Evaluation that is stopped", .tags(.promise18))
struct StoppedEvaluationTests {
  private static let text = String(repeating: "a", count: 200_000)

  /// Each would take hundreds of millions of steps.
  @Test(arguments: [
    "name LIKE nickname", "name CONTAINS nickname",
  ])
  func `a predicate is given up when the watch stops`(format: String) throws {
    let entity = EntityDescription("Person", [.optional("name"), .optional("nickname")])
    let model = try ManagedObjectModel.of(entity)
    let program = try PredicateProgram(ValuePredicate(format: format), of: entity, in: model)
    let pattern = format.contains("LIKE") ? "*" + Self.text + "b*" : Self.text + "b"
    let values = ["name": Self.text + Self.text, "nickname": pattern]
    let columns = program.inputs.map { input in
      (input, [EvaluatedValue.attribute(.string(values[input.path[0]] ?? ""))])
    }
    let page = ValuePage(keys: [1], columns: Dictionary(uniqueKeysWithValues: columns))
    var questions = 0
    let watch = WorkWatch {
      questions += 1
      return true
    }
    let found = program.evaluate(page, in: RunConstants(now: 0, randomSeed: 0), .none, watch)
    #expect(found.values == [false])
    #expect(questions == 1)
  }
}
