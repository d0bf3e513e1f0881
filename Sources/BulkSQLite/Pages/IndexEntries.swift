/// Gathers the entries of a table's indexes over integers, row by row.
final class IndexEntries {
  /// The columns of the indexes by their numbers in the table, each once.
  let columns: [Int]
  /// The same columns, but for the one that is another name of the row id.
  private let stored: UnsafeMutableBufferPointer<(slot: Int, column: Int)>
  /// The index of that one in ``columns``.
  private let keySlot: Int?
  /// The columns of each index, by their indexes in ``columns``.
  private let terms: [[(slot: Int, descends: Bool)]]
  private var sorters: [EntrySorter?]
  /// The words of the columns of the last rows, column by column, and then of the row ids.
  private let batch: UnsafeMutablePointer<UInt64>
  private var count = 0
  /// The columns, by their indexes in ``columns``, with values that cannot be sorted.
  private var refused: UInt64 = 0

  static let mostColumns = 64
  private static var batchSize: Int { EntrySorter.batchSize }

  /// Gathers the entries of indexes with no more than ``mostColumns`` columns together, and sorts within some bytes
  /// of memory; those of some are read from indexes of the source, if they are the same.
  init(
    of indexes: [TableInfo.Index],
    _ table: TableInfo,
    copying sources: [SourceIndex?],
    memory: Int,
    beside path: String
  ) {
    var columns: [Int] = []
    for column in indexes.flatMap(\.columns) where !columns.contains(column) {
      columns.append(column)
    }
    self.columns = columns
    let slots = columns.enumerated().filter { $0.element != table.key }
    stored = .allocate(capacity: slots.count)
    _ = stored.initialize(from: slots.map { (slot: $0.offset, column: $0.element) })
    keySlot = table.key.flatMap { columns.firstIndex(of: $0) }
    terms = indexes.map { index in
      zip(index.columns, index.descends).map { column, descends in
        (slot: columns.firstIndex(of: column) ?? 0, descends: descends)
      }
    }
    sorters = indexes.enumerated().map { slot, index in
      EntrySorter(
        columns: index.columns.count,
        memory: memory / indexes.count,
        beside: path,
        copied: sources.isEmpty ? nil : sources[slot].map { CopiedEntries(of: index, from: $0) }
      )
    }
    batch = .allocate(capacity: (columns.count + 1) * Self.batchSize)
  }

  deinit {
    batch.deallocate()
    stored.deallocate()
  }

  /// Sets the word of a column of the next row, as ``EntryOrder`` has it for values that ascend.
  @inline(__always)
  private func set(_ slot: Int, _ word: UInt64) { batch[slot * Self.batchSize + count] = word }

  /// Abandons all indexes over some columns, each by the bit of its index in ``columns``.
  @inline(__always)
  private func refuse(_ slots: UInt64) { refused |= slots }

  /// Adds the next row, which follows all rows before, with its record.
  @inline(__always)
  func add(_ row: Int64, _ record: borrowing RecordBuilder) throws(SQLiteError) {
    for (slot, column) in stored {
      if let word = record.word(at: column) {
        set(slot, word)
      } else {
        refuse(1 << UInt64(slot))
      }
    }
    try add(row)
  }

  /// A value is not an integer in its cell.
  struct NoInteger: Error {}

  /// Adds the next row, which follows all rows before, with the number of its record's values that were found and whether
  /// it has no more; throws ``NoInteger`` unless all values are integers or NULL that lie in the cell.
  func add(
    _ row: Int64,
    _ record: UnsafeRawBufferPointer,
    _ fields: borrowing RecordFields,
    _ found: Int,
    areAll: Bool
  ) throws {
    for (slot, column) in stored {
      guard column < found || areAll else { throw NoInteger() }
      let field = column < found ? fields.all[column] : RecordField()
      guard field.type == 0 || field.isInteger && field.start + field.length <= record.count else {
        throw NoInteger()
      }
      let value = field.number(record)
      if value == .min { refuse(1 << UInt64(slot)) }
      set(slot, value.map { EntryOrder.word(of: $0) } ?? 0)
    }
    try add(row)
  }

  /// Adds the next row, which follows all rows before, with the words that were set.
  @inline(__always)
  private func add(_ row: Int64) throws(SQLiteError) {
    let word = EntryOrder.word(of: row)
    if let keySlot {
      set(keySlot, word)
      if row == .min { refuse(1 << UInt64(keySlot)) }
    }
    set(columns.count, word)
    count += 1
    if count == Self.batchSize { try pack() }
  }

  /// The sorted entries of an index, to which nothing may be added any more; `nil` if they cannot be sorted, or were
  /// taken.
  func take(_ index: Int) throws(SQLiteError) -> EntrySorter? {
    try pack()
    let sorter = sorters[index]
    sorters[index] = nil
    return sorter?.canSort == true ? sorter : nil
  }

  private func pack() throws(SQLiteError) {
    for index in sorters.indices {
      guard let sorter = sorters[index] else { continue }
      guard terms[index].allSatisfy({ refused & (1 << UInt64($0.slot)) == 0 }) else {
        sorter.refuse()
        continue
      }
      for (field, term) in terms[index].enumerated() {
        let (from, to) = (batch + term.slot * Self.batchSize, sorter.batch(ofField: field))
        if term.descends {
          for row in 0..<count { to[row] = ~from[row] }
        } else {
          to.update(from: from, count: count)
        }
      }
      let rows = sorter.batch(ofField: terms[index].count)
      rows.update(from: batch + columns.count * Self.batchSize, count: count)
      try sorter.add(count)
    }
    count = 0
  }
}
