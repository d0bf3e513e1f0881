internal import BulkSQLite

extension PersistentStore {
  /// The number of rows in which an entity number is none of those that are expected although the key
  /// beside it leads to an object.
  ///
  /// The rows are read once for all columns of a table, and no index is asked.
  ///
  /// - Parameters:
  ///   - columns: The columns with entity numbers.
  ///   - table: Their table.
  /// - Returns: The numbers, in the order of the columns.
  /// - Throws: ``StoreError`` if the table cannot be read.
  package func unexpectedNumbers(
    _ columns: [StoredEntity],
    in table: String
  ) throws(StoreError) -> [Int64] {
    guard !columns.isEmpty else { return [] }
    let counts = columns.map { column in
      let (key, number) = (SQLText.quoted(column.keyColumn), SQLText.quoted(column.column))
      // Unlike AND, CASE looks up no object where it need not.
      return "ifnull(sum(CASE WHEN s.\(key) IS NOT NULL AND (s.\(number) IS NULL OR s.\(number) "
        + "NOT IN (\(ColumnExpression.list(column.expected)))) THEN EXISTS (SELECT 1 FROM "
        + "\(SQLText.quoted(column.target)) AS p WHERE p.Z_PK = s.\(key) "
        + "AND p.Z_ENT IN (\(ColumnExpression.list(column.kept)))) END), 0)"
    }
    return try StoreError.sqlite { () throws(SQLiteError) in
      let statement = try connection.prepare(
        "SELECT \(counts.joined(separator: ", ")) FROM \(SQLText.quoted(table)) AS s NOT INDEXED"
      )
      guard try statement.step() else { return [] }
      return columns.indices.map { statement.int64(at: Int32($0)) }
    }
  }
}
