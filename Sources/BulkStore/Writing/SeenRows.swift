internal import BulkSQLite

/// Counts rows that are given value by value, and their bytes.
package final class SeenRows {
  package private(set) var rows: Int64 = 0
  /// The bytes of the records that hold their values.
  package private(set) var bytes: Int64 = 0

  /// The bytes of a row's header, of its cell and of its place in the page.
  private static let rowBytes: Int64 = 8

  package init() {}

  /// Adds rows of a width, all values of one after those of another.
  func add(_ values: [SQLiteValue], of width: Int) {
    let count = Int64(values.count / max(1, width))
    rows += count
    bytes += count * Self.rowBytes + values.reduce(0) { $0 + $1.recordBytes }
  }
}

extension SQLiteValue {
  /// The bytes of the value in a record, with its type.
  fileprivate var recordBytes: Int64 {
    switch self {
    case .null: 1
    case .integer(let number): number.magnitude < 1 << 15 ? 3 : number.magnitude < 1 << 31 ? 5 : 9
    case .real: 9
    case .text(let text): Int64(text.utf8.count) + 2
    case .blob(let bytes): Int64(bytes.count) + 2
    case .streamed(let value): Int64(value.count) + 2
    }
  }
}
