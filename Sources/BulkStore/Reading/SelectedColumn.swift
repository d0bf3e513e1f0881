package import BulkModel
internal import BulkSQLite
internal import BulkSupport

/// A value that is read of every row, and its encoding.
package struct SelectedColumn: Hashable, Sendable {
  package enum Coding: Hashable, Sendable {
    /// The value of an attribute; if it may be in a file, a byte before it shows where it is.
    case attribute(AttributeType, isExternal: Bool)
    /// An integer: a key, or the number of an entity.
    case wholeNumber
  }

  package let expression: ColumnExpression
  package let coding: Coding

  package init(_ expression: ColumnExpression, _ coding: Coding) {
    self.expression = expression
    self.coding = coding
  }

  package init(_ expression: ColumnExpression, of attribute: AttributeDescription) {
    let isExternal = attribute.allowsExternalBinaryDataStorage
    self.init(expression, .attribute(attribute.attributeType, isExternal: isExternal))
  }
}

/// A value that was read of a row.
package enum SelectedValue: Hashable, Sendable {
  case value(AttributeValue)
  /// A value that the attribute cannot hold; the text describes it.
  case unreadable(String)
}

extension SelectedColumn.Coding {
  /// The type of the value, and whether it may lie in a file beside the store.
  var type: (AttributeType, Bool) {
    guard case .attribute(let type, let isExternal) = self else { return (.integer64, false) }
    return (type, isExternal)
  }

  func decoded(_ value: SQLiteValue) -> SelectedValue {
    if case .null = value { return .value(.null) }
    let found: AttributeValue?
    switch self {
    case .wholeNumber:
      if case .integer(let number) = value { found = .integer(number) } else { found = nil }
    case .attribute(let type, let isExternal):
      if isExternal, case .blob(let bytes) = value {
        guard bytes.first == 1 else {
          return .unreadable(
            ExternalBinaryData.fileName(in: bytes) == nil
              ? "bytes that are neither a value nor a reference to a file"
              : "a value that lies in a file of its own"
          )
        }
        found = Self.decoded(.blob(Array(bytes.dropFirst())), type)
      } else {
        found = Self.decoded(value, type)
      }
    }
    return found.map { .value($0) } ?? .unreadable(Self.kind(of: value))
  }

  /// A value as an attribute's type has it; `nil` if it is of another storage class.
  static func decoded(_ value: SQLiteValue, _ type: AttributeType) -> AttributeValue? {
    switch (value, type.kind) {
    case (.integer(let number), .integer): .integer(number)
    case (.integer(let number), .boolean): .boolean(number != 0)
    case (.integer(let number), .double): .double(Double(number))
    case (.integer(let number), .date): .date(Double(number))
    case (.integer(let number), .decimal): .decimal(Decimal(number))
    // A column keeps fractions when its attribute becomes an integer or a Boolean (formats/migration.md 2.6).
    case (.real(let number), .integer): .integer(whole(number))
    case (.real(let number), .boolean): .boolean(whole(number) != 0)
    case (.real(let number), .double): .double(number)
    case (.real(let number), .date): .date(number)
    case (.real(let number), .decimal): decimal(number)
    case (.text(let text), .string): .string(text)
    case (.text(let text), .uri): .uri(text)
    case (.blob(let bytes), .uuid): uuid(bytes)
    case (.blob(let bytes), .binary): .binary(bytes)
    case (_, .integer), (_, .boolean), (_, .double), (_, .date), (_, .decimal), (_, .string),
      (_, .uri), (_, .uuid), (_, .binary), (_, nil):
      nil
    }
  }

  /// As `sqlite3_column_int64` and CAST convert it, to the nearest end outside of 64 bits.
  private static func whole(_ number: Double) -> Int64 {
    Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
  }

  /// The decimal number with the fewest digits whose nearest double this is.
  private static func decimal(_ number: Double) -> AttributeValue? {
    guard number.isFinite, let result = Decimal(string: number.description, locale: nil),
      !result.isNaN
    else { return nil }
    return .decimal(result)
  }

  private static func uuid(_ bytes: [UInt8]) -> AttributeValue? {
    guard bytes.count == 16 else { return nil }
    // The array has sixteen bytes.
    return unsafe bytes.withUnsafeBytes {
      unsafe .uuid(UUID(uuid: $0.loadUnaligned(as: uuid_t.self)))
    }
  }

  private static func kind(of value: SQLiteValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "text"
    case .blob, .streamed: "a BLOB"
    }
  }
}
