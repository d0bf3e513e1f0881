internal import BulkSQLite

extension RowQuery {
  /// How its rows are read without SQL; `nil` if that is not possible.
  func recordSelection(of source: SourceTable) -> RecordSelection? {
    let fields = columns.compactMap { $0.expression.recordField(of: source) }
    guard fields.count == columns.count, let found = conditions.recordConditions(of: source) else {
      return nil
    }
    return RecordSelection(fields, of: source, where: found)
  }
}

extension StoreSession {
  /// Reads the rows of a query without SQL; `nil` if that is not possible.
  func selection(of query: RowQuery) throws(StoreError) -> RecordSelection? {
    guard let file = source, isUTF8, let table = try SourceTable(query.table, in: file, connection)
    else { return nil }
    return query.recordSelection(of: table)
  }
}
