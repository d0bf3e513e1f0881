package import BulkModel
package import BulkSQLite
internal import BulkSupport

package enum ColumnCoding {
  /// A value in the storage class in which Core Data binds it; the column's affinity applies when it is
  /// stored, so a whole number becomes an integer in a TIMESTAMP or DECIMAL column.
  package static func value(of value: AttributeValue) -> SQLiteValue {
    switch value {
    case .null: .null
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .double(let number), .date(let number): .real(number)
    // A decimal number is stored as the nearest double, as in every store seen.
    case .decimal(let number): .real(double(nearestTo: number))
    case .string(let text), .uri(let text): .text(text)
    case .binary(let bytes): .blob(bytes)
    // The bytes are copied within the closure.
    case .uuid(let uuid): unsafe .blob(withUnsafeBytes(of: uuid.uuid) { unsafe Array($0) })
    }
  }

  private static func double(nearestTo number: Decimal) -> Double {
    // NSDecimalNumber multiplies by ten repeatedly, which makes the last bits inexact; the text is exact.
    Double(number.description) ?? .nan
  }

  /// The default value of an attribute as its column holds it, or `nil` if it has none.
  ///
  /// In a column that may refer to an external file, a byte 1 precedes the value and marks it as stored in
  /// the row.
  package static func defaultValue(of attribute: AttributeDescription) -> SQLiteValue? {
    guard let value = attribute.defaultValue, value != .null else { return nil }
    return self.value(of: value, in: attribute)
  }

  package static func value(
    of value: AttributeValue,
    in attribute: AttributeDescription
  ) -> SQLiteValue {
    if case .binary(let bytes) = value, attribute.allowsExternalBinaryDataStorage {
      return .blob([1] + bytes)
    }
    return self.value(of: value)
  }
}
