/// Builds an index over integers from the entries of its table's rows.
struct IndexBuild {
  private let table: TableDefinition
  private let index: TableDefinition.Index
  private let path: String
  private let isStopped: () -> Bool

  private static let entriesBetweenChecks = 1 << 14

  /// - Parameters:
  ///   - table: The table, whose rows are committed.
  ///   - index: The index, which has no entries.
  ///   - path: The path of the file.
  ///   - isStopped: Called every few thousand entries; returns whether to stop.
  init(
    _ table: TableDefinition,
    _ index: TableDefinition.Index,
    path: String,
    _ isStopped: @escaping () -> Bool
  ) {
    self.isStopped = isStopped
    self.table = table
    self.index = index
    self.path = path
  }

  /// The name of its first column.
  var firstColumn: String { table.columns[index.columns[0]].name }

  /// Reads the entries from the rows in the file.
  ///
  /// - Returns: The entries; `nil` if they cannot be sorted.
  /// - Throws: ``SQLiteError`` if the file cannot be read.
  func gather(_ entries: IndexEntries, from file: PageFile) throws(SQLiteError) -> EntrySorter? {
    let scan = LeafScan(of: entries.columns, key: table.key, in: file, path: path)
    var count = 0
    let isInteger = try scan.each(in: table.root) { row, values throws(SQLiteError) in
      for place in values.indices {
        if values[place] == .min { entries.refuse(1 << UInt64(place)) }
        entries.set(place, values[place].map { EntryOrder.word(of: $0) } ?? 0)
      }
      try entries.add(row)
      try stopIfRequested(&count)
    }
    return isInteger ? try entries.take(0) : nil
  }

  /// Builds the index.
  ///
  /// - Parameters:
  ///   - entries: The entries of all rows.
  ///   - file: The file.
  ///   - keys: Gets the values of the first column, as long as it has room.
  /// - Returns: Its tree.
  /// - Throws: ``SQLiteError`` if the file cannot be read or written, or a key of a unique index is there
  ///   twice.
  func build(
    _ entries: EntrySorter,
    in file: PageFile,
    keys: inout KeySet?
  ) throws(SQLiteError) -> IndexTree {
    let tree = try IndexTree(root: index.root, file, path: path)
    let columns = index.columns.count
    var cell = IntegerCell(width: columns + 1, file.layout)
    var count = 0
    var former: UInt64?
    var found = keys
    let (descends, isUnique) = (index.descends, index.isUnique)
    try entries.each { words, isSame throws(SQLiteError) in
      cell.begin()
      var hasNull = false
      for column in 0..<columns {
        guard let value = EntryOrder.value(of: words[column], descends: descends[column]) else {
          hasNull = true
          cell.addNull()
          continue
        }
        cell.add(value)
        if column == 0, words[0] != former {
          former = words[0]
          if found?.insert(value) == false { found = nil }
        }
      }
      guard !isUnique || !isSame || hasNull else { throw conflict() }
      cell.add(EntryOrder.row(of: words[columns]))
      try tree.append(cell.cell())
      try stopIfRequested(&count)
    }
    keys = found
    return tree
  }

  private func stopIfRequested(_ count: inout Int) throws(SQLiteError) {
    count += 1
    guard count.isMultiple(of: Self.entriesBetweenChecks), isStopped() else { return }
    throw SQLiteError(.interrupted, message: "told to stop", path: path)
  }

  private func conflict() -> SQLiteError {
    let names = index.columns.map { "\(table.name).\(table.columns[$0].name)" }
    return SQLiteError(
      .constraint,
      message: "UNIQUE constraint failed: \(names.joined(separator: ", "))",
      path: path
    )
  }
}
