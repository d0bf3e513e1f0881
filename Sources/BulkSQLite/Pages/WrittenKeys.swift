/// The keys of tables that were written as pages, and those that their columns refer to.
///
/// It knows nothing of tables that another process wrote in part, that SQLite wrote, or that are too large.
package final class WrittenKeys {
  private struct Column: Hashable {
    let table: String
    let name: String
  }

  private let memory: Int
  private var tables: [String: KeySet] = [:]
  private var columns: [Column: KeySet] = [:]

  /// - Parameter memory: The bytes for all sets.
  init(memory: Int) { self.memory = memory }

  /// A set with half of the memory that is left; the sets of a table and of a column are filled at a time.
  func makeSet() -> KeySet {
    let used =
      tables.values.reduce(0) { $0 + $1.bytes } + columns.values.reduce(0) { $0 + $1.bytes }
    return KeySet(within: (memory - used) / 2)
  }

  /// Keeps the keys of all rows of a table.
  func keep(_ keys: KeySet?, ofTable table: String) { tables[table] = keys }

  /// Keeps the values of all rows in a column of a table.
  func keep(_ keys: KeySet?, ofTable table: String, column: String) {
    columns[Column(table: table, name: column)] = keys
  }

  /// Forgets a table, which gets more rows.
  package func forget(_ table: String) {
    tables[table] = nil
    columns = columns.filter { $0.key.table != table }
  }

  /// Whether it is known that all values of a column are keys of a table.
  package func lead(from column: String, of table: String, to target: String) -> Bool {
    guard let values = columns[Column(table: table, name: column)], let keys = tables[target] else {
      return false
    }
    return values.isSubset(of: keys)
  }
}
