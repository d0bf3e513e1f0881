/// Finds rows of a table by their keys, and values in their records.
///
/// Where many keys are looked for and no values are read, the keys of all rows are listed.
final class KeyedRows {
  /// The size of the largest record that is read, in bytes.
  private static let largestRecord = 1 << 16
  /// The lookups before keys are listed.
  private static let lookups = 4096
  /// The greatest size of a list in bytes, with a bit for each key.
  private static let listBytes = 1 << 21

  private let records: SourceRecords
  private let readsValues: Bool
  private let hasConditions: Bool
  /// The key that was looked for last.
  private var key: Int64?
  /// A copy of the record with the key; `nil` if there is none.
  private var record: UnsafeRawBufferPointer?
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var lookups = 0
  private var list: KeySet?

  /// Looks for rows of a table and reads some of their columns; `nil` if the file cannot be read.
  init?(_ related: RecordProgram.Related, columns: [Int]) {
    let (table, database) = (related.table, related.table.database)
    let records = SourceRecords(
      TreeCursor(table.root, of: database.file, keepingPagesIn: database.pages),
      columns: columns,
      where: related.conditions,
      largestRecord: Self.largestRecord
    )
    guard let records else { return nil }
    self.records = records
    readsValues = !columns.isEmpty
    hasConditions = !related.conditions.isEmpty
  }

  deinit { buffer.deallocate() }

  /// The value of a column of the row with a key: NULL if there is none, `nil` if it is odd.
  func value(
    of column: Int,
    as kind: RecordProgram.Kind,
    ofRow key: Int64
  ) -> RecordValue? {
    guard let exists = exists(key) else { return nil }
    guard exists, let record else { return .null }
    return records.value(of: column, as: kind, record)
  }

  /// Whether there is a row with a key; `nil` if its record cannot be read.
  func exists(_ key: Int64) -> Bool? {
    if let list { return list.contains(key) }
    if self.key != key {
      self.key = nil
      guard (try? find(key)) == true else { return nil }
      self.key = key
    }
    let exists = record != nil
    lookups += 1
    if lookups == Self.lookups, !readsValues { list = allKeys() }
    return exists
  }

  /// Looks for a row.
  ///
  /// - Returns: Whether its record, if there is one, can be read.
  private func find(_ key: Int64) throws(TreeDamage) -> Bool {
    record = nil
    try records.cursor.seek(key)
    guard let row = try records.cursor.next(), row.key == key else { return true }
    guard let bytes = try records.record(of: row), let isTaken = try records.open(key, bytes) else {
      return false
    }
    if isTaken { record = copy(bytes) }
    return true
  }

  /// A copy of a record, since other pages may take the place of its own.
  private func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    if buffer.count < bytes.count {
      buffer.deallocate()
      buffer = .allocate(byteCount: max(bytes.count, 512), alignment: 16)
    }
    let target = UnsafeMutableRawBufferPointer(rebasing: buffer[..<bytes.count])
    target.copyMemory(from: bytes)
    return UnsafeRawBufferPointer(target)
  }

  /// The keys of all rows; `nil` if they are too many, or one cannot be read.
  private func allKeys() -> KeySet? {
    var list = KeySet(within: Self.listBytes)
    key = nil
    do throws(TreeDamage) {
      try records.cursor.seek(.min)
      while let row = try records.cursor.next() {
        if hasConditions {
          guard let bytes = try records.record(of: row),
            let isTaken = try records.open(row.key, bytes)
          else { return nil }
          if !isTaken { continue }
        }
        if !list.insert(row.key) { return nil }
      }
      return list
    } catch {
      return nil
    }
  }
}
