/// What is known of the rows of tables that were written as pages: their keys, the integers in their indexed
/// columns, and the columns that are never NULL.
///
/// It knows nothing of tables that another process wrote in part or that SQLite wrote, and no keys of tables
/// that are too large. Columns may have changed since.
package final class WrittenRows {
  private struct Column: Hashable {
    let table: String
    let name: String
  }

  private let memory: Int
  private var tables: [String: KeySet] = [:]
  private var columns: [Column: KeySet] = [:]
  /// The columns without NULL.
  private var filled: Set<Column> = []

  /// - Parameter memory: The bytes for all sets.
  init(memory: Int) { self.memory = memory }

  /// A set with a share of half of the memory that is left; the sets of tables and of a column are filled at a time.
  ///
  /// - Parameter others: The number of other tables whose sets are filled meanwhile.
  /// - Returns: The set.
  func makeSet(besides others: Int = 0) -> KeySet {
    let used =
      tables.values.reduce(0) { $0 + $1.bytes } + columns.values.reduce(0) { $0 + $1.bytes }
    return KeySet(within: (memory - used) / 2 / max(others + 1, 1))
  }

  /// Keeps the keys of all rows of a table.
  func keep(_ keys: KeySet?, ofTable table: String) { tables[table] = keys }

  /// Keeps the values of all rows in a column of a table.
  func keep(_ keys: KeySet?, ofTable table: String, column: String) {
    columns[Column(table: table, name: column)] = keys
  }

  /// Keeps the columns of a table in which no row has NULL.
  func keep(withoutNull columns: [String], ofTable table: String) {
    for column in columns { filled.insert(Column(table: table, name: column)) }
  }

  /// Forgets a table, which gets more rows.
  package func forget(_ table: String) {
    tables[table] = nil
    columns = columns.filter { $0.key.table != table }
    filled = filled.filter { $0.table != table }
  }

  /// Whether it is known that a column of a table is NULL in none of its rows.
  package func haveNoNull(in column: String, of table: String) -> Bool {
    filled.contains(Column(table: table, name: column))
  }

  /// Whether it is known that all values of a column are keys of a table.
  package func lead(from column: String, of table: String, to target: String) -> Bool {
    guard let values = columns[Column(table: table, name: column)], let keys = tables[target] else {
      return false
    }
    return values.isSubset(of: keys)
  }
}
