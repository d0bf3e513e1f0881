internal import BulkSQLite

/// Writes of each row only the columns that decide whether it satisfies the rules of the model; the
/// others are NULL.
///
/// The resulting store does not fit the model otherwise, but has the same violations.
package final class RuledRowSink: RowSink {
  private let rows: any RowSink
  private let columns: RuledColumns

  package init(_ rows: any RowSink, _ columns: RuledColumns) {
    (self.rows, self.columns) = (rows, columns)
  }

  package var counted: RowCount { rows.counted }

  package func begin() throws(StoreError) { try rows.begin() }

  package func fill(
    _ table: String,
    _ columns: [String],
    _ body: (TableSink) throws -> Void
  ) throws {
    let indexes = columns.indices.filter { self.columns.contain(columns[$0], of: table) }
    let kept = indexes.map { columns[$0] }
    try rows.fill(table, kept) { sink in
      let ruled = TableSink { values throws(StoreError) in
        guard indexes.count < columns.count else { return try sink.append(values) }
        var kept: [SQLiteValue] = []
        kept.reserveCapacity(values.count / columns.count * indexes.count)
        for start in stride(from: 0, to: values.count, by: columns.count) {
          for index in indexes { kept.append(values[start + index]) }
        }
        try sink.append(kept)
      }
      try body(ruled)
    }
  }

  package func fill(
    by transfers: [RowTransfer],
    _ body: (RangeAppending) throws -> Void
  ) throws {
    try rows.fill(by: transfers.map(ruled), body)
  }

  package func canFillTogether(by transfer: RowTransfer) throws(StoreError) -> Bool {
    try rows.canFillTogether(by: ruled(transfer))
  }

  private func ruled(_ transfer: RowTransfer) -> RowTransfer {
    var ruled = transfer
    ruled.assignments.removeAll { !columns.contain($0.column, of: transfer.destination) }
    return ruled
  }

  package func copy(_ table: FileTable) throws(StoreError) -> Int64 { try rows.copy(table) }

  package func insert(_ row: EntityRow) throws(StoreError) { try rows.insert(row) }

  package func knowsToHold(_ check: ReferenceCheck) -> Bool { rows.knowsToHold(check) }

  package func knowsNoNull(in column: String, of table: String) -> Bool {
    rows.knowsNoNull(in: column, of: table)
  }

  /// Makes an index over columns that count; another one cannot be violated and is reported as
  /// made.
  package func make(
    _ index: SchemaIndex,
    isKnownToConflict isKnown: Bool
  ) throws(StoreError) -> Bool {
    guard index.isUnique || columns.contain(index) else { return true }
    return try rows.make(index, isKnownToConflict: isKnown)
  }
}
