internal import BulkMapping
internal import BulkStore

extension MappedRowReader {
  private struct Element {
    let row: Int
    let place: Int
    let object: Int64?
    let value: EvaluatedValue
  }

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
    // The elements of a text take many times the memory of its bytes.
    try eachSelection(in: range, byteLimit: pageBytes / 16) { key in
      try kept.map { try $0.first(from: key) } ?? key
    } _: { rows in
      try source.start(rows[0].key...rows[rows.count - 1].key)
      try eachPage(of: rows) { requested in
        let wanted = try kept.map { kept in try requested.map { try kept.elements(of: $0.key) } }
        let page = try inputPage(of: requested, taken: wanted?.map { !$0.isEmpty })
        let all = try collections(
          of: requested,
          page.values,
          taken: page.isTaken,
          isFirstEvaluation: kept == nil
        )
        try conclude(page, of: requested, count: all.count)
        let done = Array(requested.prefix(all.count))
        let elements = Self.elements(all, among: wanted)
        try pass(elements, of: done, page.values, isFirstEvaluation: kept == nil, body)
        return all.count
      }
    }
  }

  private static func elements(
    _ all: [[EvaluatedValue]],
    among wanted: [[(place: Int, object: Int64)]]?
  ) -> [Element] {
    guard let wanted else {
      return all.enumerated().flatMap { index, values in
        values.enumerated().map { Element(row: index, place: $0, object: nil, value: $1) }
      }
    }
    return zip(all, wanted).enumerated().flatMap { index, pair in
      pair.1.filter { $0.place < pair.0.count }.map {
        Element(row: index, place: $0.place, object: $0.object, value: pair.0[$0.place])
      }
    }
  }

  /// Evaluates the values of elements, as many at once as a page has rows and as their results fit into memory.
  private func pass(
    _ elements: [Element],
    of rows: [SelectedRow],
    _ page: ValuePage,
    isFirstEvaluation: Bool,
    _ body: (_ row: MappedRow, _ object: Int64?) throws -> Void
  ) throws {
    var (next, current) = (0, nil as (key: Int64, values: [SourceRows.Value])?)
    /// Reads the rows up to an index, which is not below any earlier one.
    func sourceRow(_ index: Int) throws -> (key: Int64, values: [SourceRows.Value])? {
      while next <= index {
        current = try source.next()
        next += 1
      }
      return current
    }
    var rest = elements[...]
    var limit = Int(Self.pageRows)
    while !rest.isEmpty {
      let part = Array(rest.prefix(limit))
      members.beginResults()
      var columns = page.columns.mapValues { column in part.map { column[$0.row] } }
      columns[.element] = part.map(\.value)
      let own = part.map { rows[$0.row] }
      let evaluated = try evaluated(
        own,
        // Random numbers depend on the key.
        ValuePage(keys: part.map { rows[$0.row].key ^ Int64($0.place) << 32 }, columns: columns),
        taken: [Bool](repeating: true, count: own.count),
        isFirstEvaluation: isFirstEvaluation
      )
      for (index, element) in part.prefix(evaluated.count).enumerated() {
        guard let row = try sourceRow(element.row) else { return }
        try body(mapped(row, page: evaluated, index), element.object)
      }
      rest = rest.dropFirst(evaluated.count)
      limit = min(evaluated.count < part.count ? evaluated.count : 2 * limit, Int(Self.pageRows))
    }
    // Rows without elements are skipped.
    _ = try sourceRow(rows.count - 1)
  }
}
