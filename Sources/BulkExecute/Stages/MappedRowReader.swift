internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Reads the source rows of an entity mapping with everything that the mapping determines for each: the
/// columns that SQL computes, and the attributes that are evaluated page by page.
struct MappedRowReader {
  /// The most rows that are evaluated at once; fewer if they are large.
  private static let pageRows: Int64 = 500

  private let creation: InstanceCreation
  /// The offset from a source key to the key of the object made from it.
  private let keyOffset: Int64
  private let places: MappedColumns.Places
  private let source: SourceRows
  private let inputs: PreparedQuery?
  private let members: MemberReader
  /// The bytes that the rows of a page may hold; related objects take as much, and their values and results
  /// the rest: a row's results of methods as much, those of all rows half as much.
  private let pageBytes: Int64
  private let constants: RunConstants
  private let rowMemory: MemoryReservation?
  private let tallies: RowTallies
  private let failures: (Violation) throws -> Void
  private let session: StoreSession

  /// Prepares to read.
  ///
  /// - Parameters:
  ///   - creation: What is read and how.
  ///   - shape: The shape of the rows that are made.
  ///   - session: The session that reads the source.
  ///   - constants: What is constant in the whole run.
  ///   - budget: Where the memory of rows is reserved.
  ///   - streamsLargeValues: Whether large values that are only copied stay in the source until their row
  ///     is inserted.
  ///   - tallies: Counts the rows that are read and left out.
  ///   - failures: Receives every value that an expression failed to compute.
  /// - Throws: ``StoreError`` if the source cannot be read.
  init(
    _ creation: InstanceCreation,
    of shape: EntityRowShape,
    _ session: StoreSession,
    constants: RunConstants,
    budget: MemoryBudget,
    streamsLargeValues: Bool,
    tallies: RowTallies,
    failures: @escaping (Violation) throws -> Void
  ) throws {
    self.creation = creation
    keyOffset = creation.mapping.keyOffset
    self.session = session
    self.constants = constants
    rowMemory = budget.takeAll(for: .rows)
    assert((rowMemory?.bytes ?? 0) > 0, "rows of one mapping are evaluated at a time")
    let share = (rowMemory?.bytes ?? 0) / 4
    pageBytes = share
    self.tallies = tallies
    self.failures = failures
    let assignments = creation.transfer.assignments
    places = MappedColumns.Places(assignments.map(\.column), in: shape)
    source = try SourceRows(
      of: creation.transfer,
      values: assignments.map(\.value),
      streamsLargeValues: streamsLargeValues,
      session
    )
    let isEvaluated = !creation.evaluations.isEmpty || creation.filter != nil
    inputs =
      isEvaluated
      ? try PreparedQuery(
        RowQuery(
          creation.transfer.source,
          creation.page.columns,
          where: creation.transfer.conditions
        ),
        session
      ) : nil
    members = try MemberReader(creation.page, session, share: share)
  }

  /// Reads the rows of a range, in the order of their keys.
  ///
  /// - Parameters:
  ///   - range: The source keys.
  ///   - answer: Calls a function of the mapping's policy.
  ///   - body: Called with the row of every object that the mapping takes.
  /// - Throws: ``StoreError`` if the source cannot be read, and what the bodies throw.
  func rows(
    in range: ClosedRange<Int64>,
    answer: @escaping EvaluatedPage.PolicyAnswer,
    _ body: (MappedRow) throws -> Void
  ) throws {
    guard let inputs else {
      try source.start(range)
      while let row = try source.next() {
        tallies.note { $0.read += 1 }
        try body(mapped(row, page: nil, 0, answer))
      }
      return
    }
    var first = range.lowerBound
    while true {
      let selected = try inputs.rows(
        first...range.upperBound,
        limit: Self.pageRows,
        byteLimit: pageBytes
      )
      let rows = selected.rows
      guard let start = rows.first?.key, let end = rows.last?.key else { return }
      try source.start(start...end)
      var rest = rows[...]
      var limit = rows.count
      while !rest.isEmpty {
        let asked = Array(rest.prefix(limit))
        let page = try evaluate(asked)
        // Rows behind the end of a page are evaluated again, so no more are asked for than seem to fit.
        limit = page.count < asked.count ? page.count : 2 * limit
        tallies.note {
          $0.read += Int64(page.count)
          $0.filtered += Int64(page.isTaken.count { !$0 })
        }
        for index in page.isTaken.indices {
          guard let row = try source.next() else { break }
          if page.isTaken[index] { try body(mapped(row, page: page, index, answer)) }
        }
        rest = rest.dropFirst(page.count)
      }
      guard end < range.upperBound else { return }
      first = end + 1
    }
  }

