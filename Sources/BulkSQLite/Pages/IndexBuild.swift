/// Builds an index over integers from the rows of its table.
struct IndexBuild {
  private let table: TableDefinition
  private let index: TableDefinition.Index
  private let path: String
  private let memory: Int
  private let isStopped: () -> Bool

  private static let entriesBetweenQuestions = 1 << 14

  /// - Parameters:
  ///   - table: The table, whose rows are committed.
  ///   - index: The index, which has no entries.
  ///   - path: The path of the file.
  ///   - memory: The bytes for sorting.
  ///   - isStopped: Called every few thousand entries; returns whether to stop.
  init(
    _ table: TableDefinition,
    _ index: TableDefinition.Index,
    path: String,
    memory: Int,
    _ isStopped: @escaping () -> Bool
  ) {
    self.isStopped = isStopped
    self.table = table
    self.index = index
    self.path = path
    self.memory = memory
  }

  /// Builds the index.
  ///
  /// - Returns: Its tree; `nil` if a value is not an integer.
  /// - Throws: ``SQLiteError`` if the file cannot be read or written, or a key of a unique index is there
  ///   twice.
  func build(in file: PageFile) throws(SQLiteError) -> IndexTree? {
    let sorter = EntrySorter(index.descends, memory: memory, beside: path)
    let scan = LeafScan(of: index.columns, key: table.key, in: file, path: path)
    var canSort = true
    var count = 0
    let isInteger = try scan.each(in: table.root) { row, values throws(SQLiteError) in
      if canSort { canSort = try sorter.add(values, row) }
      try ask(&count)
    }
    guard isInteger, canSort else { return nil }
    let tree = try IndexTree(root: index.root, file, path: path)
    var builder = RecordBuilder(
      [ColumnAffinity](repeating: .integer, count: sorter.width),
      file.layout
    )
    let columns = index.descends.count
    var former = [UInt64](repeating: 0, count: columns)
    var hasFormer = false
    try sorter.each { entry throws(SQLiteError) in
      builder.begin()
      var isNew = !hasFormer
      for column in 0..<columns {
        let value = EntryOrder.value(of: entry[column], descends: index.descends[column])
        if let value { builder.add(value) } else { builder.addNull() }
        if former[column] != entry[column] || value == nil { isNew = true }
        former[column] = entry[column]
      }
      hasFormer = true
      guard isNew || !index.isUnique else { throw conflict() }
      builder.add(EntryOrder.row(of: entry[columns]))
      try tree.append(builder.record())
      try ask(&count)
    }
    return tree
  }

  private func ask(_ count: inout Int) throws(SQLiteError) {
    count += 1
    guard count.isMultiple(of: Self.entriesBetweenQuestions), isStopped() else { return }
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
