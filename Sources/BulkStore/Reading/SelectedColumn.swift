package import BulkModel
internal import BulkSQLite
internal import Foundation

/// A value that is read of every row, with how it stands there.
package struct SelectedColumn: Hashable, Sendable {
  /// How a value stands in its column.
  package enum Coding: Hashable, Sendable {
    /// As a value of an attribute; where it may lie in a file, behind a byte that says so.
    case attribute(AttributeType, isExternal: Bool)
    /// As a whole number: a key, or the number of an entity.
    case wholeNumber
  }

  /// The value.
  package let expression: ColumnExpression
  /// How it stands there.
  package let coding: Coding

  package init(_ expression: ColumnExpression, _ coding: Coding) {
    self.expression = expression
    self.coding = coding
  }
}

/// A value that was read of a row.
package enum SelectedValue: Hashable, Sendable {
  case value(AttributeValue)
  /// Something that the column's attribute cannot hold; the text says what it is.
  case unreadable(String)
}

extension SelectedColumn.Coding {
  func decoded(_ value: SQLiteValue) -> SelectedValue {
    if value == .null { return .value(.null) }
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

  private static func decoded(_ value: SQLiteValue, _ type: AttributeType) -> AttributeValue? {
    switch (type, value) {
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)):
      .integer(number)
    case (.boolean, .integer(let number)): .boolean(number != 0)
    case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
    case (.double, .real(let number)), (.float, .real(let number)): .double(number)
    case (.date, .integer(let seconds)): .date(Double(seconds))
    case (.date, .real(let seconds)): .date(seconds)
    case (.decimal, .integer(let number)): .decimal(Decimal(number))
    case (.decimal, .real(let number)): decimal(number)
    case (.string, .text(let text)): .string(text)
    case (.uri, .text(let text)): .uri(text)
    case (.uuid, .blob(let bytes)): uuid(bytes)
    case (.binaryData, .blob(let bytes)), (.transformable, .blob(let bytes)): .binary(bytes)
    default: nil
    }
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
    return bytes.withUnsafeBytes { .uuid(UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) }
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
