/// Makes the records of a table from those of the source, row by row.
package final class RecordCopier {
  /// What became of a source row.
  enum Outcome {
    /// It makes a row, whose record is in the builder.
    case row
    /// It makes none.
    case none
    /// Only SQL knows.
    case odd
  }

  /// A value that was found in a record.
  private struct Place {
    var type: UInt64 = 0
    var start = 0
  }

  let cursor: TreeCursor
  private let copy: RecordCopy
  private let affinities: UnsafeMutableBufferPointer<ColumnAffinity>
  /// The fields in the order of the destination's columns; `nil` for NULL.
  private let fields: [RecordCopy.Field?]
  /// The source column of each field that is one unchanged, or one of the two marks.
  private let sourceColumns: UnsafeMutableBufferPointer<Int>
  private static let isNull = -1
  private static let isOther = -2
  private let key: RecordCopy.Field?
  private let reals: Set<Int>
  private let places: UnsafeMutableBufferPointer<Place>
  /// The number of columns of which something is asked.
  private let columnsAsked: Int
  private let largestRecord: Int
  private var whole: UnsafeMutableRawBufferPointer?
  private let encoding: TextEncoding
  /// The key of the row in the builder; `nil` if the table has no column for it.
  private(set) var builtKey: Int64?

  init?(
    _ copy: RecordCopy,
    of source: SourceTable,
    to definition: TableDefinition,
    at columnPlaces: [Int32?],
    key keyPlace: Int32?,
    largestRecord: Int,
    _ encoding: TextEncoding
  ) {
    guard let cursor = TreeCursor(source.root, path: source.path) else { return nil }
    self.cursor = cursor
    self.copy = copy
    self.encoding = encoding
    self.largestRecord = largestRecord
    affinities = .allocate(capacity: definition.columns.count)
    _ = affinities.initialize(from: definition.columns.map(\.affinity))
    fields = columnPlaces.enumerated().map { column, place in
      column == definition.key ? nil : place.map { copy.fields[Int($0)] }
    }
    key = keyPlace.map { copy.fields[Int($0)] }
    reals = source.reals
    sourceColumns = .allocate(capacity: max(fields.count, 1))
    for (index, field) in fields.enumerated() {
      switch field {
      case nil: sourceColumns[index] = Self.isNull
      case .column(let column): sourceColumns[index] = column
      case .constant, .rowID, .renumbered, .entity, .firstNonNull, .byNumber, .number:
        sourceColumns[index] = Self.isOther
      }
    }
    columnsAsked = 1 + (copy.columns.max() ?? -1)
    places = .allocate(capacity: max(columnsAsked, 1))
    places.initialize(repeating: Place())
    for (field, affinity) in zip(fields, affinities) {
      // Integers of a column of reals are reals, which only SQL converts.
      if affinity == .blob, field?.columns.contains(where: reals.contains) == true { return nil }
    }
  }

  deinit {
    places.deallocate()
    affinities.deallocate()
    sourceColumns.deallocate()
    whole?.deallocate()
  }

  /// Makes a record.
  @inline(__always)
  func build(
    _ row: TreeCursor.Row,
    _ builder: inout RecordBuilder
  ) throws(TreeDamage) -> Outcome {
    let bytes = try record(of: row)
    guard let bytes else { return .odd }
    try locate(bytes)
    for condition in copy.conditions {
      guard let holds = holds(condition, bytes) else { return .odd }
      if !holds { return .none }
    }
    builtKey = nil
    if let key {
      guard let number = integer(key, of: row.key, bytes) else { return .odd }
      builtKey = number
    }
    builder.begin()
    for index in affinities.indices {
      let column = sourceColumns[index]
      if column >= 0 {
        guard add(places[column], affinities[index], bytes, &builder) else { return .odd }
      } else if column == Self.isNull {
        builder.addNull()
      } else if let field = fields[index] {
        guard add(field, affinities[index], of: row.key, bytes, &builder) else { return .odd }
      }
    }
    return .row
  }

  /// The whole record; `nil` if it is too long to be held.
  @inline(__always)
  private func record(of row: TreeCursor.Row) throws(TreeDamage) -> UnsafeRawBufferPointer? {
    if row.firstPage == 0 { return row.local }
    guard row.count <= largestRecord else { return nil }
    if (whole?.count ?? 0) < row.count {
      whole?.deallocate()
      whole = .allocate(byteCount: row.count, alignment: 16)
    }
    guard let whole else { return nil }
    let target = UnsafeMutableRawBufferPointer(rebasing: whole[..<row.count])
    try cursor.read(row, into: target)
    return UnsafeRawBufferPointer(target)
  }

  /// Finds the values of a record.
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
  private func number(_ place: Place, _ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard place.type > 0, place.type < 10, place.type != 7, let type = SerialType(place.type) else {
      return nil
    }
    return type.integer(bytes, at: place.start)
  }

  private func real(_ place: Place, _ bytes: UnsafeRawBufferPointer) -> Double {
    let bits = bytes.loadUnaligned(fromByteOffset: place.start, as: UInt64.self)
    return Double(bitPattern: UInt64(bigEndian: bits))
  }

  @inline(__always)
  private func holds(_ condition: RecordCopy.Condition, _ bytes: UnsafeRawBufferPointer) -> Bool? {
    switch condition {
    case .isNull(let column): return places[column].type == 0
    case .isNotNull(let column): return places[column].type != 0
    case .isIn(let column, let numbers):
      if places[column].type == 0 { return false }
      return number(places[column], bytes).map { numbers.contains($0) }
    }
  }

  private func integer(
    _ field: RecordCopy.Field,
    of row: Int64,
    _ bytes: UnsafeRawBufferPointer
  ) -> Int64? {
    switch field {
    case .rowID(let distance):
      let (sum, overflow) = row.addingReportingOverflow(distance)
      return overflow ? nil : sum
    case .column(let column): return number(places[column], bytes)
    case .constant, .renumbered, .entity, .firstNonNull, .byNumber, .number:
      return nil
    }
  }

  /// Adds a value.
  ///
  /// - Returns: Whether it could be added without SQL.
  private func add(
    _ field: RecordCopy.Field,
    _ affinity: ColumnAffinity,
    of row: Int64,
    _ bytes: UnsafeRawBufferPointer,
    _ builder: inout RecordBuilder
  ) -> Bool {
    switch field {
    case .column(let column): return add(places[column], affinity, bytes, &builder)
    case .constant(let value): return add(value, affinity, &builder)
    case .rowID(let distance):
      let (sum, overflow) = row.addingReportingOverflow(distance)
      guard !overflow, affinity != .text else { return false }
      builder.add(sum)
      return true
    case .renumbered(let column, let numbers):
      guard places[column].type != 0 else {
        builder.addNull()
        return true
      }
      guard affinity != .text, let old = number(places[column], bytes) else { return false }
      if let new = numbers[old] { builder.add(new) } else { builder.addNull() }
      return true
    case .entity(let column, let key, let numbers):
      guard affinity != .text else { return false }
      if let old = number(places[column], bytes), let known = numbers[old] {
        if let known { builder.add(known) } else { builder.addNull() }
        return true
      }
      guard places[key].type == 0 else { return false }
      builder.addNull()
      return true
    case .firstNonNull(let column, let other):
      guard places[column].type == 0 else { return add(places[column], affinity, bytes, &builder) }
      return add(other, affinity, of: row, bytes, &builder)
    case .byNumber(let column, let fields):
      guard places[column].type != 0 else {
        builder.addNull()
        return true
      }
      guard let number = number(places[column], bytes) else { return false }
      guard let field = fields[number] else {
        builder.addNull()
        return true
      }
      return add(field, affinity, of: row, bytes, &builder)
    case .number(let expression):
      guard affinity != .text, let value = value(expression, bytes) else { return false }
      return add(value, affinity, &builder)
    }
  }

  @inline(__always)
  private func add(
    _ place: Place,
    _ affinity: ColumnAffinity,
    _ bytes: UnsafeRawBufferPointer,
    _ builder: inout RecordBuilder
  ) -> Bool {
    switch place.type {
    case 0: builder.addNull()
    case 7:
      guard affinity != .text else { return false }
      builder.add(real(place, bytes))
    case 1..<10:
      guard affinity != .text, let number = number(place, bytes) else { return false }
      builder.add(number)
    default:
      let size = Int((place.type - 12) / 2)
      let value = UnsafeRawBufferPointer(rebasing: bytes[place.start..<(place.start + size)])
      if place.type.isMultiple(of: 2) {
        builder.add(blob: value)
      } else {
        guard affinity == .text || affinity == .blob else { return false }
        builder.add(text: value)
      }
    }
    return true
  }

  private func add(
    _ value: SQLiteValue,
    _ affinity: ColumnAffinity,
    _ builder: inout RecordBuilder
  ) -> Bool {
    switch value {
    case .null: builder.addNull()
    case .integer(let number) where affinity != .text: builder.add(number)
    case .real(let number) where affinity != .text: builder.add(number)
    case .text(let text) where affinity == .text || affinity == .blob:
      builder.add(text: text, encoding)
    case .blob(let blob): blob.withUnsafeBytes { builder.add(blob: $0) }
    case .integer, .real, .text, .streamed: return false
    }
    return true
  }

  // MARK: Numbers

  /// The value of an expression as SQL computes it; `nil` if it depends on a text or a blob.
  private func value(
    _ expression: NumberExpression,
    _ bytes: UnsafeRawBufferPointer
  ) -> SQLiteValue? {
    switch expression {
    case .integer(let number): return .integer(number)
    case .real(let number): return .real(number)
    case .column(let column):
      let place = places[column]
      if place.type == 0 { return .null }
      if place.type == 7 { return .real(real(place, bytes)) }
      guard let number = number(place, bytes) else { return nil }
      return reals.contains(column) ? .real(Double(number)) : .integer(number)
    case .sum(let one, let other):
      return combined(one, other, bytes, { $0 + $1 }, { $0.addingReportingOverflow($1) })
    case .difference(let one, let other):
      return combined(one, other, bytes, { $0 - $1 }, { $0.subtractingReportingOverflow($1) })
    case .product(let one, let other):
      return combined(one, other, bytes, { $0 * $1 }, { $0.multipliedReportingOverflow(by: $1) })
    case .quotient(let one, let other):
      return combined(one, other, bytes, { $1 == 0 ? .nan : $0 / $1 }) {
        $0.dividedReportingOverflow(by: $1)
      }
    }
  }

  private func combined(
    _ one: NumberExpression,
    _ other: NumberExpression,
    _ bytes: UnsafeRawBufferPointer,
    _ reals: (Double, Double) -> Double,
    _ integers: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) -> SQLiteValue? {
    guard let first = value(one, bytes), let second = value(other, bytes) else { return nil }
    if case .integer(let a) = first, case .integer(let b) = second {
      let (result, overflow) = integers(a, b)
      if !overflow { return .integer(result) }
    }
    guard let a = first.double, let b = second.double else { return .null }
    let result = reals(a, b)
    return result.isNaN ? .null : .real(result)
  }
}

extension SQLiteValue {
  /// A number as a real; `nil` for NULL.
  fileprivate var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .real(let number): number
    case .null, .text, .blob, .streamed: nil
    }
  }
}

extension RecordCopy {
  /// The source columns of which something is asked.
  fileprivate var columns: [Int] {
    let conditions = conditions.map { condition in
      switch condition {
      case .isIn(let column, _), .isNull(let column), .isNotNull(let column): column
      }
    }
    return conditions + fields.flatMap(\.columns)
  }
}

extension RecordCopy.Field {
  fileprivate var columns: [Int] {
    switch self {
    case .constant, .rowID: []
    case .column(let column), .renumbered(let column, _): [column]
    case .entity(let column, let key, _): [column, key]
    case .firstNonNull(let column, let other): [column] + other.columns
    case .byNumber(let column, let fields): [column] + fields.values.flatMap(\.columns)
    case .number(let expression): expression.columns
    }
  }
}

extension NumberExpression {
  fileprivate var columns: [Int] {
    switch self {
    case .integer, .real: []
    case .column(let column): [column]
    case .sum(let one, let other), .difference(let one, let other), .product(let one, let other),
      .quotient(let one, let other):
      one.columns + other.columns
    }
  }
}
