package import BulkModel
package import BulkSQLite
internal import BulkSupport

extension ColumnCoding {
  /// The value of an attribute as decoded from its column.
  ///
  /// A value of another storage class than the attribute's type requires is decoded by its storage
  /// class, so that corrupt rows are not hidden. A binary value in a file beside the store is not
  /// read here.
  package static func attributeValue(
    _ value: SQLiteValue,
    of attribute: AttributeDescription
  ) -> AttributeValue {
    attributeValue(
      value,
      of: attribute.attributeType,
      inFiles: attribute.allowsExternalBinaryDataStorage
    )
  }

  /// With `inFiles` the value may lie in a file beside the store.
  static func attributeValue(
    _ value: SQLiteValue,
    of type: AttributeType,
    inFiles: Bool
  ) -> AttributeValue {
    switch value {
    case .text(let text) where type == .string: return .string(text)
    case .real(let number) where [.boolean, .integer].contains(type.kind): return .double(number)
    // The shortest text that represents the number is the intended decimal.
    case .real(let number) where type.kind == .decimal:
      return Decimal(string: number.description).map { .decimal($0) } ?? .double(number)
    case .blob(let bytes) where inFiles && bytes.first == 1 && type != .uuid:
      return .binary(Array(bytes.dropFirst()))
    default: return SelectedColumn.Coding.decoded(value, type) ?? plain(value)
    }
  }

  private static func plain(_ value: SQLiteValue) -> AttributeValue {
    switch value {
    // Values that are decoded are never streamed.
    case .null, .streamed: .null
    case .integer(let number): .integer(number)
    case .real(let number): .double(number)
    case .text(let text): .string(text)
    case .blob(let bytes): .binary(bytes)
    }
  }
}
