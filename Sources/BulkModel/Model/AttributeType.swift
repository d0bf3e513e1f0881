/// The type of an attribute, with Core Data's numbers (`NSAttributeType`).
///
/// A store gives each its column (`declaredType`, `columnGroup`); all else follows the kind of its values.
public enum AttributeType: Int32, Hashable, Sendable, CaseIterable {
  /// No type; only transient attributes may have it.
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binaryData = 1000
  case uuid = 1100
  case uri = 1200
  /// An object that a value transformer turns into bytes.
  case transformable = 1800
  case objectID = 2000
  case composite = 2100
}

extension AttributeType {
  /// The kind of its values; `nil` if no single value is one.
  package var kind: AttributeValue.Kind? {
    switch self {
    case .integer16, .integer32, .integer64: .integer
    case .decimal: .decimal
    case .double, .float: .double
    case .string: .string
    case .boolean: .boolean
    case .date: .date
    case .binaryData, .transformable: .binary
    case .uuid: .uuid
    case .uri: .uri
    case .undefined, .objectID, .composite: nil
    }
  }

  /// The name in model sources (`Integer 16`), which Xcode also shows.
  public var name: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binaryData: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "Object ID"
    case .composite: "Composite"
    }
  }

  package var integerRange: ClosedRange<Int64>? {
    guard kind == .integer else { return nil }
    return self == .integer16 ? .int16 : self == .integer32 ? .int32 : .int64
  }

  package var isNumber: Bool { kind?.isNumber == true }

  /// Whether an attribute may have values that the model says nothing about.
  package var isOpen: Bool { self == .undefined || self == .transformable || self == .objectID }

  /// The class that compiled models name for values of this type.
  var valueClassName: String? {
    self == .transformable ? nil : self == .composite ? "NSDictionary" : kind?.className
  }
}

extension ClosedRange<Int64> {
  package static let int16 = Int64(Int16.min)...Int64(Int16.max)
  package static let int32 = Int64(Int32.min)...Int64(Int32.max)
  package static let int64 = Int64.min...Int64.max
}
