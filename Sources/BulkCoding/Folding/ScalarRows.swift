/// Rows of a table of ``FoldingTables``.
enum ScalarRows {
  /// The rows of a table whose rows have the same number of columns.
  static func rows(of table: String, columns: Int) -> [ArraySlice<UInt32>] {
    let numbers = table.utf8.split { $0 == 0x20 || $0 == 0x0A }.map(number)
    return stride(from: 0, to: numbers.count, by: columns).map { numbers[$0..<($0 + columns)] }
  }

  private static func number(_ digits: Substring.UTF8View.SubSequence) -> UInt32 {
    digits.reduce(0) { $0 << 4 | UInt32($1 < 0x3A ? $1 - 0x30 : $1 - 0x37) }
  }

  /// The scalars of a row, without the zeros that fill it.
  static func scalars(_ numbers: ArraySlice<UInt32>) -> [Unicode.Scalar] {
    numbers.compactMap { $0 == 0 ? nil : Unicode.Scalar($0) }
  }
}
