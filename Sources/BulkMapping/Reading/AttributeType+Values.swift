internal import BulkModel

extension AttributeType {
  /// Why a constant is not a value of the type, as a phrase for the middle of a sentence.
  func objection(to value: AttributeValue) -> String? {
    if value == .null || isOpen { return nil }
    if case .integer(let number) = value, let range = shortRange {
      return range.contains(number) ? nil : "is too large for an attribute"
    }
    let isRight = isNumber ? value.isNumber : hasValue(value)
    return isRight ? nil : "is no value for an attribute"
  }

  /// The values of an integer type that does not hold all integers.
  private var shortRange: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .undefined, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binaryData,
      .uuid, .uri, .transformable, .objectID, .composite:
      nil
    }
  }

  private func hasValue(_ value: AttributeValue) -> Bool {
    switch value {
    case .string: self == .string
    case .date: self == .date
    case .binary: self == .binaryData
    case .uuid: self == .uuid
    case .uri: self == .uri
    case .null, .boolean, .integer, .double, .decimal: false
    }
  }

  /// Whether values are numbers, including Booleans.
  private var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    case .undefined, .string, .date, .binaryData, .uuid, .uri, .transformable, .objectID,
      .composite:
      false
    }
  }

  /// Whether values of the type can be values of another without conversion.
  func isLike(_ other: AttributeType) -> Bool {
    self == other || isNumber && other.isNumber || isOpen || other.isOpen
  }

  private var isOpen: Bool { self == .undefined || self == .transformable || self == .objectID }
}

extension AttributeValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .boolean, .integer, .double, .decimal: true
    case .null, .string, .date, .binary, .uuid, .uri: false
    }
  }
}

extension AttributeDescription {
  /// A message that a source attribute has another type.
  func typeChange(from source: AttributeDescription) -> String? {
    guard !source.attributeType.isLike(attributeType) else { return nil }
    return "\(source.name) has the type \(source.attributeType.name), and \(name) the type "
      + attributeType.name
  }
}
