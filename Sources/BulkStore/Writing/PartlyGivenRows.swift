internal import BulkSQLite

/// Rows of a table that are copied from source rows, but for values that are given row by row.
package struct PartlyGivenRows {
  /// The source table.
  let source: String
  /// The value of each column; `nil` where it is given.
  let values: [ColumnExpression?]

  /// Rows of a shape.
  ///
  /// - Parameters:
  ///   - shape: The shape.
  ///   - transfer: The transfer with the values that are copied; its conditions do not matter.
  ///   - attributes: The attributes whose values are given, as are those of columns that the transfer lacks, and
  ///     of the key, the entity and the version.
  package init(_ shape: EntityRowShape, by transfer: RowTransfer, giving attributes: [String]) {
    source = transfer.source
    let given = Set(attributes.compactMap { shape.column(of: $0)?.index }).union(0...2)
    values = shape.columns.enumerated().map { place, name in
      given.contains(place) ? nil : transfer.assignments.first { $0.column == name }?.value
    }
  }

  /// How their records are made; `nil` if a value that is not given needs SQL, or if all are given.
  func recordCopy(of source: SourceTable) -> RecordCopy? {
    guard values.contains(where: { $0 != nil }) else { return nil }
    var fields: [RecordCopy.Field] = []
    for (place, value) in values.enumerated() {
      guard let field = value.map({ $0.recordField(of: source) }) ?? .given(place) else {
        return nil
      }
      fields.append(field)
    }
    return RecordCopy(fields, where: [])
  }
}

extension StoreSession {
  /// Makes rows without SQL but for some of their values; `nil` where that is not possible.
  func copier(
    of rows: PartlyGivenRows,
    to table: TableWriter
  ) throws(StoreError) -> RecordCopier? {
    guard let file = source else { return nil }
    let source = try SourceTable(rows.source, in: file, connection)
    guard let source, let copy = rows.recordCopy(of: source) else { return nil }
    return try copier(copy, of: source, to: table)
  }
}
