/// Gathers the entries of an index from the rows of its table.
final class IndexEntries {
  private let columns: [Int]
  private let descends: [Bool]
  /// The column that is another name of the row id.
  private let key: Int?
  /// The entries.
  let sorter: EntrySorter
  private var canSort = true

  /// - Parameters:
  ///   - index: The index.
  ///   - table: Its table.
  ///   - memory: The bytes for sorting.
  ///   - path: The file beside which sorted runs are kept.
  init(of index: TableDefinition.Index, _ table: TableDefinition, memory: Int, beside path: String)
  {
    columns = index.columns
    descends = index.descends
    key = table.key
    sorter = EntrySorter(columns: columns.count, memory: memory, beside: path)
  }

  /// Adds the entry of a row, which follows all rows before.
  @inline(__always)
  func add(_ row: Int64, _ record: borrowing RecordBuilder) throws(SQLiteError) {
    guard canSort else { return }
    for place in columns.indices {
      let column = columns[place]
      guard
        let value = column == key ? row : record.integer(at: column),
        let word = EntryOrder.word(of: value, descends: descends[place])
      else {
        guard column != key, record.isNull(at: column) else { return refuse() }
        sorter.set(place, descends[place] ? .max : 0)
        continue
      }
      sorter.set(place, word)
    }
    sorter.set(columns.count, EntryOrder.word(of: row))
    try sorter.add()
  }

  /// Adds the entry of a row by its values; `nil` is NULL.
  func add(_ row: Int64, _ values: UnsafeBufferPointer<Int64?>) throws(SQLiteError) {
    guard canSort else { return }
    for place in columns.indices {
      guard let word = EntryOrder.word(of: values[place], descends: descends[place]) else {
        return refuse()
      }
      sorter.set(place, word)
    }
    sorter.set(columns.count, EntryOrder.word(of: row))
    try sorter.add()
  }

  private func refuse() {
    canSort = false
    sorter.refuse()
  }
}
