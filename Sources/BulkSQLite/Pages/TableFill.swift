/// Puts the records of a table's rows into its tree, and keeps what is known of all rows.
final class TableFill {
  private let definition: TableDefinition
  private let tree: TableTree
  private let path: String
  /// The entries of the indexes of all rows; `nil` if some were written by another process.
  private var entries: IndexEntries?
  /// The keys of all rows but the last ones, which follow one another; `nil` if they are unknown.
  private var keys: KeySet?
  private var lastKeys: ClosedRange<Int64>?
  /// Whether all rows were put here.
  private let isWhole: Bool

  init(
    _ definition: TableDefinition,
    _ writer: PageWriter
  ) throws(SQLiteError) {
    self.definition = definition
    path = writer.path
    tree = try TableTree(root: definition.root, try writer.file(), path: path)
    isWhole = tree.lastKey == nil
    if isWhole {
      if !definition.indexes.isEmpty {
        entries = writer.entries(of: definition.indexes, definition)
      }
      keys = writer.makeSet()
    }
  }

  /// The key of the last row; `nil` if there is none.
  var lastKey: Int64? { tree.lastKey }

  /// Puts a row after all others.
  ///
  /// - Throws: ``SQLiteError`` if its key does not follow the last one, or the file cannot be written.
  @inline(__always)
  func put(_ key: Int64, _ record: inout RecordBuilder) throws(SQLiteError) {
    try append(key, record.record())
    try entries?.add(key, record)
  }

  @inline(__always)
  private func append(_ key: Int64, _ record: UnsafeRawBufferPointer) throws(SQLiteError) {
    guard try tree.append(key, record) else {
      throw SQLiteError(
        .constraint,
        message: "UNIQUE constraint failed: \(definition.name), key \(key) follows "
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
  }

  private func keepLastKeys() {
    guard let lastKeys else { return }
    for key in lastKeys where keys?.insert(key) == false {
      keys = nil
      return
    }
  }

  /// Stores the open pages.
  func store() throws(SQLiteError) { try tree.store() }

  /// The sorted entries of an index.
  ///
  /// - Returns: The entries, and whether all rows have theirs among them; if not, they must be read from the
  ///   file. They are `nil` if they cannot be sorted.
  /// - Throws: ``SQLiteError`` if they cannot be kept.
  func takeEntries(_ index: Int) throws(SQLiteError) -> (entries: EntrySorter?, areAll: Bool) {
    guard let entries else { return (nil, false) }
    return (try entries.take(index), true)
  }

  /// Keeps what is known of the rows, of which there are no more.
  ///
  /// - Parameters:
  ///   - nulls: A bit for each column with a NULL; the last one is that of all further columns.
  ///   - written: Where it is kept.
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
