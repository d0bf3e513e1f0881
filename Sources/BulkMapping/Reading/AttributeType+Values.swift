internal import BulkModel

extension AttributeType {
  /// What keeps a constant from being a value of the type, as the middle of a sentence.
  func objection(to value: AttributeValue) -> String? {
    let isRight: Bool
    switch (self, value) {
    case (_, .null), (.undefined, _), (.transformable, _), (.objectID, _): return nil
    case (.integer16, .integer(let number)):
      if Int16(exactly: number) == nil { return "is too large for an attribute" }
      return nil
    case (.integer32, .integer(let number)):
      if Int32(exactly: number) == nil { return "is too large for an attribute" }
      return nil
    default: isRight = isNumber ? value.isNumber : hasValue(value)
    }
    return isRight ? nil : "is no value for an attribute"
  }

  private func hasValue(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (.string, .string), (.date, .date), (.binaryData, .binary), (.uuid, .uuid), (.uri, .uri):
      true
    default: false
    }
  }

  /// Whether values are numbers; truth values are.
  private var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    case .undefined, .string, .date, .binaryData, .uuid, .uri, .transformable, .objectID,
      .composite:
      false
    }
  }

  /// Whether values of the type can be values of another without being turned into something else.
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
  /// That values of a source attribute have another type, as a sentence.
  func typeChange(from source: AttributeDescription) -> String? {
    guard !source.attributeType.isLike(attributeType) else { return nil }
    return "\(source.name) has the type \(source.attributeType.name), and \(name) the type "
      + attributeType.name
  }
}
