internal import BulkLowering
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
  private let page: ProgramPage
  private let rows: PreparedQuery
  private let members: MemberReader
  private let source: ObjectSource
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
    page = try ProgramPage(programs.flatMap(\.inputs), of: entity, in: schema)
    let own = schema.numbering.number(of: entity.name)
    number = countsOthers ? own : nil
    let entityNumber = SelectedColumn(.column("Z_ENT"), .wholeNumber)
    rows = try PreparedQuery(
      RowQuery(
        schema.table(of: entity).name,
        page.columns + (countsOthers ? [entityNumber] : []),
        where: countsOthers ? [] : [.entityIn([own])]
      ),
      source.session
    )
    members = try MemberReader(page, source.session, share: source.memory)
    self.source = source
  }

  /// Reads the objects with some keys, in ascending order; `limit` rows at once.
  ///
  /// The body gets an outcome of each predicate, none for an object of another entity, and returns whether it
  /// wants more.
  package func read(
    _ range: ClosedRange<Int64>,
    limit: Int64 = MappedRowReader.pageRows,
    _ body: (_ key: Int64, _ outcomes: [Outcome]) throws -> Bool
  ) throws {
    var first = range.lowerBound
    while true {
      let keys = first...range.upperBound
      let found = try rows.rows(keys, limit: limit, byteLimit: source.memory).rows
      guard let last = found.last?.key else { return }
      let outcomes = try outcomes(of: found)
      for (index, row) in found.enumerated() {
        let isOther = number.map { row.values.last != .value(.integer($0)) } ?? false
        guard try body(row.key, isOther ? [] : outcomes[index]) else { return }
      }
      guard last < range.upperBound else { return }
      first = last + 1
    }
  }

  private func outcomes(of rows: [SelectedRow]) throws -> [[Outcome]] {
    let session = source.session
    members.beginPage()
    let read = try page.page(of: rows, members: members.members)
    var result = [[Outcome]](repeating: [], count: rows.count)
    for program in programs {
      members.beginResults()
      let found = program.evaluate(read.values, in: source.constants, members.stream, session.work)
      try session.endIfStopped()
      var outcomes = found.values.map(Outcome.holds)
      for failure in read.failures.map(\.failure) + found.failures {
        outcomes[failure.row] = .fault(failure.message)
      }
      for (index, outcome) in outcomes.enumerated() { result[index].append(outcome) }
    }
    if let failure = members.failure { throw failure }
    return result
  }
}
