/// Makes the records of a table from those of the source, row by row.
package final class RecordCopier {
  enum Outcome {
    /// It makes a row, whose record is in the builder.
    case row
    case none
    /// The filter leaves it out.
    case leftOut
    /// SQL must determine the row.
    case needsSQL
  }

  private enum Origin {
    case null
    case column(Int)
    case integer(Int64)
    /// The row id, plus a number.
    case rowID(Int64)
    /// The second number where a source column has the first one, NULL where it has any other.
    case renumbered(Int, Int64, Int64)
    case computed(Unmanaged<RecordMachine>)
    case field
  }

  let source: SourceRecords
  private let affinities: UnsafeMutableBufferPointer<ColumnAffinity>
  /// The fields in the order of the destination's columns; `nil` for NULL.
  private let fields: [RecordCopy.Field?]
  private let origins: UnsafeMutableBufferPointer<Origin>
  private let key: RecordCopy.Field?
  /// The columns that must be NULL, or have a number where there is one, in a source record that is that of its row;
  /// `nil` if none is.
  private let fixed: [(column: Int, number: Int64?)]?
  private let machines: [RecordMachine]
  private let filter: RecordMachine?
  /// The values of the current source record, by column.
  private let found: UnsafeMutableBufferPointer<RecordField>
  private let targets: (any LinkTargets)?
  /// The indexes of the source that have the entries of the destination's, if all rows are made here.
  let indexes: [SourceIndex?]
  /// The key of the row in the builder; `nil` if the table has no column for it.
  private(set) var builtKey: Int64?

  init?(
    _ copy: RecordCopy,
    of table: SourceTable,
    to writer: TableWriter,
    largestRecord: Int,
    finding targets: (any LinkTargets)?
  ) {
    guard
      let source = SourceRecords(
        TreeCursor(table.root, of: table.database.file),
        columns: copy.columns,
        where: copy.conditions,
        and: copy.tests,
        largestRecord: largestRecord
      )
    else { return nil }
    self.source = source
    machines = copy.programs.compactMap { RecordMachine($0) }
    filter = copy.filter.flatMap { RecordMachine($0) }
    guard machines.count == copy.programs.count, (filter == nil) == (copy.filter == nil) else {
      return nil
    }
    found = source.fields
    let definition = writer.definition
    self.targets = targets
    affinities = .allocate(capacity: definition.columns.count)
    _ = affinities.initialize(from: definition.columns.map(\.affinity))
    fields = writer.valueIndexes.enumerated().map { column, slot in
      column == definition.key ? nil : slot.map { copy.fields[Int($0)] }
    }
    key = writer.keyValueIndex.map { copy.fields[Int($0)] }
    let made = zip(fields, definition.columns).map { [machines] field, column in
      Self.origin(of: field, column.affinity, machines)
    }
    fixed = found.count < made.count ? nil : Self.fixed(made, key: definition.key)
    indexes =
      Self.keepsRows(copy, key)
      ? definition.indexes.map { index in
        table.index(
          over: index.columns.map { column in
            if case .column(let slot) = made[column] {
              slot
            } else {
              column == definition.key ? table.key : nil
            }
          },
          descending: index.descends
        )
      } : []
    origins = .allocate(capacity: fields.count)
    _ = origins.initialize(from: made)
    for (field, affinity) in zip(fields, affinities) {
      // Integers of a column of reals are reals, which only SQL converts.
      if affinity == .blob, field?.columns.contains(where: table.hasReals) == true {
        return nil
      }
    }
  }

  deinit {
    affinities.deallocate()
    origins.deallocate()
  }

  private static func keepsRows(_ copy: RecordCopy, _ key: RecordCopy.Field?) -> Bool {
    guard case .rowID(plus: 0) = key else { return false }
    return copy.conditions.isEmpty && copy.tests.isEmpty && copy.filter == nil
  }

  /// `nil` if no column is fixed.
  private static func fixed(
    _ origins: [Origin],
    key: Int?
  ) -> [(column: Int, number: Int64?)]? {
    var result: [(column: Int, number: Int64?)] = []
    for column in origins.indices {
      switch origins[column] {
      case .column(column): break
      case .null where column == key: result.append((column, nil))
      case .renumbered(column, let old, let new) where old == new: result.append((column, old))
      case .null, .column, .integer, .rowID, .renumbered, .computed, .field: return nil
      }
    }
    return result
  }

  private static func origin(
    of field: RecordCopy.Field?,
    _ affinity: ColumnAffinity,
    _ machines: [RecordMachine]
  ) -> Origin {
    switch field {
    case nil, .constant(.null): .null
    case .column(let column): .column(column)
    case .constant(.integer(let number)) where affinity != .text: .integer(number)
    case .rowID(let distance) where affinity != .text: .rowID(distance)
    case .computed(let index): .computed(.passUnretained(machines[index]))
    case .renumbered(let column, let numbers) where numbers.count == 1 && affinity != .text:
      numbers.first.map { .renumbered(column, $0.key, $0.value) } ?? .field
    case .constant, .rowID, .renumbered, .entity, .firstNonNull, .byNumber, .linked, .given: .field
    }
  }

  @inline(__always)
  func build(
    _ row: TreeCursor.Row,
    _ builder: inout RecordBuilder,
    given: [SQLiteValue] = []
  ) throws(TreeDamage) -> Outcome {
    guard let bytes = try source.record(of: row), let isTaken = try source.open(row.key, bytes)
    else {
      return .needsSQL
    }
    guard isTaken else { return .none }
    if let filter {
      guard let value = filter.value(of: source, row.key, bytes) else { return .needsSQL }
      if !value.isTrue { return .leftOut }
    }
    builtKey = nil
    if let key {
      guard let number = integer(key, of: row.key, bytes, given) else { return .needsSQL }
      builtKey = number
    }
    if let fixed, passOn(bytes, fixed, to: &builder) { return .row }
    builder.begin()
    for index in affinities.indices {
      switch origins[index] {
      case .null: builder.addNull()
      case .column(let column):
        guard add(found[column], as: affinities[index], bytes, to: &builder) else {
          return .needsSQL
        }
      case .integer(let number): builder.add(number)
      case .rowID(let distance):
        let (sum, overflow) = row.key.addingReportingOverflow(distance)
        guard !overflow else { return .needsSQL }
        builder.add(sum)
      case .renumbered(let column, let old, let new):
        guard found[column].type != 0 else {
          builder.addNull()
          continue
        }
        guard let number = found[column].number(bytes) else { return .needsSQL }
        builder.add(orNull: number == old ? new : nil)
      case .computed(let machine):
        let value = machine._withUnsafeGuaranteedRef { $0.value(of: source, row.key, bytes) }
        guard add(value, as: affinities[index], to: &builder) else { return .needsSQL }
      case .field:
        guard let field = fields[index] else { return .needsSQL }
        if case .given(let slot) = field {
          guard builder.add(given[slot]) else { return .needsSQL }
        } else {
          guard add(field, as: affinities[index], of: row.key, bytes, to: &builder) else {
            return .needsSQL
          }
        }
      }
    }
    return .row
  }

  /// Passes a source record on as that of its row, and returns whether it is that, as it would be built.
  @inline(__always)
  private func passOn(
    _ bytes: UnsafeRawBufferPointer,
    _ fixed: [(column: Int, number: Int64?)],
    to builder: inout RecordBuilder
  ) -> Bool {
    for (column, number) in fixed where found[column].type != 0 {
      guard let number, found[column].number(bytes) == number else { return false }
    }
    builder.begin()
    for index in affinities.indices {
      let slot = found[index]
      switch slot.type {
      case 0: builder.addNull()
      case 7: guard builder.keep(slot.real(bytes)) else { return false }
      case 1..<10:
        guard let number = slot.number(bytes), builder.keep(number, as: slot.type) else {
          return false
        }
      default: guard builder.keep(bytesAs: slot.type) else { return false }
      }
    }
    // The fields of columns that the record does not have are 0.
    return found[affinities.count - 1].start > 0
      && builder.keep(record: bytes, headerSize: found[0].start)
  }

  private func integer(
    _ field: RecordCopy.Field,
    of row: Int64,
    _ bytes: UnsafeRawBufferPointer,
    _ given: [SQLiteValue]
  ) -> Int64? {
    switch field {
    case .given(let slot):
      guard case .integer(let number) = given[slot] else { return nil }
      return number
    case .rowID(let distance):
      let (sum, overflow) = row.addingReportingOverflow(distance)
      return overflow ? nil : sum
    case .column(let column): return found[column].number(bytes)
    case .constant, .renumbered, .entity, .firstNonNull, .byNumber, .computed, .linked:
      return nil
    }
  }

  /// Adds a value, and returns whether that was possible without SQL.
  private func add(
    _ field: RecordCopy.Field,
    as affinity: ColumnAffinity,
    of row: Int64,
    _ bytes: UnsafeRawBufferPointer,
    to builder: inout RecordBuilder
  ) -> Bool {
    switch field {
    case .column(let column): return add(found[column], as: affinity, bytes, to: &builder)
    case .constant(let value): return builder.add(value)
    case .rowID(let distance):
      let (sum, overflow) = row.addingReportingOverflow(distance)
      guard !overflow, affinity != .text else { return false }
      builder.add(sum)
      return true
    case .renumbered(let column, let numbers):
      if found[column].type == 0 { return addNull(to: &builder) }
      guard affinity != .text, let old = found[column].number(bytes) else { return false }
      builder.add(orNull: numbers[old])
      return true
    case .entity(let column, let key, let numbers):
      guard affinity != .text else { return false }
      if let old = found[column].number(bytes), let known = numbers[old] {
        builder.add(orNull: known)
        return true
      }
      return found[key].type == 0 && addNull(to: &builder)
    case .firstNonNull(let column, let other):
      guard found[column].type == 0 else {
        return add(found[column], as: affinity, bytes, to: &builder)
      }
      return add(other, as: affinity, of: row, bytes, to: &builder)
    case .byNumber(let column, let fields):
      if found[column].type == 0 { return addNull(to: &builder) }
      guard let number = found[column].number(bytes) else { return false }
      guard let field = fields[number] else { return addNull(to: &builder) }
      return add(field, as: affinity, of: row, bytes, to: &builder)
    case .computed(let index):
      return add(machines[index].value(of: source, row, bytes), as: affinity, to: &builder)
    case .linked(let link, let part, let column):
      // Without a column the row itself is linked.
      let slot = column.map { found[$0] }
      if slot?.type == 0 { return addNull(to: &builder) }
      guard affinity != .text, let key = slot.map({ $0.number(bytes) }) ?? row else {
        return false
      }
      return add(part, of: link, from: row, to: key, &builder)
    // Given values are columns of their own.
    case .given: return false
    }
  }

  private func addNull(to builder: inout RecordBuilder) -> Bool {
    builder.addNull()
    return true
  }

  @inline(__always)
  private func add(
    _ value: RecordValue?,
    as affinity: ColumnAffinity,
    to builder: inout RecordBuilder
  ) -> Bool {
    switch value {
    case .null?: builder.addNull()
    case .integer(let number)? where affinity != .text: builder.add(number)
    case .real(let number)? where affinity != .text: builder.add(number)
    case .text(let text)? where affinity == .text || affinity == .blob:
      builder.add(text: text)
    case .integer?, .real?, .text?, nil: return false
    }
    return true
  }

  private func add(
    _ part: LinkedPart,
    of link: Int,
    from row: Int64,
    to key: Int64,
    _ builder: inout RecordBuilder
  ) -> Bool {
    guard let targets else { return false }
    do {
      builder.add(orNull: try targets.number(part, of: link, from: row, to: key))
      return true
    } catch {
      // SQLite reads again, and reports the fault.
      return false
    }
  }

  @inline(__always)
  private func add(
    _ slot: RecordField,
    as affinity: ColumnAffinity,
    _ bytes: UnsafeRawBufferPointer,
    to builder: inout RecordBuilder
  ) -> Bool {
    switch slot.type {
    case 0: builder.addNull()
    case 7:
      guard affinity != .text else { return false }
      builder.add(slot.real(bytes))
    case 1..<10:
      guard affinity != .text, let number = slot.number(bytes) else { return false }
      builder.add(number)
    default:
      let value = bytes.part(slot.start..<slot.start + slot.length)
      guard slot.isText else {
        builder.add(blob: value)
        return true
      }
      guard affinity == .text || affinity == .blob else { return false }
      builder.add(text: value)
    }
    return true
  }
}

extension RecordCopy.Field {
  var columns: [Int] {
    switch self {
    case .constant, .rowID, .given, .computed: []
    case .column(let column), .renumbered(let column, _): [column]
    case .entity(let column, let key, _): [column, key]
    case .firstNonNull(let column, let other): [column] + other.columns
    case .byNumber(let column, let fields): [column] + fields.values.flatMap(\.columns)
    case .linked(_, _, let column): column.map { [$0] } ?? []
    }
  }
}
