internal import BulkSQLite

extension PersistentStore {
  private static let samplePlaces: Int64 = 64
  private static let rowsAtPlace: Int64 = 16
  /// SQLite's overhead for a row beside its values: key, header and cell pointer.
  private static let rowOverhead = 8.0

  /// The mean size of a table's rows in bytes, from a sample of rows at evenly spaced keys; from all rows where the keys
  /// are few.
  package func meanRowSize(in table: FileTable) throws(StoreError) -> Double {
    let name = SQLText.quoted(table.name)
    guard table.hasRowID, !table.columns.isEmpty, let keys = try connection.keys(in: name) else {
      return 0
    }
    let columns = table.columns.map { SQLText.quoted($0.name) }
    let sizes = columns.map {
      // The length of text and BLOB, the usual width of numbers.
      "CASE typeof(\($0)) WHEN 'null' THEN 1 WHEN 'integer' THEN 4 WHEN 'real' THEN 9 "
        + "WHEN 'blob' THEN length(\($0)) + 2 ELSE length(CAST(\($0) AS BLOB)) + 2 END"
    }
    let least = Double(keys.lowerBound)
    let span = Double(keys.upperBound) - least
    let isFew = span < Double(Self.samplePlaces * Self.rowsAtPlace)
    let statement = try connection.prepare(
      "SELECT count(*), total(\(sizes.joined(separator: " + "))) FROM (SELECT "
        + "\(columns.joined(separator: ", ")) FROM \(name) WHERE rowid >= ?1 ORDER BY rowid LIMIT \(isFew ? -1 : Self.rowsAtPlace))"
    )
    var rows = 0.0
    var bytes = 0.0
    for place in 0..<(isFew ? 1 : Self.samplePlaces) {
      let key = least + span * Double(place) / Double(Self.samplePlaces)
      try statement.bind(.integer(Int64(exactly: key.rounded()) ?? keys.lowerBound), at: 1)
      if try statement.step() {
        rows += statement.double(at: 0)
        bytes += statement.double(at: 1)
      }
      statement.reset()
    }
    return rows == 0 ? 0 : bytes / rows + Self.rowOverhead
  }
}
