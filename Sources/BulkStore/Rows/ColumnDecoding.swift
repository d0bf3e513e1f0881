package import BulkModel
package import BulkSQLite
internal import BulkPlatform

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
    switch value {
    case .null: .null
    case .integer(let number): self.value(of: number, as: attribute.attributeType)
    case .real(let number): self.value(of: number, as: attribute.attributeType)
    case .text(let text): attribute.attributeType == .uri ? .uri(text) : .string(text)
    case .blob(let bytes): self.value(of: bytes, of: attribute)
    // Values that are decoded are never streamed.
    case .streamed: .null
    }
  }

  private static func value(of number: Int64, as type: AttributeType) -> AttributeValue {
    switch type.kind {
    case .boolean: .boolean(number != 0)
    case .double: .double(Double(number))
    case .date: .date(Double(number))
    case .decimal: .decimal(Decimal(number))
    case .integer, .string, .binary, .uuid, .uri, nil: .integer(number)
    }
  }

  private static func value(of number: Double, as type: AttributeType) -> AttributeValue {
    switch type.kind {
    case .date: .date(number)
    // The shortest text that represents the number is the intended decimal.
    case .decimal: Decimal(string: number.description).map { .decimal($0) } ?? .double(number)
    case .integer, .double, .string, .boolean, .binary, .uuid, .uri, nil: .double(number)
    }
  }

  private static func value(
    of bytes: [UInt8],
    of attribute: AttributeDescription
  ) -> AttributeValue {
    if attribute.attributeType == .uuid, bytes.count == 16 {
      // The array has sixteen bytes.
      return unsafe .uuid(
        bytes.withUnsafeBytes { unsafe UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
      )
    }
    if attribute.allowsExternalBinaryDataStorage, bytes.first == 1 {
      return .binary(Array(bytes.dropFirst()))
    }
    return .binary(bytes)
  }
}
