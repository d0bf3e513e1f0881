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
  /// the rest.
  private let pageBytes: Int64
  private let constants: RunConstants
  private let rowMemory: MemoryReservation?
  /// The keys of the source objects from which objects are made; `nil` if the filter decides.
  private let kept: KeptKeys?
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
  ///   - kept: The keys of the source objects from which objects are made, where their groups are known and
  ///     their filter was evaluated; `nil` if the filter decides.
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
    keeping kept: KeptKeys? = nil,
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
    self.kept = kept
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
      if let kept {
        guard let next = try kept.first(from: first), range.contains(next) else { return }
        first = next
      }
      let selected = try inputs.rows(
        first...range.upperBound,
        limit: Self.pageRows,
        byteLimit: pageBytes
      )
      let rows = selected.rows
      guard let start = rows.first?.key, let end = rows.last?.key else { return }
      let page = try evaluate(rows)
      if kept == nil {
        tallies.note {
          $0.read += Int64(rows.count)
          $0.filtered += Int64(page.isTaken.count { !$0 })
        }
      }
      try source.start(start...end)
      for index in rows.indices {
        guard let row = try source.next() else { break }
        if page.isTaken[index] { try body(mapped(row, page: page, index, answer)) }
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

  private func evaluate(_ rows: [SelectedRow]) throws -> EvaluatedPage {
    members.beginPage()
    let read = try creation.page.page(of: rows, members: members.members)
    let page = EvaluatedPage(count: rows.count)
    var failed: Set<Int> = []
    if let kept { page.isTaken = try rows.map { try kept.first(from: $0.key) == $0.key } }
    for failure in read.failures where page.isTaken[failure.row] {
      try fail(rows[failure.row].key, nil, failure.message)
      failed.insert(failure.row)
    }
    if kept == nil, let filter = creation.filter {
      let taken = filter.evaluate(read.values, in: constants, members.stream, session.work)
      try session.endIfStopped()
      page.isTaken = taken.values
      for failure in taken.failures where !failed.contains(failure.row) {
        try fail(rows[failure.row].key, nil, failure.message)
      }
    }
    for evaluation in creation.evaluations {
      let attribute = evaluation.attribute
      switch evaluation.source {
      case .program(let lowered):
        let found = try values(of: lowered, for: attribute, rows, read.values, taken: page)
        page.add(attribute.name, found)
      case .policy(let selector, let programs):
        let found = try programs.map {
          try arguments(of: $0, for: attribute, rows, read.values, taken: page)
        }
        page.add(attribute.name, by: selector, found)
      }
    }
    if let failure = members.failure { throw failure }
    return page
  }

  private func values(
    of lowered: LoweredProgram,
    for attribute: AttributeDescription,
    _ rows: [SelectedRow],
    _ page: ValuePage,
    taken: EvaluatedPage
  ) throws -> [AttributeValue] {
    let found = lowered.program.evaluate(page, in: constants, members.stream, session.work)
    try session.endIfStopped()
    var messages = Dictionary(
      found.failures.map { ($0.row, $0.message) },
      uniquingKeysWith: { first, _ in first }
    )
    var result: [AttributeValue] = []
    result.reserveCapacity(rows.count)
    for (row, value) in found.values.enumerated() {
      switch lowered.conversion.value(of: value) {
      case .success(let value): result.append(value)
      case .failure(let failure):
        result.append(.null)
        if messages[row] == nil { messages[row] = failure.message }
      }
    }
    // What objects are found by was told when they were grouped.
    if kept != nil, creation.grouping?.names(attribute.name) ?? false { return result }
    for (row, message) in messages.sorted(by: { $0.key < $1.key }) where taken.isTaken[row] {
      try fail(rows[row].key, attribute, message)
    }
    return result
  }

  private func arguments(
    of program: ExpressionProgram,
    for attribute: AttributeDescription,
    _ rows: [SelectedRow],
    _ page: ValuePage,
    taken: EvaluatedPage
  ) throws -> [AttributeValue] {
    let found = program.evaluate(page, in: constants, members.stream, session.work)
    try session.endIfStopped()
    for failure in found.failures where taken.isTaken[failure.row] {
      try fail(rows[failure.row].key, attribute, failure.message)
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
