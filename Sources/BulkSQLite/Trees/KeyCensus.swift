/// The keys of tables and the integers in some of their columns, which a check collects while it
/// reads every record.
///
/// A set that does not fit is unknown.
package final class KeyCensus {
  fileprivate struct Column {
    /// The integers; `nil` if they do not fit into memory.
    var values: KeySet?
    /// Whether some value is neither an integer nor NULL.
    var hasOthers = false
    var hasNull = false
  }

  final class Table {
    fileprivate let names: [String]
    fileprivate var keys: KeySet?
    fileprivate var columns: [Column]

    fileprivate init(_ names: [String], within bytes: Int) {
      self.names = names
      keys = KeySet(within: bytes)
      columns = names.map { _ in Column(values: KeySet(within: bytes)) }
    }

    @inline(__always)
    func add(key: Int64) { if keys?.insert(key) == false { keys = nil } }

    @inline(__always)
    func add(_ value: Int64, in column: Int) {
      if columns[column].values?.insert(value) == false { columns[column].values = nil }
    }

    func addNull(in column: Int) { columns[column].hasNull = true }

    func addOther(in column: Int) { columns[column].hasOthers = true }
  }

  private let wanted: [String: [String]]
  private let bytesPerSet: Int
  private var tables: [String: Table] = [:]

  /// Notes columns that will be looked up, by table, in some bytes of memory for all sets.
  package init(_ columns: [String: Set<String>], memory: Int) {
    wanted = columns.mapValues { $0.sorted() }
    bytesPerSet = memory / max(columns.values.reduce(0) { $0 + $1.count + 1 }, 1)
  }

  /// The indexes are those of the wanted columns; `nil` if none is wanted.
  func begin(_ name: String, _ columns: [String]) -> (table: Table, indexes: [Int])? {
    guard let names = wanted[name] else { return nil }
    let indexes = names.map { name in
      columns.firstIndex { $0.uppercased() == name.uppercased() } ?? columns.count
    }
    let table = Table(names, within: bytesPerSet)
    tables[name] = table
    return (table, indexes)
  }

  /// Whether all values of a column are known to be NULL or keys of a table.
  package func leads(from column: String, of table: String, to target: String) -> Bool {
    guard let column = known(column, of: table), !column.hasOthers, let values = column.values,
      let keys = tables[target]?.keys
    else { return false }
    return values.isSubset(of: keys)
  }

  /// Whether all values of a column are known to be among some integers, and not NULL.
  package func isAmong(_ numbers: Set<Int64>, _ column: String, of table: String) -> Bool {
    guard let column = known(column, of: table), !column.hasOthers, !column.hasNull,
      let values = column.values
    else { return false }
    var allowed = KeySet(within: bytesPerSet)
    for number in numbers where !allowed.insert(number) { return false }
    return values.isSubset(of: allowed)
  }

  private func known(_ column: String, of table: String) -> Column? {
    guard let table = tables[table], let index = table.names.firstIndex(of: column) else {
      return nil
    }
    return table.columns[index]
  }
}
