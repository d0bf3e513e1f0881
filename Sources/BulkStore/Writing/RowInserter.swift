internal import BulkSQLite

/// Inserts rows of one table through one prepared statement.
final class RowInserter {
  var columnCount: Int { columns.count }
  private let connection: Connection
  private let statement: Statement
  private let table: String
  private let columns: [String]
  private let texts = BoundTexts()

  init(into table: String, _ columns: [String], _ session: StoreSession) throws(StoreError) {
    precondition(!columns.isEmpty, "a row has at least one value")
    let names = columns.map { SQLText.quoted($0) }.joined(separator: ", ")
    let parameters = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    statement = try session.prepare(
      "INSERT INTO main.\(SQLText.quoted(table)) (\(names)) VALUES (\(parameters))"
    )
    connection = session.connection
    self.table = table
    self.columns = columns
  }

  /// The values are given one row after another.
  func insert(_ values: [SQLiteValue]) throws(StoreError) {
    var start = 0
    while start < values.count {
      try insert(row: values[start..<(start + columnCount)])
      start += columnCount
    }
  }

  private func insert(row: ArraySlice<SQLiteValue>) throws(StoreError) {
    if row.contains(where: { if case .streamed = $0 { true } else { false } }) {
      return try insertStreaming(row)
    }
    texts.removeAll()
    for index in row.indices {
      let parameter = Int32(index - row.startIndex) + 1
      try statement.bind(row[index], at: parameter, with: texts)
    }
    try statement.run()
  }

  private func insertStreaming(_ row: ArraySlice<SQLiteValue>) throws(StoreError) {
    var later: [(column: String, value: SQLiteValue)] = []
    // SQLite applies its limit to zeroblobs too, although it does not hold them.
    try connection.withoutValueLimit { () throws(StoreError) in
      for (value, column) in zip(row, columns.indices) {
        let parameter = Int32(column) + 1
        switch value {
        // SQLite keeps a zeroblob out of memory only if no other bytes follow it in the record.
        case .blob(let bytes) where !later.isEmpty:
          later.append((columns[column], value))
          try statement.bind(zeros: bytes.count, at: parameter)
        case .streamed:
          later.append((columns[column], value))
          try statement.bind(value, at: parameter)
        case .null, .integer, .real, .text, .blob: try statement.bind(value, at: parameter)
        }
      }
      try statement.run()
    }
    let key = connection.lastInsertedKey
    for (column, value) in later { try fill(column, of: key, with: value) }
  }

  /// Writes the bytes of a column of an existing row for which it has a zeroblob.
  private func fill(_ column: String, of key: Int64, with value: SQLiteValue) throws(StoreError) {
    let location = BlobHandle.Location(schema: "main", table: table, column: column, key: key)
    switch value {
    case .blob(let bytes): try connection.write(bytes, to: location)
    case .streamed(let value):
      try connection.write(value.prefix, to: location)
      try connection.copyValue(
        to: location,
        at: value.prefix.count,
        from: value.source,
        skipping: value.skipped
      )
    case .null, .integer, .real, .text: break
    }
  }
}

/// An update of integer columns with a prepared statement, which is run for one row after another.
package final class KeyUpdate {
  private let statement: Statement

  package init(of table: String, _ columns: [String], _ session: StoreSession) throws(StoreError) {
    let setters = columns.enumerated().map { "\(SQLText.quoted($1)) = ?\($0 + 2)" }
    statement = try session.prepare(
      "UPDATE main.\(SQLText.quoted(table)) SET \(setters.joined(separator: ", ")) WHERE Z_PK = ?1"
    )
  }

  package func run(_ key: Int64, _ values: [Int64]) throws(StoreError) {
    try statement.bind(.integer(key), at: 1)
    for (index, value) in values.enumerated() {
      try statement.bind(.integer(value), at: Int32(index) + 2)
    }
    try statement.run()
  }
}
