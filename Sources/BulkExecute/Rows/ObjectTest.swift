internal import BulkPlan
internal import BulkMapping
package import BulkModel
internal import BulkStore

/// Tests the objects of an entity with predicates, page by page in the order of their keys.
package struct ObjectTest {
  /// The outcome of a predicate for an object.
  package enum Outcome: Hashable, Sendable {
    case holds(Bool)
    case fault(String)
  }

  private let programs: [PredicateProgram]
  private let evaluator: PageEvaluator
  /// The last value of each row is compared with it; `nil` where a query does that.
  private let number: Int64?

  /// Objects of subentities are not read; a single row may exceed the bytes of a page.
  ///
  /// With `countsOthers` rows of other entities in the same table are passed on, without outcomes. Throws
  /// ``ExpressionFault`` if a predicate cannot be evaluated.
  package init(
    _ predicates: [ValuePredicate],
    of entity: EntityDescription,
    in source: ObjectSource,
    countsOthers: Bool = false
  ) throws {
    let schema = source.schema
    programs = try predicates.map { try PredicateProgram($0, of: entity, in: schema.model) }
    let own = schema.numbering.number(of: entity.name)
    number = countsOthers ? own : nil
    evaluator = try PageEvaluator(
      ProgramPage(programs.flatMap(\.inputs), of: entity, in: schema),
      of: schema.table(of: entity).name,
      where: countsOthers ? [] : [.entityIn([own])],
      adding: countsOthers ? [SelectedColumn(.column("Z_ENT"), .wholeNumber)] : [],
      in: source
    )
  }

  /// Reads the objects with some keys, in ascending order; `limit` rows at once.
  ///
  /// The body gets an outcome of each predicate, none for an object of another entity, and returns whether it
  /// wants more.
  package func read(
    _ range: ClosedRange<Int64>,
    limit: Int64 = PageEvaluator.pageRows,
    _ body: (_ key: Int64, _ outcomes: [Outcome]) throws -> Bool
  ) throws {
    try evaluator.each(in: range, limit: limit) { rows in
      let outcomes = try outcomes(of: rows)
      for (index, row) in rows.enumerated() {
        let isOther = number.map { row.values.last != .value(.integer($0)) } ?? false
        guard try body(row.key, isOther ? [] : outcomes[index]) else { return nil }
      }
      return rows.count
    }
  }

  private func outcomes(of rows: [SelectedRow]) throws -> [[Outcome]] {
    let read = try evaluator.inputs(of: rows)
    var result = [[Outcome]](repeating: [], count: rows.count)
    for program in programs {
      evaluator.beginResults()
      let found = try evaluator.evaluate(program, read.values)
      var outcomes = found.values.map(Outcome.holds)
      for failure in read.failures.map(\.failure) + found.failures {
        outcomes[failure.row] = .fault(failure.message)
      }
      for (index, outcome) in outcomes.enumerated() { result[index].append(outcome) }
    }
    return result
  }
}
