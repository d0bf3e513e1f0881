/// A value in one of SQLite's five storage classes.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLiteValue {
  /// The value as an SQL literal.
  ///
  /// Text with a NUL is written as a cast BLOB, because an SQL text ends at a NUL.
  package var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): SQLiteValue.literal(of: value)
    case .text(let value) where value.utf8.contains(0):
      "CAST(\(SQLiteValue.blob(Array(value.utf8)).literal) AS TEXT)"
    case .text(let value): SQLText.quoted(literal: value)
    case .blob(let bytes): "x'" + bytes.map(SQLiteValue.hexadecimal).joined() + "'"
    }
  }

  private static func literal(of value: Double) -> String {
    if value.isNaN { return "NULL" }
    if value.isInfinite { return value < 0 ? "-9e999" : "9e999" }
    // The shortest text that reads back as the same number; it has a point or an exponent.
    return value.description
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return text.count == 1 ? "0" + text : text
  }
}
