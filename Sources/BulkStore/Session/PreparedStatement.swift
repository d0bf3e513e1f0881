internal import BulkSQLite

/// A statement that stays prepared, and is run with other values again and again.
final class PreparedStatement {
  private let statement: Statement

  init(_ sql: String, _ connection: Connection) throws(StoreError) {
    statement = try connection.prepare(sql)
  }

  func run(_ values: [SQLiteValue]) throws(StoreError) {
    try statement.bind(values)
    try statement.run()
  }

  /// The integer in the first column of its first row; `nil` if there is none.
  func integer(_ values: [SQLiteValue]) throws(StoreError) -> Int64? {
    try statement.bind(values)
    defer { statement.reset() }
    return try statement.nextInteger()
  }

  /// The same for a key, its only parameter.
  func integer(of key: Int64) throws(StoreError) -> Int64? {
    try statement.bind(.integer(key), at: 1)
    defer { statement.reset() }
    return try statement.nextInteger()
  }
}
