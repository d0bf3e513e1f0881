public import BulkSupport

/// A value that an attribute can hold, or a constant of an expression.
///
/// Doubles compare as in Swift, so `NaN` differs from itself.
public enum AttributeValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  /// A date, in seconds since 2001-01-01 00:00:00 UTC.
  case date(Double)
  /// Bytes of a binary or transformable attribute.
  case binary([UInt8])
  case uuid(UUID)
  /// A URI, as an absolute string.
  case uri(String)
}

extension AttributeValue {
  package enum Kind: Hashable, Sendable {
    case boolean, integer, double, decimal, string, date, binary, uuid, uri

    package var isNumber: Bool {
      switch self {
      case .boolean, .integer, .double, .decimal: true
      case .string, .date, .binary, .uuid, .uri: false
      }
    }

    /// The class of values in archives, which is also a type of `CAST`.
    package var className: String {
      switch self {
      case .boolean, .integer, .double: "NSNumber"
      case .decimal: "NSDecimalNumber"
      case .string: "NSString"
      case .date: "NSDate"
      case .binary: "NSData"
      case .uuid: "NSUUID"
      case .uri: "NSURL"
      }
    }
  }

  package var kind: Kind? {
    switch self {
    case .null: nil
    case .boolean: .boolean
    case .integer: .integer
    case .double: .double
    case .decimal: .decimal
    case .string: .string
    case .date: .date
    case .binary: .binary
    case .uuid: .uuid
    case .uri: .uri
    }
  }

  /// The size in bytes of a text or of data; 0 for other values.
  package var contentBytes: Int {
    switch self {
    case .string(let text), .uri(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    case .null, .boolean, .integer, .double, .decimal, .date, .uuid: 0
    }
  }
}

extension ArchivedObject {
  /// The object as a value; `nil` for nil, for numbers of more than 63 bits and for other objects.
  package var attributeValue: AttributeValue? {
    switch plainValue {
    case .boolean(let flag)?: return .boolean(flag)
    case .integer(let number)?: return .integer(number)
    case .real(let number)?: return .double(number)
    case .null?, .unsigned?, .uid?, .array?, .dictionary?: return nil
    case .string?, .date?, .data?, nil: break
    }
    if let string { return .string(string) }
    if let decimal { return .decimal(decimal) }
    if let date { return .date(date) }
    if let data { return .binary(data) }
    if let uuid { return .uuid(uuid) }
    return url.map { .uri($0) }
  }
}

/// The identity of an object in a store: its entity and the key of its row.
public struct ObjectID: Hashable, Sendable {
  /// The name of the object's entity.
  public let entityName: String
  /// The key of its row, `Z_PK`.
  public let key: Int64

  /// The identity of an object.
  public init(entityName: String, key: Int64) {
    self.entityName = entityName
    self.key = key
  }
}

/// The order in which Core Data sorts names: by UTF-16 code unit, regardless of locale.
package enum CodeUnitOrder {
  package static func precedes(_ first: String, _ second: String) -> Bool {
    for (one, other) in zip(first.utf8, second.utf8) where one != other {
      // The surrogates of characters that begin with 0xF0 or more precede U+E000, which begins with 0xEE.
      let isReversed = min(one, other) >= 0xEE && (one >= 0xF0) != (other >= 0xF0)
      return (one < other) != isReversed
    }
    return first.utf8.count < second.utf8.count
  }
}

extension Sequence<String> {
  package func sortedByCodeUnit() -> [String] { sorted(by: CodeUnitOrder.precedes) }
}

extension Dictionary {
  /// The first value of every key.
  package init(firstOf pairs: some Sequence<(Key, Value)>) {
    self.init(pairs) { first, _ in first }
  }
}
