internal import BulkModel
internal import BulkSQLite
internal import BulkStore

/// The rows of a table in two numbers: how many there are, and a sum over all of them that does not depend on
/// their order.
package struct TableSum: Codable, Hashable, Sendable {
  /// The name of the table in the file.
  package var table: String
  /// The number of its rows.
  package var rows: Int64
  /// The sum of the digests of all rows with their keys, modulo 2⁶⁴, in hexadecimal.
  package var sum: String
}

extension PersistentStore {
  /// The sums of all tables of a model and of all unmanaged tables, in the order of the model.
  ///
  /// The names and the order of columns count, those of indexes do not. It reports the rows read
  /// since; an error of the report ends the work.
  func sums(
    of model: ManagedObjectModel,
    _ report: (Int64) throws -> Void
  ) throws -> [TableSum] {
    try layout(for: model).comparedTables.map { try sum(of: $0, report) }
  }

  private func sum(of table: ComparedTable, _ report: (Int64) throws -> Void) throws -> TableSum {
    let statement = try connection.prepare(table.sql)
    var (sum, rows): (UInt64, Int64) = (0, 0)
    while try statement.step() {
      var row: UInt64 = 0
      for column in table.columns {
        // The column's place keeps equal values of two columns apart.
        let value = try digest(of: column, in: table, statement)
        row = (row &* 31 &+ value) &* 0x9E37_79B9_7F4A_7C15
      }
      sum &+= row
      rows += 1
      if rows.isMultiple(of: 16_384) { try report(16_384) }
    }
    try report(rows % 16_384)
    return TableSum(table: table.name, rows: rows, sum: String(sum, radix: 16))
  }

  private func digest(
    of column: ComparedTable.Column,
    in table: ComparedTable,
    _ row: borrowing Statement
  ) throws(StoreError) -> UInt64 {
    guard let place = table.place(ofLong: column, in: row) else {
      return row.digest(at: column.index)
    }
    return try connection.digest(ofValueAt: place)
  }
}
