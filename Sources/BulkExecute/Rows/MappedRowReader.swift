internal import BulkPlan
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Reads the source rows of an entity mapping with all mapped values: the columns that SQL
/// computes, and the attributes that are evaluated page by page.
struct MappedRowReader {
  private let source: ObjectSource
  private let tallies: RowTallies
  private let violations: ViolationReport
  private let creation: InstanceCreation
  private let keyOffset: Int64
  private let slots: MappedColumns.Slots
  private let columns: SourceRows
  /// `nil` if nothing is evaluated.
  private let evaluator: PageEvaluator?
  /// The keys of the source objects from which objects are made; `nil` if the filter decides.
  private let kept: KeptKeys?
  /// The attributes that were read when groups were made; an object with one that failed is reported already.
  private let groupedInputs: Set<SourceInput>
  private let answer: EvaluatedPage.PolicyAnswer

  /// With `streamsLargeValues` large values that are only copied stay in the source until their row is
  /// inserted.
  ///
  /// `kept` are the source objects from which objects are made, where their groups are known and their filter
  /// was evaluated; `nil` if the filter decides.
  init(
    _ creation: InstanceCreation,
    of shape: EntityRowShape,
    in source: ObjectSource,
    streamsLargeValues: Bool,
    keeping kept: KeptKeys?,
    counting tallies: RowTallies,
    reporting violations: ViolationReport,
    answer: @escaping EvaluatedPage.PolicyAnswer
  ) throws {
    (self.source, self.creation, self.kept, self.answer) = (source, creation, kept, answer)
    (self.tallies, self.violations) = (tallies, violations)
    let grouped = creation.ofGroupedValues
    groupedInputs = Set(grouped.flatMap { $0.isTransfer ? [] : $0.evaluatedInputs } ?? [])
    keyOffset = creation.mapping.keyOffset
    // Every row is given its key, entity and version.
    let assignments = creation.transfer.assignments.filter {
      !shape.columns.prefix(3).contains($0.column)
    }
    slots = MappedColumns.Slots(assignments.map(\.column), in: shape)
    columns = try SourceRows(
      of: creation.transfer,
      values: assignments.map(\.value),
      streamsLargeValues: streamsLargeValues,
      source.session
    )
    let isEvaluated =
      !creation.evaluations.isEmpty || creation.filter != nil || creation.elements != nil
    evaluator =
      isEvaluated
      ? try PageEvaluator(
        creation.page,
        of: creation.transfer.source,
        where: creation.transfer.conditions,
        in: source
      ) : nil
  }

  var evaluates: Bool { evaluator != nil }

  /// Whether objects are made from some source objects that are known, whatever the filter.
  var isSelective: Bool { kept != nil }

  func count(made: Int64, leftOut: Int64) {
    tallies.note {
      $0.read += made + leftOut
      $0.filtered += leftOut
    }
  }

