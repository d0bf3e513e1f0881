/// Reads the values of some columns from the records of a source table, as a `SELECT` of these columns does.
///
/// Anything unusual ends the reading; the caller continues with SQLite, which handles it.
package final class RecordSelection {
  private let source: SourceRecords
  /// The column of each value; `nil` for the row id.
  private let columns: [Int?]

  /// The size of the largest record that is read, in bytes; SQLite reads larger ones.
  private static let largestRecord = 1 << 16

  /// A selection of columns; `nil` if values are not those of columns, or the file cannot be read.
  ///
  /// - Parameters:
  ///   - fields: The values.
  ///   - table: The table, in a database whose texts are UTF-8.
  ///   - conditions: The conditions on a row, which must all hold.
  package init?(
    _ fields: [RecordCopy.Field],
    of table: SourceTable,
    where conditions: [RecordCopy.Condition]
  ) {
    var columns: [Int?] = []
    for field in fields {
      switch field {
      case .column(let column): columns.append(column)
      case .rowID(plus: 0): columns.append(nil)
      case .constant, .rowID, .renumbered, .entity, .firstNonNull, .byNumber, .number, .linked,
        .given:
        return nil
      }
    }
    let records = SourceRecords(
      of: table,
      columns: columns.compactMap(\.self),
      where: conditions,
      largestRecord: Self.largestRecord
    )
    guard let records else { return nil }
    (source, self.columns) = (records, columns)
  }

  /// Reads the rows with keys in a range, in ascending order.
  ///
  /// - Parameters:
  ///   - range: The keys.
  ///   - body: Called with each row that satisfies the conditions; returns whether it wants another.
  /// - Returns: Whether all rows were read that were wanted; if not, SQLite must read those behind the last one.
  /// - Throws: Errors of the body.
  package func rows<Failure: Error>(
    _ range: ClosedRange<Int64>,
    _ body: (_ key: Int64, _ values: [SQLiteValue]) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    guard (try? source.cursor.seek(range.lowerBound)) != nil else { return false }
    while true {
      switch next(to: range.upperBound) {
      case .end: return true
      case .odd: return false
      case .none: break
      case .row(let key, let values): guard try body(key, values) else { return true }
      }
    }
  }

  private enum Step {
    case row(Int64, [SQLiteValue])
    /// A row that does not satisfy the conditions.
    case none
    case odd
    case end
  }

  private func next(to last: Int64) -> Step {
    do throws(TreeDamage) {
      guard let row = try source.cursor.next(), row.key <= last else { return .end }
      guard let bytes = try source.record(of: row), let isTaken = try source.open(bytes) else {
        return .odd
      }
      guard isTaken else { return .none }
      var values: [SQLiteValue] = []
      values.reserveCapacity(columns.count)
      for column in columns {
        values.append(column.map { value(of: $0, bytes) } ?? .integer(row.key))
      }
      return .row(row.key, values)
    } catch {
      return .odd
    }
  }

  private func value(of column: Int, _ bytes: UnsafeRawBufferPointer) -> SQLiteValue {
    let place = source.places[column]
    switch place.type {
    case 0: return .null
    case 7:
      let number = source.real(place, bytes)
      // SQLite reads what is not a number as NULL.
      return number.isNaN ? .null : .real(number)
    case 1..<10:
      guard let number = source.number(place, bytes) else { return .null }
      return source.reals.contains(column) ? .real(Double(number)) : .integer(number)
    default:
      let size = Int((place.type - 12) / 2)
      let value = UnsafeRawBufferPointer(rebasing: bytes[place.start..<(place.start + size)])
      return place.type.isMultiple(of: 2)
        ? .blob([UInt8](value)) : .text(String(decoding: value, as: UTF8.self))
    }
  }
}
