internal import BulkSQLite

/// A value as a store file holds it, which compares with literals.
package enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init(_ value: SQLiteValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let number): .integer(number)
      case .real(let number): .real(number)
      case .text(let text): .text(text)
      case .blob(let bytes): .blob(bytes)
      // No row that is read holds one.
      case .streamed: .null
      }
  }
}

extension StoredValue: ExpressibleByNilLiteral {
  package init(nilLiteral: ()) { self = .null }
}

extension StoredValue: ExpressibleByIntegerLiteral {
  package init(integerLiteral value: Int64) { self = .integer(value) }
}

extension StoredValue: ExpressibleByFloatLiteral {
  package init(floatLiteral value: Double) { self = .real(value) }
}

extension StoredValue: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .text(value) }
}

extension StoredValue: ExpressibleByArrayLiteral {
  package init(arrayLiteral bytes: UInt8...) { self = .blob(bytes) }
}

extension StoredValue: CustomStringConvertible {
  package var description: String {
    switch self {
    case .null: "nil"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "\"\(text)\""
    case .blob(let bytes): "\(bytes)"
    }
  }
}
