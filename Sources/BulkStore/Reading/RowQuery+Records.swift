internal import BulkCoding
internal import BulkSQLite

extension StoreSession {
  /// Reads the rows of a query without SQL; `nil` if that is not possible.
  func selection(of query: RowQuery) throws(StoreError) -> RecordSelection? {
    guard isUTF8, var compiler = try recordCompiler(of: query.table) else { return nil }
    let fields = try? query.columns.map { try compiler.field($0.expression) }
    let copy = fields.flatMap { try? compiler.copy($0, where: query.conditions) }
    return copy.flatMap { RecordSelection($0, of: compiler.source) }
  }

  /// Counts rows of the source from their records, see ``RowLookup/counts(in:where:and:valuesIn:within:)``; `nil` if that
  /// is not possible.
  ///
  /// Nothing may be written to the destination that is not in its file.
  func counts(
    in table: String,
    where conditions: [ColumnExpression],
    and others: [[ColumnExpression]],
    valuesIn columns: [String] = [],
    within keys: ClosedRange<Int64> = .min ... .max
  ) throws(StoreError) -> [Int64]? {
    let counts = try recordCompiler(of: table)?.counts(
      where: conditions,
      and: others,
      valuesIn: columns,
      within: keys
    ) { !work.isStopped }
    try endIfStopped()
    return counts
  }
}
