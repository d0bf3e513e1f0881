internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// The environment in which the rows of all entity mappings are evaluated.
struct RowEvaluation {
  let session: StoreSession
  /// Constant in the whole run.
  let constants: RunConstants
  let budget: MemoryBudget
  let violations: ViolationReport
  let tallies: RowTallies
}

/// Reads the source rows of an entity mapping with all mapped values: the columns that SQL
/// computes, and the attributes that are evaluated page by page.
struct MappedRowReader {
  /// The maximum number of rows evaluated at once; fewer if they are large.
  static let pageRows: Int64 = 500

  private let creation: InstanceCreation
  private let keyOffset: Int64
  private let places: MappedColumns.Places
  let source: SourceRows
  private let inputs: PreparedQuery?
  let members: MemberReader
  /// The bytes that the rows of a page may hold; related objects take as much, and their values and results
  /// the rest: a row's results of methods as much, those of all rows half as much.
  let pageBytes: Int64
  private let evaluation: RowEvaluation
  /// The keys of the source objects from which objects are made; `nil` if the filter decides.
  private let kept: KeptKeys?
  private let answer: EvaluatedPage.PolicyAnswer

  /// With `streamsLargeValues` large values that are only copied stay in the source until their row is
  /// inserted.
  ///
  /// `kept` are the source objects from which objects are made, where their groups are known and their filter
  /// was evaluated; `nil` if the filter decides.
  init(
    _ creation: InstanceCreation,
    of shape: EntityRowShape,
    _ evaluation: RowEvaluation,
    streamsLargeValues: Bool = false,
    keeping kept: KeptKeys? = nil,
    answer: @escaping EvaluatedPage.PolicyAnswer = EvaluatedPage.refuse
  ) throws {
    self.creation = creation
    keyOffset = creation.mapping.keyOffset
    self.evaluation = evaluation
    // Rows of one mapping are evaluated at a time.
    let share = evaluation.budget.share(of: .rows) / 4
    pageBytes = share
    self.kept = kept
    self.answer = answer
    // Every row is given its key, entity and version.
    let assignments = creation.transfer.assignments.filter {
      !shape.columns.prefix(3).contains($0.column)
    }
    places = MappedColumns.Places(assignments.map(\.column), in: shape)
    source = try SourceRows(
      of: creation.transfer,
      values: assignments.map(\.value),
      streamsLargeValues: streamsLargeValues,
      evaluation.session
    )
    let isEvaluated =
      !creation.evaluations.isEmpty || creation.filter != nil || creation.elements != nil
    inputs =
      isEvaluated
      ? try PreparedQuery(
        RowQuery(
          creation.transfer.source,
          creation.page.columns,
          where: creation.transfer.conditions
        ),
        evaluation.session
      ) : nil
    members = try MemberReader(creation.page, evaluation.session, share: share)
  }

  var evaluates: Bool { inputs != nil }

  /// Whether objects are made from some source objects that are known, whatever the filter.
  var isSelective: Bool { kept != nil }

  func count(_ rows: CopiedRows) {
    evaluation.tallies.note {
      $0.read += rows.made + rows.leftOut
      $0.filtered += rows.leftOut
    }
  }

  /// In the order of the keys; the body gets the row of every object that the mapping takes.
  func rows(
    in range: ClosedRange<Int64>,
    _ body: (consuming MappedRow) throws -> Void
  ) throws {
    guard inputs != nil else {
      try source.start(range)
      while let row = try source.next() {
        evaluation.tallies.note { $0.read += 1 }
        try body(mapped(row, page: nil, 0))
      }
      return
    }
    try pages(in: range) { rows, page in try self.rows(rows, page, from: 0, body) }
  }

  /// In the order of the keys; a page may have fewer rows than were given.
  func pages(
    in range: ClosedRange<Int64>,
    _ body: (_ rows: [SelectedRow], _ page: EvaluatedPage) throws -> Void
  ) throws {
    try eachSelection(in: range, byteLimit: pageBytes) { key in
      try kept.map { try $0.first(from: key) } ?? key
    } _: { rows in
      try eachPage(of: rows) { requested in
        let taken = try kept.map { kept in
          try requested.map { try kept.first(from: $0.key) == $0.key }
        }
        let read = try inputPage(of: requested, taken: taken)
        let page = try evaluated(
          requested,
          read.values,
          taken: read.isTaken,
          isFirstEvaluation: kept == nil
        )
        try conclude(read, of: requested, count: page.count)
        try body(requested, page)
        return page.count
      }
    }
  }