  /// In the order of the keys; the body gets the row of every object that the mapping takes.
  func rows(
    in range: ClosedRange<Int64>,
    _ body: (consuming MappedRow) throws -> Void
  ) throws {
    guard evaluates else {
      try columns.start(range)
      while let row = try columns.next() {
        tallies.note { $0.read += 1 }
        try body(mapped(row, nil, 0))
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
    var asked: [Int64: Bool] = [:]
    try evaluator?.each(in: range) { key in
      try kept.map { try $0.first(from: key) } ?? key
    } _: { rows in
      let taken = try kept.map { kept in
        try asked.answers(of: rows) { try kept.first(from: $0) == $0 }
      }
      let inputs = try inputs(of: rows, taken)
      let page = try evaluated(rows, inputs.values, inputs.isTaken, isFirst: kept == nil)
      try conclude(inputs, of: rows, count: page.count)
      try body(rows, page)
      return page.count
    }
  }

  /// The source keys of a range that the filter takes, in ascending order; nothing is counted or reported.
  func forEachTakenKey(in range: ClosedRange<Int64>, _ body: (Int64) throws -> Void) throws {
    try evaluator?.each(in: range) { rows in
      for (row, isTaken) in zip(rows, try inputs(of: rows, nil).isTaken) where isTaken {
        try body(row.key)
      }
      return rows.count
    }
  }

  /// Reads the rows of a page with the values that SQL computes; others may be behind them in `rows`.
  func rows(
    _ rows: [SelectedRow],
    _ page: EvaluatedPage,
    from first: Int,
    _ body: (consuming MappedRow) throws -> Void
  ) throws {
    try columns.start(rows[first].key...rows[page.count - 1].key)
    for index in first..<page.count {
      guard page.isTaken[index] else {
        guard try columns.skip() else { break }
        continue
      }
      guard let row = try columns.next() else { break }
      try body(mapped(row, page, index))
    }
  }

  private func mapped(
    _ row: (key: Int64, values: [SourceRows.Value]),
    _ page: EvaluatedPage?,
    _ index: Int
  ) -> MappedRow {
    MappedRow(
      sourceKey: row.key,
      keptKey: row.key &+ keyOffset,
      columns: MappedColumns(slots, row.values),
      page: page,
      index: index
    )
  }

  /// The inputs of some rows, which of these the mapping takes, and those that cannot be read or filtered.
  private typealias Inputs = (
    values: ValuePage, isTaken: [Bool], isFiltered: Bool, failures: [RowFailure]
  )

  /// ``conclude(_:of:count:)`` reports failures; without `taken` the filter decides.
  private func inputs(of rows: [SelectedRow], _ taken: [Bool]?) throws -> Inputs {
    guard let evaluator else { return (ValuePage(keys: [], columns: [:]), [], false, []) }
    let read = try evaluator.inputs(of: rows)
    guard taken == nil, let filter = creation.filter else {
      let isTaken = taken ?? [Bool](repeating: true, count: rows.count)
      let failures = read.failures.filter {
        isTaken[$0.failure.row] && !groupedInputs.contains($0.input)
      }
      return (read.values, isTaken, taken == nil, failures.map(\.failure))
    }
    let found = try evaluator.evaluate(filter, read.values)
    // What else a row holds that the filter leaves out does not matter.
    let failures = read.failures.filter {
      filter.inputs.contains($0.input) || found.values[$0.failure.row]
    }.map(\.failure)
    let failed = Set(failures.map(\.row))
    let others = found.failures.filter { !failed.contains($0.row) }
    return (read.values, found.values, true, failures + others)
  }

  /// Counts the first rows of a page, which are done with, and reports the failures in them.
  ///
  /// The others are read again. A row whose filter fails is in the files of rejects, and not lost.
  private func conclude(_ inputs: Inputs, of rows: [SelectedRow], count: Int) throws {
    for failure in inputs.failures where failure.row < count {
      try fail(rows[failure.row].key, Violation.filterProperty, failure.message)
    }
    guard inputs.isFiltered else { return }
    let failed = Set(inputs.failures.map(\.row).filter { $0 < count && !inputs.isTaken[$0] }).count
    tallies.note {
      $0.read += Int64(count)
      $0.refused += Int64(failed)
      $0.filtered += Int64(inputs.isTaken.prefix(count).count { !$0 } - failed)
    }
  }

  /// The values of all attributes for the rows of a page: of the first rows only, at least one, where the
  /// results are too large for all.
  ///
  /// Only a first evaluation reports failures of attributes by which objects are found.
  private func evaluated(
    _ rows: [SelectedRow],
    _ page: ValuePage,
    _ taken: [Bool],
    isFirst: Bool
  ) throws -> EvaluatedPage {
    let result = EvaluatedPage(isTaken: taken, answer)
    var failures: [(attribute: String, failure: RowFailure)] = []
    for evaluation in creation.evaluations {
      let attribute = evaluation.attribute.name
      switch evaluation.source {
      case .program(let compiled):
        let (values, failed) = try values(of: compiled, page)
        result.add(attribute, values)
        if isFirst || creation.grouping?.names(attribute) != true {
          failures += failed.map { (attribute, $0) }
        }
      case .policy(let selector, let programs):
        let found = try programs.map { program in
          let found = try results(of: program, page)
          failures += found.failures.map { (attribute, $0) }
          return found.values.map { value -> AttributeValue in
            guard case .attribute(let value) = value else { return .null }
            return value
          }
        }
        result.add(attribute, by: selector, found)
      }
    }
    // Rows behind the end of the page fail when they are evaluated again.
    for (attribute, failure) in failures
    where failure.row < result.count && result.isTaken[failure.row] {
      try fail(rows[failure.row].key, attribute, failure.message)
    }
    return result
  }

  private func results(
    of program: ExpressionProgram,
    _ page: ValuePage
  ) throws -> (values: [EvaluatedValue], failures: [RowFailure]) {
    guard let found = try evaluator?.evaluate(program, page) else { return ([], []) }
    return (found.values, found.failures)
  }

  private func values(
    of compiled: ConvertedProgram,
    _ page: ValuePage
  ) throws -> (values: [AttributeValue], failures: [RowFailure]) {
    let found = try results(of: compiled.program, page)
    var messages = Dictionary(firstOf: found.failures.map { ($0.row, $0.message) })
    var result: [AttributeValue] = []
    result.reserveCapacity(found.values.count)
    for (row, value) in found.values.enumerated() {
      switch compiled.conversion.value(of: value) {
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

  private func fail(_ key: Int64, _ property: String, _ message: String) throws {
    let mapping = creation.mapping
    try violations.add(
      Violation(
        entity: mapping.mapping.name,
        key: key &+ mapping.keyOffset,
        origin: mapping.origin(of: key),
        property: property,
        rule: Violation.expressionRule,
        value: message
      )
    )
  }
}

// MARK: Elements of collections

extension MappedRowReader {
  private typealias Element = (row: Int, ordinal: Int, object: Int64?, value: EvaluatedValue)

  /// Reads the rows of a range, in the order of their keys, each with the elements of its collection.
  ///
  /// `kept` are the elements that are wanted, where their groups are known; `nil` for all that the filter
  /// takes. The body gets the values of the object of every element that is not nil, and its key, if that is
  /// known.
  func elements(
    in range: ClosedRange<Int64>,
    among kept: KeptElements?,
    _ body: (_ row: MappedRow, _ object: Int64?) throws -> Void
  ) throws {
    var asked: [Int64: [(ordinal: Int, object: Int64)]] = [:]
    // The elements of a text take many times the memory of its bytes.
    try evaluator?.each(in: range, bytes: source.memory / 16) { key in
      try kept.map { try $0.first(from: key) } ?? key
    } _: { rows in
      let wanted = try kept.map { try asked.answers(of: rows, $0.elements) }
      let inputs = try inputs(of: rows, wanted?.map { !$0.isEmpty })
      let all = try collections(of: rows, inputs, isFirst: kept == nil)
      try conclude(inputs, of: rows, count: all.count)
      let elements = all.enumerated().flatMap { row, values -> [Element] in
        guard let wanted = wanted?[row] else {
          return values.enumerated().map { (row, $0, nil, $1) }
        }
        return wanted.filter { $0.ordinal < values.count }
          .map { (row, $0.ordinal, $0.object, values[$0.ordinal]) }
      }
      let done = Array(rows.prefix(all.count))
      try pass(elements, of: done, inputs.values, isFirst: kept == nil, body)
      return all.count
    }
  }

  /// The elements of the collections of some rows, without those that are nil; none for rows not taken.
  ///
  /// They are those of the first rows only, at least one, where the results are too large for all. Only a first
  /// evaluation reports failures, and counts rows without elements.
  private func collections(
    of rows: [SelectedRow],
    _ inputs: Inputs,
    isFirst: Bool
  ) throws -> [[EvaluatedValue]] {
    guard let program = creation.elements else { return rows.map { _ in [] } }
    let found = try results(of: program, inputs.values)
    for failure in found.failures
    where isFirst && failure.row < found.values.count && inputs.isTaken[failure.row] {
      try fail(rows[failure.row].key, Violation.elementsProperty, failure.message)
    }
    let result = zip(found.values, inputs.isTaken).map { value, isTaken -> [EvaluatedValue] in
      guard isTaken, case .collection(let collection) = value else { return [] }
      return collection.elements.filter { !$0.isNull }
    }
    if isFirst {
      let failed = Set(found.failures.map(\.row))
      tallies.note { tally in
        for (row, elements) in result.enumerated() where inputs.isTaken[row] {
          if failed.contains(row) {
            tally.refused += 1
          } else {
            tally.count(elements.isEmpty ? .nothing : .made)
          }
        }
      }
    }
    return result
  }

  /// Evaluates the values of elements, as many at once as a page has rows and as their results fit into memory.
  private func pass(
    _ elements: [Element],
    of rows: [SelectedRow],
    _ page: ValuePage,
    isFirst: Bool,
    _ body: (_ row: MappedRow, _ object: Int64?) throws -> Void
  ) throws {
    guard !elements.isEmpty else { return }
    try columns.start(rows[0].key...rows[rows.count - 1].key)
    var (next, current) = (0, nil as (key: Int64, values: [SourceRows.Value])?)
    /// Reads the rows up to an index, which is not below any earlier one.
    func sourceRow(_ index: Int) throws -> (key: Int64, values: [SourceRows.Value])? {
      while next <= index {
        current = try columns.next()
        next += 1
      }
      return current
    }
    var rest = elements[...]
    var limit = Int(PageEvaluator.pageRows)
    while !rest.isEmpty {
      let part = Array(rest.prefix(limit))
      evaluator?.beginResults()
      var columns = page.columns.mapValues { column in part.map { column[$0.row] } }
      columns[.element] = part.map(\.value)
      let evaluated = try evaluated(
        part.map { rows[$0.row] },
        ValuePage(
          keys: part.map { rows[$0.row].key },
          ordinals: part.map(\.ordinal),
          columns: columns
        ),
        [Bool](repeating: true, count: part.count),
        isFirst: isFirst
      )
      for (index, element) in part.prefix(evaluated.count).enumerated() {
        guard let row = try sourceRow(element.row) else { return }
        try body(mapped(row, evaluated, index), element.object)
      }
      rest = rest.dropFirst(evaluated.count)
      limit = evaluated.count < part.count ? evaluated.count : 2 * limit
      limit = min(limit, Int(PageEvaluator.pageRows))
    }
  }
}

extension Dictionary where Key == Int64 {
  /// An answer for each row of a page, by its key.
  ///
  /// Whoever answers is asked for each key once, in ascending order, though rows come again with which a page was not
  /// done.
  fileprivate mutating func answers(
    of rows: [SelectedRow],
    _ find: (Int64) throws -> Value
  ) rethrows -> [Value] {
    if let first = rows.first?.key { self = filter { $0.key >= first } }
    return try rows.map { row in
      let answer = try self[row.key] ?? find(row.key)
      self[row.key] = answer
      return answer
    }
  }
}