  private func mapped(
    _ row: (key: Int64, values: [SourceRows.Value]),
    page: EvaluatedPage?,
    _ index: Int,
    _ answer: @escaping EvaluatedPage.PolicyAnswer
  ) -> MappedRow {
    MappedRow(
      sourceKey: row.key,
      keptKey: row.key &+ keyOffset,
      columns: MappedColumns(places, row.values),
      page: page,
      index: index,
      answer: answer
    )
  }

  /// Evaluates rows, the first ones at least.
  private func evaluate(_ rows: [SelectedRow]) throws -> EvaluatedPage {
    members.beginPage()
    let read = try creation.page.page(of: rows, members: members.members)
    let page = EvaluatedPage(count: rows.count)
    var failures = read.failures.map { PageFailure(row: $0.row, message: $0.message) }
    try filter(read, page, &failures)
    for evaluation in creation.evaluations {
      let attribute = evaluation.attribute
      switch evaluation.source {
      case .program(let lowered):
        page.add(attribute.name, try values(of: lowered, for: attribute, read.values, &failures))
      case .policy(let selector, let programs):
        let found = try programs.map {
          try arguments(of: $0, for: attribute, read.values, &failures)
        }
        page.add(attribute.name, by: selector, found)
      }
    }
    // Rows behind the end of the page fail when they are evaluated again.
    for failure in failures where failure.row < page.count {
      guard failure.attribute == nil || page.isTaken[failure.row] else { continue }
      try fail(rows[failure.row].key, failure.attribute, failure.message)
    }
    if let failure = members.failure { throw failure }
    return page
  }

  /// A value of a row that could not be computed.
  private struct PageFailure {
    let row: Int
    /// The attribute; `nil` for the filter and for what is read.
    var attribute: AttributeDescription?
    let message: String
  }

  /// Finds the rows that the entity mapping takes.
  private func filter(
    _ read: ProgramPage.Page,
    _ page: EvaluatedPage,
    _ failures: inout [PageFailure]
  ) throws {
    guard let filter = creation.filter else { return }
    let failed = Set(read.failures.map(\.row))
    let taken = filter.evaluate(read.values, in: constants, members.stream, session.work)
    try session.endIfStopped()
    page.isTaken = taken.values
    for failure in taken.failures where !failed.contains(failure.row) {
      failures.append(PageFailure(row: failure.row, message: failure.message))
    }
  }

  private func values(
    of lowered: LoweredProgram,
    for attribute: AttributeDescription,
    _ page: ValuePage,
    _ failures: inout [PageFailure]
  ) throws -> [AttributeValue] {
    let found = lowered.program.evaluate(page, in: constants, members.stream, session.work)
    try session.endIfStopped()
    var messages = Dictionary(
      found.failures.map { ($0.row, $0.message) },
      uniquingKeysWith: { first, _ in first }
    )
    var result: [AttributeValue] = []
    result.reserveCapacity(found.values.count)
    for (row, value) in found.values.enumerated() {
      switch lowered.conversion.value(of: value) {
      case .success(let value): result.append(value)
      case .failure(let failure):
        result.append(.null)
        if messages[row] == nil { messages[row] = failure.message }
      }
    }
    failures += messages.sorted { $0.key < $1.key }.map {
      PageFailure(row: $0.key, attribute: attribute, message: $0.value)
    }
    return result
  }

  private func arguments(
    of program: ExpressionProgram,
    for attribute: AttributeDescription,
    _ page: ValuePage,
    _ failures: inout [PageFailure]
  ) throws -> [AttributeValue] {
    let found = program.evaluate(page, in: constants, members.stream, session.work)
    try session.endIfStopped()
    failures += found.failures.map {
      PageFailure(row: $0.row, attribute: attribute, message: $0.message)
    }
    return found.values.map {
      guard case .attribute(let value) = $0 else { return .null }
      return value
    }
  }

  private func fail(_ key: Int64, _ attribute: AttributeDescription?, _ message: String) throws {
    let mapping = creation.mapping
    try failures(
      Violation(
        entity: mapping.mapping.name,
        key: key &+ mapping.keyOffset,
        origin: ObjectOrigin(mapping: mapping.mapping.name, entity: mapping.source.name, key: key),
        property: attribute?.name ?? "filter",
        rule: Violation.expressionRule,
        value: message
      )
    )
  }
}
