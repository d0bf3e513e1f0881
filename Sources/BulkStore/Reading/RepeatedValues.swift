internal import BulkSQLite

/// The rows of a store that would get the same values as another row in columns of a destination.
package struct RepeatedValues: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package let entity: Int64
    package let key: Int64
  }

  /// The number of rows that repeat the values of a row before them.
  package fileprivate(set) var count: Int64 = 0
  /// Those with the lowest keys.
  package fileprivate(set) var first: [Row] = []
}

extension PersistentStore {
  /// Finds the rows that get the same values as a row before them; a row with NULL among them equals no
  /// other.
  ///
  /// Every table is read once, and the values are sorted, on the disk if there are many.
  ///
  /// All values and conditions of the transfers, which fill the destination's table, must depend on
  /// source rows only.
  package func repeatedValues(
    in columns: [String],
    of transfers: [RowTransfer],
    naming shown: Int
  ) throws(StoreError) -> RepeatedValues {
    guard !transfers.isEmpty, !columns.isEmpty else { return RepeatedValues() }
    let sql = Self.repeatedSQL(columns, transfers)
    var result = RepeatedValues()
    let statement = try connection.prepare(sql)
    while try statement.step() {
      result.count += 1
      let row = RepeatedValues.Row(entity: statement.int64(at: 0), key: statement.int64(at: 1))
      if let last = result.first.last, result.first.count == shown, last.key <= row.key {
        continue
      }
      result.first = Array((result.first + [row]).sorted { $0.key < $1.key }.prefix(shown))
    }
    return result
  }

  private static func repeatedSQL(_ columns: [String], _ transfers: [RowTransfer]) -> String {
    let names = columns.indices.map { "v\($0)" }
    let made = transfers.enumerated().map { number, transfer in
      let values = zip(columns, names).map { column, name in
        let value = transfer.assignments.first { $0.column == column }?.value ?? .null
        return "\(value.sql) AS \(name)"
      }
      let conditions = transfer.conditions.map(\.sql).joined(separator: " AND ")
      return "SELECT \(number) AS t, s.Z_PK AS k, s.Z_ENT AS e, \(values.joined(separator: ", ")) "
        + "FROM \(SQLText.quoted(transfer.source)) AS s"
        + (conditions.isEmpty ? "" : " WHERE \(conditions)")
    }
    let isSet = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    return "SELECT e, k FROM (SELECT e, k, row_number() OVER (PARTITION BY "
      + "\(names.joined(separator: ", ")) ORDER BY t, k) AS n FROM ("
      + made.joined(separator: " UNION ALL ") + ") WHERE \(isSet)) WHERE n > 1"
  }
}
