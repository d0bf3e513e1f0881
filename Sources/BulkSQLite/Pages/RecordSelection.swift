/// Reads the values of some columns from the records of a source table, as a `SELECT` of these columns does.
///
/// Anything unusual ends the reading; the caller continues with SQLite, which handles it.
package final class RecordSelection {
  private let source: SourceRecords
  private enum Value {
    case key
    case column(Int)
    case computed(RecordMachine)
  }

  private let values: [Value]
  private let table: SourceTable

  /// The size of the largest record that is read, in bytes; SQLite reads larger ones.
  private static let largestRecord = 1 << 16

  /// A selection from a table with texts in UTF-8; `nil` if values are not those of columns, or the file cannot be
  /// read.
  package init?(_ copy: RecordCopy, of table: SourceTable) {
    var values: [Value] = []
    for field in copy.fields {
      switch field {
      case .column(let column): values.append(.column(column))
      case .rowID(plus: 0): values.append(.key)
      case .computed(let index):
        guard let machine = RecordMachine(copy.programs[index]) else { return nil }
        values.append(.computed(machine))
      case .constant, .rowID, .renumbered, .entity, .firstNonNull, .byNumber, .linked, .given:
        return nil
      }
    }
    let records = SourceRecords(
      TreeCursor(table.root, of: table.database.file),
      columns: copy.columns,
      where: copy.conditions,
      and: copy.tests,
      largestRecord: Self.largestRecord
    )
    guard let records else { return nil }
    (source, self.values, self.table) = (records, values, table)
  }

  /// Reads the rows with keys in a range, in ascending order.
  ///
  /// The body returns whether it wants another row. Returns whether all rows were read that were
  /// wanted; if not, SQLite must read those behind the last one.
  package func rows<Failure: Error>(
    _ range: ClosedRange<Int64>,
    _ body: (_ key: Int64, _ values: [SQLiteValue]) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    guard (try? source.cursor.seek(range.lowerBound)) != nil else { return false }
    while true {
      switch next(to: range.upperBound) {
      case .end: return true
      case .needsSQL: return false
      case .none: break
      case .row(let key, let bytes):
        guard let found = readValues(key, bytes) else { return false }
        guard try body(key, found) else { return true }
      }
    }
  }

  /// The number of rows with keys in a range that satisfy the conditions; how many of them have a computed value of 1,
  /// how many of these another one, and so on; and how many have a value in each column.
  ///
  /// Returns `nil` if SQLite must count, or if `goesOn`, asked every few thousand rows, says no.
  package func counts(_ range: ClosedRange<Int64>, _ goesOn: () -> Bool) -> [Int64]? {
    guard (try? source.cursor.seek(range.lowerBound)) != nil else { return nil }
    var counts = [Int64](repeating: 0, count: values.count + 1)
    var read = 0
    while true {
      switch next(to: range.upperBound) {
      case .end: return counts
      case .needsSQL: return nil
      case .none: break
      case .row(let key, let bytes):
        counts[0] += 1
        var holds = true
        for index in values.indices {
          switch values[index] {
          case .key: counts[index + 1] += 1
          case .column(let column):
            if case .null? = source.value(of: column, bytes) { break }
            counts[index + 1] += 1
          case .computed(let machine) where holds:
            guard let value = machine.value(of: source, key, bytes) else { return nil }
            holds = value.isTrue
            if holds { counts[index + 1] += 1 }
          case .computed: break
          }
        }
      }
      read += 1
      if read.isMultiple(of: 1 << 13), !goesOn() { return nil }
    }
  }

  private enum Step {
    case row(Int64, UnsafeRawBufferPointer)
    /// A row that does not satisfy the conditions.
    case none
    case needsSQL
    case end
  }

  private func next(to last: Int64) -> Step {
    do throws(TreeDamage) {
      guard let row = try source.cursor.next(), row.key <= last else { return .end }
      guard let bytes = try source.record(of: row), let isTaken = try source.open(row.key, bytes)
      else {
        return .needsSQL
      }
      return isTaken ? .row(row.key, bytes) : .none
    } catch {
      return .needsSQL
    }
  }

  private func readValues(_ key: Int64, _ bytes: UnsafeRawBufferPointer) -> [SQLiteValue]? {
    var found: [SQLiteValue] = []
    found.reserveCapacity(values.count)
    for value in values {
      switch value {
      case .key: found.append(.integer(key))
      case .column(let column): found.append(self.value(of: column, bytes))
      case .computed(let machine):
        guard let value = machine.value(of: source, key, bytes) else { return nil }
        found.append(SQLiteValue(value))
      }
    }
    return found
  }

  private func value(of column: Int, _ bytes: UnsafeRawBufferPointer) -> SQLiteValue {
    switch source.value(of: column, bytes) {
    case .integer(let number)? where table.hasReals(in: column): return .real(Double(number))
    case let value?: return SQLiteValue(value)
    case nil:
      let field = source.fields[column]
      return .blob([UInt8](bytes[field.start..<field.start + field.length]))
    }
  }
}

extension SQLiteValue {
  fileprivate init(_ value: RecordValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
      }
  }
}
