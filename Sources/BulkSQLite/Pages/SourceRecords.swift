/// Reads the records of a source table, and finds the values of some columns in them.
final class SourceRecords {
  let cursor: TreeCursor
  private let found: RecordFields
  /// The values of the current record, by column.
  let fields: UnsafeMutableBufferPointer<RecordField>
  private let conditions: RecordConditions
  /// Conditions that are computed.
  private let tests: [RecordMachine]
  private let largestRecord: Int
  private var whole: UnsafeMutableRawBufferPointer?

  /// The largest record is in bytes; `nil` if the file cannot be read.
  init?(
    _ cursor: TreeCursor?,
    columns: [Int],
    where conditions: [RecordCopy.Condition] = [],
    and tests: [RecordProgram] = [],
    largestRecord: Int
  ) {
    let machines = tests.compactMap { RecordMachine($0) }
    guard machines.count == tests.count,
      let cursor
    else { return nil }
    self.cursor = cursor
    self.largestRecord = largestRecord
    self.conditions = RecordConditions(conditions)
    self.tests = machines
    let asked = columns + conditions.map(\.column) + tests.flatMap(\.columns)
    found = RecordFields(first: 1 + (asked.max() ?? -1))
    fields = found.all
  }

  deinit { whole?.deallocate() }

  /// Returns whether the row satisfies the conditions; `nil` if SQL must decide that.
  @inline(__always)
  func open(_ key: Int64, _ bytes: UnsafeRawBufferPointer) throws(TreeDamage) -> Bool? {
    try find(in: bytes)
    for condition in conditions.all {
      guard let holds = holds(condition, bytes) else { return nil }
      if !holds { return false }
    }
    for test in tests {
      guard let value = test.value(of: self, key, bytes) else { return nil }
      if !value.isTrue { return false }
    }
    return true
  }

  /// `nil` if it is too long to be held.
  @inline(__always)
  func record(of row: TreeCursor.Row) throws(TreeDamage) -> UnsafeRawBufferPointer? {
    if row.firstPage == 0 { return row.local }
    guard row.count <= largestRecord else { return nil }
    if (whole?.count ?? 0) < row.count {
      whole?.deallocate()
      whole = .allocate(byteCount: row.count, alignment: 16)
    }
    guard let whole else { return nil }
    let target = whole.part(0..<row.count)
    try cursor.read(row, into: target)
    return UnsafeRawBufferPointer(target)
  }

  @inline(__always)
  private func find(in record: UnsafeRawBufferPointer) throws(TreeDamage) {
    let (count, end, areAll) = try found.find(in: record)
    // Where the header ends, so must the values: SQLite refuses any other record.
    guard areAll ? end == record.count : end <= record.count else { throw TreeDamage() }
    var column = count
    while column < fields.count {
      fields[column] = RecordField()
      column += 1
    }
  }

  @inline(__always)
  func value(
    of column: Int,
    as kind: RecordProgram.Kind,
    _ bytes: UnsafeRawBufferPointer
  ) -> RecordValue? {
    guard let value = value(of: column, bytes)?.read(as: kind) else { return nil }
    if kind == .validText, case .text(let text) = value, !text.isValidText { return nil }
    return value
  }

  /// `nil` for a blob.
  @inline(__always)
  func value(of column: Int, _ bytes: UnsafeRawBufferPointer) -> RecordValue? {
    let field = fields[column]
    switch field.type {
    case 0: return .null
    case 7:
      let number = field.real(bytes)
      // SQLite reads what is not a number as NULL.
      return number.isNaN ? .null : .real(number)
    case 1..<10: return .integer(field.integer(bytes))
    default:
      guard field.isText else { return nil }
      return .text(bytes.part(field.start..<field.start + field.length))
    }
  }

  @inline(__always)
  private func holds(
    _ condition: RecordConditions.Condition,
    _ bytes: UnsafeRawBufferPointer
  ) -> Bool? {
    let field = fields[condition.column]
    guard let numbers = condition.numbers else { return (field.type == 0) == condition.isNull }
    if field.type == 0 { return false }
    return field.number(bytes).map { conditions.contains($0, in: numbers) }
  }
}

extension UnsafeRawBufferPointer {
  var isValidText: Bool {
    allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil
  }
}
