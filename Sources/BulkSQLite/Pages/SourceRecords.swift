/// Reads the records of a source table, and finds the values of some columns in them.
final class SourceRecords {
  struct Place {
    var type: UInt64 = 0
    var start = 0
  }

  let cursor: TreeCursor
  /// The places of the values in the current record, by column.
  let places: UnsafeMutableBufferPointer<Place>
  private let conditions: RecordConditions
  /// Conditions that are computed.
  private let tests: [RecordMachine]
  private let columnsAsked: Int
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
    columnsAsked = 1 + ((columns + conditions.map(\.column) + tests.flatMap(\.columns)).max() ?? -1)
    places = .allocate(capacity: max(columnsAsked, 1))
    places.initialize(repeating: Place())
  }

  deinit {
    places.deallocate()
    whole?.deallocate()
  }

  /// Returns whether the row satisfies the conditions; `nil` if SQL must decide that.
  @inline(__always)
  func open(_ key: Int64, _ bytes: UnsafeRawBufferPointer) throws(TreeDamage) -> Bool? {
    try locate(bytes)
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
  private func locate(_ record: UnsafeRawBufferPointer) throws(TreeDamage) {
    let bytes = PageBytes(bytes: record)
    var offset = 0
    let size = try bytes.variable(at: &offset)
    guard size <= UInt64(record.count) else { throw TreeDamage() }
    let end = Int(size)
    var start = end
    var column = 0
    while column < columnsAsked, offset < end {
      let type = try bytes.variable(at: &offset)
      guard let known = SerialType(type) else { throw TreeDamage() }
      places[column] = Place(type: type, start: start)
      start += known.length
      column += 1
    }
    // Where the header ends, so must the values: SQLite refuses any other record.
    guard start <= record.count, offset < end || (offset == end && start == record.count) else {
      throw TreeDamage()
    }
    while column < columnsAsked {
      places[column] = Place()
      column += 1
    }
  }

  @inline(__always)
  func number(_ place: Place, _ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard place.type > 0, place.type < 10, place.type != 7, let type = SerialType(place.type) else {
      return nil
    }
    return type.integer(bytes, at: place.start)
  }

  func real(_ place: Place, _ bytes: UnsafeRawBufferPointer) -> Double {
    let bits = bytes.loadUnaligned(fromByteOffset: place.start, as: UInt64.self)
    return Double(bitPattern: UInt64(bigEndian: bits))
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
    let place = places[column]
    switch place.type {
    case 0: return .null
    case 7:
      let number = real(place, bytes)
      // SQLite reads what is not a number as NULL.
      return number.isNaN ? .null : .real(number)
    case 1..<10: return number(place, bytes).map { .integer($0) }
    default:
      guard !place.type.isMultiple(of: 2) else { return nil }
      let size = Int((place.type - 12) / 2)
      return .text(bytes.part(place.start..<place.start + size))
    }
  }

  @inline(__always)
  private func holds(
    _ condition: RecordConditions.Condition,
    _ bytes: UnsafeRawBufferPointer
  ) -> Bool? {
    let place = places[condition.column]
    guard let numbers = condition.numbers else { return (place.type == 0) == condition.isNull }
    if place.type == 0 { return false }
    return number(place, bytes).map { conditions.contains($0, in: numbers) }
  }
}

extension UnsafeRawBufferPointer {
  var isValidText: Bool {
    allSatisfy { $0 < 0x80 } || String(validating: self, as: UTF8.self) != nil
  }
}

extension RecordCopy.Condition {
  fileprivate var column: Int {
    switch self {
    case .isIn(let column, _), .isNull(let column), .isNotNull(let column): column
    }
  }
}