  /// The source keys of a range that the filter takes, in ascending order; nothing is counted or reported.
  func taken(in range: ClosedRange<Int64>, _ body: (Int64) throws -> Void) throws {
    try eachSelection(in: range, byteLimit: pageBytes) {
      $0
    } _: { rows in
      let page = try inputPage(of: rows, taken: nil)
      if let failure = members.failure { throw failure }
      for (row, isTaken) in zip(rows, page.isTaken) where isTaken { try body(row.key) }
    }
  }

  /// Selects the rows of a range, some at a time, in the order of their keys.
  ///
  /// `wanted` gives the least key from a key on whose row is wanted; `nil` if there is none. The body gets at
  /// least one row.
  func eachSelection(
    in range: ClosedRange<Int64>,
    byteLimit: Int64,
    from wanted: (Int64) throws -> Int64?,
    _ body: ([SelectedRow]) throws -> Void
  ) throws {
    var first = range.lowerBound
    while let start = try wanted(first), range.contains(start) {
      let rows = try selectedRows(start...range.upperBound, byteLimit: byteLimit)
      guard let end = rows.last?.key else { return }
      try body(rows)
      guard end < range.upperBound else { return }
      first = end + 1
    }
  }

  /// Reads the rows of a page with the values that SQL computes; others may be behind them in `rows`.
  func rows(
    _ rows: [SelectedRow],
    _ page: EvaluatedPage,
    from first: Int,
    _ body: (consuming MappedRow) throws -> Void
  ) throws {
    try source.start(rows[first].key...rows[page.count - 1].key)
    for index in first..<page.count {
      guard page.isTaken[index] else {
        guard try source.skip() else { break }
        continue
      }
      guard let row = try source.next() else { break }
      try body(mapped(row, page: page, index))
    }
  }

  /// Divides rows into pages whose results fit into memory.
  ///
  /// The body gets the rows from the first that is left, and returns how many of them fitted, at least one. The
  /// others are passed again.
  func eachPage(of rows: [SelectedRow], _ body: ([SelectedRow]) throws -> Int) rethrows {
    var rest = rows[...]
    var limit = rows.count
    while !rest.isEmpty {
      let requested = Array(rest.prefix(limit))
      let count = try body(requested)
      // Rows behind the end of a page are evaluated again, so no more are requested than seem to fit.
      limit = count < requested.count ? count : 2 * limit
      rest = rest.dropFirst(count)
    }
  }

  func selectedRows(_ range: ClosedRange<Int64>, byteLimit: Int64) throws -> [SelectedRow] {
    try inputs?.rows(range, limit: Self.pageRows, byteLimit: byteLimit).rows ?? []
  }

  func mapped(
    _ row: (key: Int64, values: [SourceRows.Value]),
    page: EvaluatedPage?,
    _ index: Int
  ) -> MappedRow {
    MappedRow(
      sourceKey: row.key,
      keptKey: row.key &+ keyOffset,
      columns: MappedColumns(places, row.values),
      page: page,
      index: index
    )
  }

  /// The inputs of the programs for some rows, and which of these the mapping takes.
  struct InputPage {
    let values: ValuePage
    var isTaken: [Bool]
    let isFiltered: Bool
    /// The rows whose inputs cannot be read, or for which the filter failed.
    var failures: [RowFailure]
  }

  /// ``conclude(_:of:count:)`` reports failures; without `taken` the filter decides.
  func inputPage(of rows: [SelectedRow], taken: [Bool]?) throws -> InputPage {
    members.beginPage()
    let read = try creation.page.page(of: rows, members: members.members)
    var result = InputPage(
      values: read.values,
      isTaken: taken ?? [Bool](repeating: true, count: rows.count),
      isFiltered: taken == nil,
      failures: []
    )
    guard taken == nil, let filter = creation.filter else {
      result.failures = read.failures.map(\.failure).filter { result.isTaken[$0.row] }
      return result
    }
    let found = filter.evaluate(
      read.values,
      in: evaluation.constants,
      members.stream,
      evaluation.session.work
    )
    try evaluation.session.endIfStopped()
    result.isTaken = found.values
    // What else a row holds that the filter leaves out does not matter.
    result.failures = read.failures.filter {
      filter.inputs.contains($0.input) || found.values[$0.failure.row]
    }.map(\.failure)
    let failed = Set(result.failures.map(\.row))
    result.failures += found.failures.filter { !failed.contains($0.row) }
    return result
  }

