/// Puts the records of a table's rows into its tree, and collects facts about all rows.
final class TableFill {
  private let definition: TableInfo
  private let tree: TableTree
  private let path: String
  /// The entries of the indexes of all rows; `nil` if some must be read from the file, such as those of another process.
  private(set) var entries: IndexEntries?
  /// The keys of all rows but the last ones, which follow one another; `nil` if they are unknown.
  private var keys: KeySet?
  private var lastKeys: ClosedRange<Int64>?
  private let isWhole: Bool

  /// Begins a table, or continues it; the entries of some indexes are read from those of the source, if they are the same.
  init(
    _ definition: TableInfo,
    _ writer: PageWriter,
    copying sources: [SourceIndex?]
  ) throws(SQLiteError) {
    self.definition = definition
    path = writer.path
    tree = try TableTree(root: definition.root, try writer.file(), path: path)
    isWhole = tree.lastKey == nil
    if isWhole {
      if !definition.indexes.isEmpty {
        entries = writer.entries(of: definition.indexes, definition, copying: sources)
      }
      keys = writer.makeSet()
    }
  }

  var lastKey: Int64? { tree.lastKey }

  /// Throws also if its key does not follow the last one.
  @inline(__always)
  func put(_ key: Int64, _ record: inout RecordBuilder) throws(SQLiteError) {
    guard try tree.append(key, record.record()) else {
      throw SQLiteError(
        .corrupt,
        message: "the rows for \(definition.name) do not ascend: key \(key) follows "
          + "\(tree.lastKey ?? key)",
        path: path
      )
    }
    if let first = lastKeys?.lowerBound, lastKeys?.upperBound == key &- 1 {
      lastKeys = first...key
    } else {
      keepLastKeys()
      lastKeys = key...key
    }
    try entries?.add(key, record)
  }

  private func keepLastKeys() {
    guard let lastKeys else { return }
    if keys?.insert(lastKeys) == false { keys = nil }
  }

  func store() throws(SQLiteError) { try tree.store() }

  /// Keeps the facts about all rows, which are complete.
  ///
  /// There is a bit for each column with a NULL; the last one is that of all further columns.
  func finish(nulls: UInt64, _ written: WrittenRows) {
    guard isWhole else { return }
    keepLastKeys()
    lastKeys = nil
    written.keep(keys, ofTable: definition.name)
    let columns = definition.columns.prefix(63).enumerated()
    written.keep(
      withoutNull: columns.filter { nulls & (1 << UInt64($0.offset)) == 0 }.map(\.element.name),
      ofTable: definition.name
    )
  }
}

/// The facts about the rows of tables that were written as pages: their keys, the integers in their
/// indexed columns, and the columns that are never NULL.
///
/// It excludes tables that SQLite or, in part, another process wrote, and the keys of tables that
/// are too large and have gaps. Columns may have changed since.
package final class WrittenRows {
  private struct Column: Hashable {
    let table: String
    let name: String
  }

  private let memory: Int
  private var tables: [String: KeySet] = [:]
  private var columns: [Column: ColumnValues] = [:]
  private var filled: Set<Column> = []

  /// In bytes.
  init(memory: Int) { self.memory = memory }

  /// A set with a share of half of the memory that is left; the sets of other tables and of a column are filled at
  /// a time.
  func makeSet(with others: Int = 0) -> KeySet {
    let used =
      tables.values.reduce(0) { $0 + $1.bytes } + columns.values.reduce(0) { $0 + $1.bytes }
    return KeySet(within: (memory - used) / 2 / max(others + 1, 1))
  }

  func keep(_ keys: KeySet?, ofTable table: String) { tables[table] = keys }

  func keep(_ values: ColumnValues, ofTable table: String, column: String) {
    columns[Column(table: table, name: column)] = values
  }

  func keep(withoutNull columns: [String], ofTable table: String) {
    for column in columns { filled.insert(Column(table: table, name: column)) }
  }

  /// Forgets a table, which gets more rows.
  package func forget(_ table: String) {
    tables[table] = nil
    columns = columns.filter { $0.key.table != table }
    filled = filled.filter { $0.table != table }
  }

  package func haveNoNull(in column: String, of table: String) -> Bool {
    filled.contains(Column(table: table, name: column))
  }

  /// Whether all values of a column are known to be keys of a table.
  package func lead(from column: String, of table: String, to target: String) -> Bool {
    guard let values = columns[Column(table: table, name: column)], let keys = tables[target] else {
      return false
    }
    return values.isSubset(of: keys)
  }
}

/// The values in a column: the least and the greatest one, and all of them while there is space.
struct ColumnValues {
  private var all: KeySet?
  private var bounds: ClosedRange<Int64>?

  /// No values, to be kept in an empty set.
  init(in set: KeySet) { all = set }

  var bytes: Int { all?.bytes ?? 0 }

  @inline(__always)
  mutating func insert(_ value: Int64) {
    bounds = min(bounds?.lowerBound ?? value, value)...max(bounds?.upperBound ?? value, value)
    if all?.insert(value) == false { all = nil }
  }

  /// Whether all values are known to be among some keys, as they are between the ends of a run.
  func isSubset(of keys: KeySet) -> Bool {
    guard let bounds else { return true }
    return keys.isRun(over: bounds) || all?.isSubset(of: keys) == true
  }
}
