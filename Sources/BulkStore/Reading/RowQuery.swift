internal import BulkSQLite

/// Rows of a source table, read value by value.
///
/// The same connection as for a transfer is used, in which the source is called `source`.
package struct RowQuery: Hashable, Sendable {
  /// The table.
  package let table: String
  /// What is read of every row, after its key.
  package let columns: [SelectedColumn]
  /// What a row must satisfy.
  package let conditions: [RowTransfer.Condition]

  package init(
    _ table: String,
    _ columns: [SelectedColumn],
    where conditions: [RowTransfer.Condition] = []
  ) {
    self.table = table
    self.columns = columns
    self.conditions = conditions
  }

  /// The statement that reads the rows with keys from parameter 1 to parameter 2, at most as many
  /// as parameter 3, in ascending order.
  var sql: String {
    let values = (["s.rowid"] + columns.map(\.expression.sql)).joined(separator: ", ")
    let all = (["s.rowid BETWEEN ?1 AND ?2"] + conditions.map(\.sql)).joined(separator: " AND ")
    return "SELECT \(values) FROM source.\(SQLText.quoted(table)) AS s WHERE \(all) "
      + "ORDER BY s.rowid LIMIT ?3"
  }
}

/// The objects of a to-many relationship of one object after the other, read value by value.
package struct MemberQuery: Hashable, Sendable {
  /// Where the objects are found.
  package let source: MemberSource
  /// What is read of every object, after its key.
  package let columns: [SelectedColumn]

  package init(_ source: MemberSource, _ columns: [SelectedColumn]) {
    self.source = source
    self.columns = columns
  }

  /// The statement that reads the objects of the row with the key of parameter 1.
  var sql: String {
    let values = (["s.Z_PK"] + columns.map(\.expression.sql)).joined(separator: ", ")
    return "SELECT \(values) \(source.sql(ofRow: "?1", as: "s")) \(source.orderSQL(as: "s"))"
  }
}

/// A row that was read.
package struct SelectedRow: Hashable, Sendable {
  /// Its key.
  package let key: Int64
  /// The values of the columns that were asked for, in their order.
  package let values: [SelectedValue]
}

/// A query whose statement is ready to be run again and again.
package final class PreparedQuery {
  private let statement: Statement
  private let codings: [SelectedColumn.Coding]

  init(_ statement: consuming Statement, _ columns: [SelectedColumn]) {
    self.statement = statement
    codings = columns.map(\.coding)
  }

  /// The first rows of a range of keys.
  ///
  /// - Parameters:
  ///   - range: The keys.
  ///   - limit: The greatest number of rows.
  /// - Returns: The rows in ascending order of their keys.
  /// - Throws: ``StoreError`` if the source cannot be read.
  package func rows(_ range: ClosedRange<Int64>, limit: Int64) throws(StoreError) -> [SelectedRow] {
    try run([range.lowerBound, range.upperBound, limit])
  }

  /// The objects of the row with a key.
  package func members(of key: Int64) throws(StoreError) -> [SelectedRow] { try run([key]) }

  private func run(_ parameters: [Int64]) throws(StoreError) -> [SelectedRow] {
    do throws(SQLiteError) {
      defer { statement.reset() }
      for (index, value) in parameters.enumerated() {
        try statement.bind(.integer(value), at: Int32(index) + 1)
      }
      var rows: [SelectedRow] = []
      while try statement.step() { rows.append(row()) }
      return rows
    } catch {
      throw .sqlite(error)
    }
  }

  private func row() -> SelectedRow {
    SelectedRow(
      key: statement.int64(at: 0),
      values: codings.enumerated().map { $1.decoded(statement.value(at: Int32($0) + 1)) }
    )
  }
}
