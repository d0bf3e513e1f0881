internal import BulkPlan
internal import BulkModel
internal import BulkStore

/// Writes the rows of an entity mapping with attributes that are evaluated.
///
/// A row is made from its source record alone where programs of records compute all its values. Else its values are
/// evaluated, and the others are copied from the record or computed by SQL.
final class EvaluatedRowWriter {
  private let mapped: MappedRowReader
  private let keyOffset: Int64
  private let rows: TableSink
  private let copier: RowCopying?
  private let maker: RowCopying?
  /// The row that is written; every object gets values for the same columns, so one serves all.
  private var row: EntityRow

  init(
    _ creation: InstanceCreation,
    _ mapped: MappedRowReader,
    of shape: EntityRowShape,
    in source: StoreSchema,
    into rows: TableSink
  ) throws {
    self.mapped = mapped
    self.rows = rows
    keyOffset = creation.mapping.keyOffset
    row = EntityRow(shape)
    let evaluated = creation.evaluations.map(\.attribute.name)
    let given = PartlyGivenRows(shape, by: creation.transfer, giving: evaluated)
    guard mapped.evaluates else {
      (copier, maker) = (nil, nil)
      return
    }
    copier =
      try rows.copier(given.source) { given.copy(by: $0) } ?? rows.selector(given)
    maker =
      mapped.isSelective
      ? nil
      : try rows.copier(given.source) { creation.records(of: given, by: $0, in: source) }
  }

  var makesRows: Bool { maker != nil }

  /// In the order of the keys; `wrote` gets the key of each source object and that of its object.
  func write(
    _ range: ClosedRange<Int64>,
    _ wrote: ((_ source: Int64, _ key: Int64) throws -> Void)?
  ) throws {
    guard let maker else { return try evaluate(range, wrote ?? { _, _ in }) }
    var first = range.lowerBound
    // The keys behind a row that needs SQL that are evaluated with it: the more, the nearer such rows are to one another.
    var further: Int64 = 0
    while true {
      let rows = try maker(first...range.upperBound, nil, wrote)
      mapped.count(made: rows.made, leftOut: rows.leftOut)
      guard let remaining = rows.needingSQL else { return }
      let isNear = rows.made + rows.leftOut <= further
      further = isNear ? min(2 * further + 1, PageEvaluator.pageRows) : 0
      let (end, isBeyond) = remaining.upperBound.addingReportingOverflow(further)
      let last = isBeyond ? range.upperBound : min(end, range.upperBound)
      try evaluate(remaining.lowerBound...last, wrote ?? { _, _ in })
      guard last < range.upperBound else { return }
      first = last + 1
    }
  }

  private func evaluate(
    _ range: ClosedRange<Int64>,
    _ wrote: (_ source: Int64, _ key: Int64) throws -> Void
  ) throws {
    guard let copier else {
      return try mapped.rows(in: range) { try write($0, wrote) }
    }
    try mapped.pages(in: range) { selected, page in
      let remaining = try copy(selected, page, by: copier)
      let left = remaining.flatMap { key in selected.firstIndex { $0.key >= key } } ?? page.count
      for index in 0..<left where page.isTaken[index] {
        try wrote(selected[index].key, selected[index].key &+ keyOffset)
      }
      guard left < page.count else { return }
      try mapped.rows(selected, page, from: left) {
        try write($0, wrote)
      }
    }
  }

  /// Up to the first row that cannot be copied, whose source key it returns.
  private func copy(
    _ selected: [SelectedRow],
    _ page: EvaluatedPage,
    by copier: RowCopying
  ) throws -> Int64? {
    var index = 0
    let range = selected[0].key...selected[page.count - 1].key
    let copied = try copier(
      range,
      { [self] key, make in
        while index < page.count, selected[index].key < key { index += 1 }
        guard index < page.count, selected[index].key == key, page.isTaken[index] else { return }
        try page.fill(&row, from: index)
        row.key = key &+ keyOffset
        try make(row.values)
      },
      nil
    )
    return copied.needingSQL?.lowerBound
  }

  private func write(
    _ source: MappedRow,
    _ wrote: (_ source: Int64, _ key: Int64) throws -> Void
  ) throws {
    try source.fillAttributes(of: &row)
    source.columns.fillRelationships(of: &row, except: [])
    row.key = source.keptKey
    try rows.append(row.values)
    try wrote(source.sourceKey, row.key)
  }
}
