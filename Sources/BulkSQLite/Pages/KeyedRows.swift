/// Finds rows of a source table by their keys, and values in their records.
final class KeyedRows {
  /// The size of the largest record that is read, in bytes.
  private static let largestRecord = 1 << 16

  private let records: SourceRecords
  /// The key that was looked for last.
  private var key: Int64?
  /// The record with the key; `nil` if there is none.
  private var record: UnsafeRawBufferPointer?

  /// The rows of a table, of which some columns are read; `nil` if the file cannot be read.
  init?(_ table: SourceTable, columns: [Int]) {
    let records = SourceRecords(
      of: table,
      columns: columns,
      largestRecord: Self.largestRecord,
      keepsPages: true
    )
    guard let records else { return nil }
    self.records = records
  }

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
    if self.key != key {
      self.key = nil
      guard (try? find(key)) == true else { return nil }
      self.key = key
    }
    return record != nil
  }

  /// Looks for a row.
  ///
  /// - Returns: Whether its record, if there is one, can be read.
  private func find(_ key: Int64) throws(TreeDamage) -> Bool {
    record = nil
    try records.cursor.seek(key)
    guard let row = try records.cursor.next(), row.key == key else { return true }
    guard let bytes = try records.record(of: row), try records.open(key, bytes) == true else {
      return false
    }
    record = bytes
    return true
  }
}
