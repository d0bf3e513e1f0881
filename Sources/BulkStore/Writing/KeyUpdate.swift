internal import BulkSQLite

/// An update of integer columns with a prepared statement, which is run for one row after another.
package final class KeyUpdate {
  private let statement: Statement

  /// - Throws: ``StoreError`` if the table lacks a column.
  package init(
    of table: String,
    _ columns: [String],
    _ session: StoreSession
  ) throws(StoreError) {
    let setters = columns.enumerated().map { "\(SQLText.quoted($1)) = ?\($0 + 2)" }
    statement = try session.prepare(
      "UPDATE main.\(SQLText.quoted(table)) SET \(setters.joined(separator: ", ")) WHERE Z_PK = ?1"
    )
  }

  /// Sets the columns of the row with a key, in a batch.
  package func run(_ key: Int64, _ values: [Int64]) throws(StoreError) {
    try StoreError.sqlite { () throws(SQLiteError) in
      try statement.bind(.integer(key), at: 1)
      for (index, value) in values.enumerated() {
        try statement.bind(.integer(value), at: Int32(index) + 2)
      }
      try statement.run()
    }
  }
}
