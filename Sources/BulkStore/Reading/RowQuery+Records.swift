internal import BulkCoding
internal import BulkSQLite

extension StoreSession {
  /// Reads the rows of a query without SQL; `nil` if that is not possible.
  func selection(of query: RowQuery) throws(StoreError) -> RecordSelection? {
    guard isUTF8, !isMetered, var compiler = try recordCompiler(of: query.table) else { return nil }
    let fields = try? query.columns.map { column throws(NotOfRecords) in
      try compiler.field(column.expression)
    }
    guard let fields, let copy = try? compiler.copy(fields, where: query.conditions) else {
      return nil
    }
    return RecordSelection(copy, of: compiler.source)
  }

  /// The number of source rows that satisfy conditions, and how many of them satisfy further ones, and so on, from
  /// their records; `nil` if that is not possible.
  ///
  /// Nothing may be written to the destination that is not in its file.
  func counts(
    in table: String,
    where conditions: [RowTransfer.Condition],
    and others: [[RowTransfer.Condition]]
  ) throws(StoreError) -> [Int64]? {
    let counts = try recordCompiler(of: table)?.counts(where: conditions, and: others) {
      !work.isStopped
    }
    try endIfStopped()
    return counts
  }
}
