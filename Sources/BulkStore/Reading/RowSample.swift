internal import BulkSQLite

/// A sample of a table's rows, taken at evenly spaced keys; all rows where the keys are few.
struct RowSample {
  let connection: Connection
  let table: FileTable

  private static let samples: Int64 = 64
  private static let rowsPerSample: Int64 = 16
  /// SQLite's overhead for a row beside its values: key, header and cell pointer.
  private static let overhead = 8.0

  func meanSize() throws(StoreError) -> Double {
    let name = SQLText.quoted(table.name)
    guard let low = try connection.integer("SELECT min(rowid) FROM \(name)"),
      let high = try connection.integer("SELECT max(rowid) FROM \(name)")
    else { return 0 }
    let (least, span) = (Double(low), Double(high) - Double(low))
    let isFew = span < Double(Self.samples * Self.rowsPerSample)
    let statement = try connection.prepare(
      "SELECT count(*), total(\(rowSize)) FROM (SELECT \(columns) FROM \(name) WHERE rowid >= ?1 "
        + "ORDER BY rowid LIMIT \(isFew ? -1 : Self.rowsPerSample))"
    )
    var rows = 0.0
    var bytes = 0.0
    for sample in 0..<(isFew ? 1 : Self.samples) {
      let key = least + span * Double(sample) / Double(Self.samples)
      try statement.bind(.integer(Int64(exactly: key.rounded()) ?? low), at: 1)
      if try statement.step() {
        rows += statement.double(at: 0)
        bytes += statement.double(at: 1)
      }
      statement.reset()
    }
    return rows == 0 ? 0 : bytes / rows + Self.overhead
  }

  /// Without computed ones.
  private var columns: String {
    table.columns.map { SQLText.quoted($0.name) }.joined(separator: ", ")
  }

  /// The bytes of a row's values in SQL: the length of text and BLOB, the usual width of numbers.
  private var rowSize: String {
    let sizes = table.columns.map { column in
      let name = SQLText.quoted(column.name)
      return "CASE typeof(\(name)) WHEN 'null' THEN 1 WHEN 'integer' THEN 4 WHEN 'real' THEN 9 "
        + "WHEN 'blob' THEN length(\(name)) + 2 ELSE length(CAST(\(name) AS BLOB)) + 2 END"
    }
    return sizes.joined(separator: " + ")
  }
}
