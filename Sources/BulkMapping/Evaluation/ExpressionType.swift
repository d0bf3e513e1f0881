package import BulkModel

/// The static type of a value.
package indirect enum ExpressionType: Hashable, Sendable {
  /// Always nil.
  case null
  case boolean
  /// An integer in a range, if the store conforms to its model.
  case integer(ClosedRange<Int64>)
  /// A single- or double-precision number.
  case double
  case decimal
  /// A number whose kind is known only at run time.
  case number
  case string
  case date
  case binary
  case transformable
  case uuid
  case uri
  /// A composite attribute as a whole.
  case composite
  /// An object of an entity or of one of its subentities.
  case object(entity: String)
  case collection(of: ExpressionType)
  /// Any value.
  case unknown

  /// The type of an attribute's values.
  package init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16: .integer(Int64(Int16.min)...Int64(Int16.max))
      case .integer32: .integer(Int64(Int32.min)...Int64(Int32.max))
      case .integer64: .integer(.min ... .max)
      case .double, .float: .double
      case .decimal: .decimal
      case .boolean: .boolean
      case .string: .string
      case .date: .date
      case .binaryData: .binary
      case .transformable: .transformable
      case .uuid: .uuid
      case .uri: .uri
      case .composite: .composite
      case .objectID, .undefined: .unknown
      }
  }

  /// The type of a constant.
  package init(_ value: AttributeValue) {
    self =
      switch value {
      case .null: .null
      case .boolean: .boolean
      case .integer(let number): .integer(number...number)
      case .double: .double
      case .decimal: .decimal
      case .string: .string
      case .date: .date
      case .binary: .binary
      case .uuid: .uuid
      case .uri: .uri
      }
  }

  /// Whether values are numbers, including Booleans.
  package var isNumber: Bool {
    switch self {
    case .boolean, .integer, .double, .decimal, .number: true
    case .null, .string, .date, .binary, .transformable, .uuid, .uri, .composite, .object,
      .collection, .unknown:
      false
    }
  }

  /// Whether values are collections.
  var isCollection: Bool {
    guard case .collection = self else { return false }
    return true
  }

  /// The range of an integer, or of a Boolean as an integer.
  package var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer(let range): range
    case .boolean: 0...1
    case .null, .double, .decimal, .number, .string, .date, .binary, .transformable, .uuid, .uri,
      .composite, .object, .collection, .unknown:
      nil
    }
  }

  /// Whether the type of a row's value may differ from this one.
  package var isOpen: Bool { self == .unknown || self == .null }

  /// The common type of two alternatives.
  func union(_ other: ExpressionType) -> ExpressionType {
    if self == other || other == .null { return self }
    if self == .null { return other }
    if case (.integer(let first), .integer(let second)) = (self, other) {
      return .integer(
        min(first.lowerBound, second.lowerBound)...max(first.upperBound, second.upperBound)
      )
    }
    if case (.collection(let first), .collection(let second)) = (self, other) {
      return .collection(of: first.union(second))
    }
    return isNumber && other.isNumber ? .number : .unknown
  }
}

extension ExpressionType: CustomStringConvertible {
  /// The type with its article, for messages.
  package var description: String {
    switch self {
    case .null: "nil"
    case .boolean: "a Boolean"
    case .integer: "an integer"
    case .double: "a double"
    case .decimal: "a decimal number"
    case .number: "a number"
    case .string: "a string"
    case .date: "a date"
    case .binary: "binary data"
    case .transformable: "a transformable value"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .composite: "a composite value"
    case .object(let entity): "an object of \(entity)"
    case .collection(let element): "a collection of \(element.plural)"
    case .unknown: "a value of any type"
    }
  }

  private var plural: String {
    switch self {
    case .object(let entity): "objects of \(entity)"
    case .collection: "collections"
    case .boolean: "Booleans"
    case .integer: "integers"
    case .double: "doubles"
    case .decimal: "decimal numbers"
    case .number: "numbers"
    case .string: "strings"
    case .date: "dates"
    case .null, .binary, .transformable, .uuid, .uri, .composite, .unknown: "values"
    }
  }
}
