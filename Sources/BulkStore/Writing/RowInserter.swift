internal import BulkSQLite

/// Inserts rows of one table through one prepared statement.
package final class RowInserter {
  /// The number of values of a row.
  let columnCount: Int
  private let statement: Statement

  init(_ connection: Connection, into table: String, columns: [String]) throws(SQLiteError) {
    precondition(!columns.isEmpty, "a row has at least one value")
    let names = columns.map { SQLText.quoted($0) }.joined(separator: ", ")
    let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    statement = try connection.prepare(
      "INSERT INTO main.\(SQLText.quoted(table)) (\(names)) VALUES (\(parameters))"
    )
    columnCount = columns.count
  }

  func insert(_ values: [SQLiteValue]) throws(SQLiteError) {
    var parameter: Int32 = 1
    for value in values {
      try statement.bind(value, at: parameter)
      parameter += 1
      if parameter > columnCount {
        try statement.run()
        parameter = 1
      }
    }
  }
}
