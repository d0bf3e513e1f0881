package import BulkModel

package indirect enum ExpressionType: Hashable, Sendable {
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
  case unknown

  package init(_ type: AttributeType) {
    self =
      switch type.kind {
      case .integer: .integer(type.integerRange ?? .int64)
      case .binary: type == .transformable ? .transformable : .binary
      case let kind?: ExpressionType(kind)
      case nil: type == .composite ? .composite : .unknown
      }
  }

  package init(_ value: AttributeValue) {
    if case .integer(let number) = value {
      self = .integer(number...number)
    } else {
      self = value.kind.map { ExpressionType($0) } ?? .null
    }
  }

  private init(_ kind: AttributeValue.Kind) {
    self =
      switch kind {
      case .boolean: .boolean
      case .integer: .integer(.int64)
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
    self == .double || self == .decimal || self == .number || integerRange != nil
  }

  var isCollection: Bool {
    if case .collection = self { true } else { false }
  }

  /// Whether values are single values of attributes, or nil.
  var isSingle: Bool {
    switch self {
    case .object, .collection, .composite: false
    case .null, .boolean, .integer, .double, .decimal, .number, .string, .date, .binary,
      .transformable, .uuid, .uri, .unknown:
      true
    }
  }

  package var element: ExpressionType {
    if case .collection(let element) = self { element } else { .unknown }
  }

  /// The range of an integer, or of a Boolean as an integer.
  package var integerRange: ClosedRange<Int64>? {
    if case .integer(let range) = self { return range }
    return self == .boolean ? 0...1 : nil
  }

  /// Whether its values are integers, all in a range.
  package func fits(_ range: ClosedRange<Int64>?) -> Bool {
    guard let own = integerRange, let range else { return false }
    return range.contains(own.lowerBound) && range.contains(own.upperBound)
  }

  /// Whether the type of a row's value may differ from this one.
  package var isOpen: Bool { self == .unknown || self == .null }

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
  package var description: String { words.one }

  /// One value of the type, and several in a collection.
  private var words: (one: String, many: String) {
    switch self {
    case .null: ("nil", "values")
    case .boolean: ("a Boolean", "Booleans")
    case .integer: ("an integer", "integers")
    case .double: ("a double", "doubles")
    case .decimal: ("a decimal number", "decimal numbers")
    case .number: ("a number", "numbers")
    case .string: ("a string", "strings")
    case .date: ("a date", "dates")
    case .binary: ("binary data", "values")
    case .transformable: ("a transformable value", "values")
    case .uuid: ("a UUID", "values")
    case .uri: ("a URI", "values")
    case .composite: ("a composite value", "values")
    case .object(let entity): ("an object of \(entity)", "objects of \(entity)")
    case .collection(let element): ("a collection of \(element.words.many)", "collections")
    case .unknown: ("a value of any type", "values")
    }
  }
}