  /// Counts the first rows of a page, which are done with, and reports the failures in them; the others are
  /// read again.
  func conclude(_ page: InputPage, of rows: [SelectedRow], count: Int) throws {
    for failure in page.failures where failure.row < count {
      try fail(rows[failure.row].key, nil, failure.message)
    }
    guard page.isFiltered else { return }
    evaluation.tallies.note {
      $0.read += Int64(count)
      $0.filtered += Int64(page.isTaken.prefix(count).count { !$0 })
    }
  }

  /// The values of all attributes for the rows of a page: of the first rows only, at least one, where the
  /// results are too large for all.
  ///
  /// Only a first evaluation reports failures of attributes by which objects are found.
  func evaluated(
    _ rows: [SelectedRow],
    _ page: ValuePage,
    taken: [Bool],
    isFirstEvaluation: Bool
  ) throws -> EvaluatedPage {
    let result = EvaluatedPage(count: rows.count, answer)
    result.isTaken = taken
    var failures: [(attribute: String, failure: RowFailure)] = []
    for evaluation in creation.evaluations {
      let attribute = evaluation.attribute.name
      switch evaluation.source {
      case .program(let lowered):
        let (values, failed) = try values(of: lowered, page)
        result.add(attribute, values)
        if isFirstEvaluation || creation.grouping?.names(attribute) != true {
          failures += failed.map { (attribute, $0) }
        }
      case .policy(let selector, let programs):
        let found = try programs.map { program in
          let (values, failed) = try arguments(of: program, page)
          failures += failed.map { (attribute, $0) }
          return values
        }
        result.add(attribute, by: selector, found)
      }
    }
    // Rows behind the end of the page fail when they are evaluated again.
    for (attribute, failure) in failures
    where failure.row < result.count && result.isTaken[failure.row] {
      try fail(rows[failure.row].key, attribute, failure.message)
    }
    if let failure = members.failure { throw failure }
    return result
  }

  /// The elements of the collections of some rows, without those that are nil; none for rows not taken.
  ///
  /// They are those of the first rows only, at least one, where the results are too large for all. Only a first
  /// evaluation reports failures, and counts rows without elements.
  func collections(
    of rows: [SelectedRow],
    _ page: ValuePage,
    taken: [Bool],
    isFirstEvaluation: Bool
  ) throws -> [[EvaluatedValue]] {
    guard let program = creation.elements else { return rows.map { _ in [] } }
    let found = try evaluated(program, page)
    if let failure = members.failure { throw failure }
    for failure in found.failures
    where isFirstEvaluation && failure.row < found.values.count && taken[failure.row] {
      try fail(rows[failure.row].key, "forEach", failure.message)
    }
    let result = zip(found.values, taken).map { value, isTaken -> [EvaluatedValue] in
      guard isTaken, case .collection(let collection) = value else { return [] }
      return collection.elements.filter { !$0.isNull }
    }
    if isFirstEvaluation {
      evaluation.tallies.note { tally in
        for (elements, isTaken) in zip(result, taken) where isTaken {
          tally.count(elements.isEmpty ? .nothing : .made)
        }
      }
    }
    return result
  }

  private func evaluated(
    _ program: ExpressionProgram,
    _ page: ValuePage
  ) throws -> PageResults<EvaluatedValue> {
    let session = evaluation.session
    let found = program.evaluate(page, in: evaluation.constants, members.stream, session.work)
    try session.endIfStopped()
    return found
  }

  private func values(
    of lowered: LoweredProgram,
    _ page: ValuePage
  ) throws -> (values: [AttributeValue], failures: [RowFailure]) {
    let found = try evaluated(lowered.program, page)
    var messages = Dictionary(firstOf: found.failures.map { ($0.row, $0.message) })
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
    let failures = messages.sorted { $0.key < $1.key }
      .map { RowFailure(row: $0.key, message: $0.value) }
    return (result, failures)
  }

  private func arguments(
    of program: ExpressionProgram,
    _ page: ValuePage
  ) throws -> (values: [AttributeValue], failures: [RowFailure]) {
    let found = try evaluated(program, page)
    let values = found.values.map { value -> AttributeValue in
      guard case .attribute(let value) = value else { return .null }
      return value
    }
    return (values, found.failures)
  }

  /// Without a property it is the filter's.
  private func fail(_ key: Int64, _ property: String?, _ message: String) throws {
    let mapping = creation.mapping
    try evaluation.violations.add(
      Violation(
        entity: mapping.mapping.name,
        key: key &+ mapping.keyOffset,
        origin: mapping.origin(of: key),
        property: property ?? Violation.filterProperty,
        rule: Violation.expressionRule,
        value: message
      )
    )
  }
}
