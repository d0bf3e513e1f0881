internal import BulkLowering
package import BulkMapping
package import BulkModel
package import BulkStore

/// Tests the objects of an entity with predicates, page by page in the order of their keys.
package struct ObjectTest {
  /// The outcome of a predicate for an object.
  package enum Outcome: Hashable, Sendable {
    case holds(Bool)
    /// Why it cannot be evaluated.
    case fault(String)
  }

  private let programs: [PredicateProgram]
  private let page: ProgramPage
  private let rows: PreparedQuery
  private let members: MemberReader
  private let session: StoreSession
  private let pageBytes: Int64
  private let constants: RunConstants
  /// The number of the entity, which the last value of each row is compared with; `nil` where a query does that.
  private let number: Int64?

  /// Prepares to read objects.
  ///
  /// - Parameters:
  ///   - predicates: The predicates that are evaluated for each object.
  ///   - entity: The entity; objects of its subentities are not read.
  ///   - schema: The schema of the store.
  ///   - session: The session that reads the store.
  ///   - memory: The bytes that the rows of a page may hold, and their related objects as many; a single row
  ///     may exceed them.
  ///   - constants: The values that are the same in all rows.
  ///   - countsOthers: Whether rows of other entities in the same table are passed on, without outcomes.
  /// - Throws: ``ExpressionFault`` if a predicate cannot be evaluated, ``StoreError`` if the store cannot be
  ///   read.
  package init(
    _ predicates: [ValuePredicate],
    of entity: EntityDescription,
    in schema: StoreSchema,
    _ session: StoreSession,
    memory: Int64,
    constants: RunConstants,
    countsOthers: Bool = false
  ) throws {
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
      session
    )
    members = try MemberReader(page, session, share: memory)
    (self.session, self.constants, pageBytes) = (session, constants, memory)
  }

  /// Reads the objects with some keys, in ascending order.
  ///
  /// - Parameters:
  ///   - range: The keys.
  ///   - limit: The maximum number of rows that are read at once.
  ///   - body: Called with each object and an outcome of each predicate, none for an object of another entity; returns
  ///     whether it wants more.
  /// - Throws: ``StoreError`` if the store cannot be read, or the session was stopped; any error of
  ///   `body`.
  package func read(
    _ range: ClosedRange<Int64>,
    limit: Int64 = MappedRowReader.pageRows,
    _ body: (_ key: Int64, _ outcomes: [Outcome]) throws -> Bool
  ) throws {
    var first = range.lowerBound
    while true {
      let found = try rows.rows(first...range.upperBound, limit: limit, byteLimit: pageBytes).rows
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
    members.beginPage()
    let read = try page.page(of: rows, members: members.members)
    var result = [[Outcome]](repeating: [], count: rows.count)
    for program in programs {
      members.beginResults()
      let found = program.evaluate(read.values, in: constants, members.stream, session.work)
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
