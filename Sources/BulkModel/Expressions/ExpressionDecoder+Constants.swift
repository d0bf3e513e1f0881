import BulkCoding

extension ExpressionDecoder {
  mutating func constant(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    if let value = object["NSConstantValue"] {
      step(to: "NSConstantValue")
      let constant = try constant(value: value)
      stepBack()
      return constant
    }
    guard object["NSConstantValueClassName"] != nil else { return .constant(.null) }
    return .classConstant(try string("NSConstantValueClassName", of: object))
  }

  /// A constant; a constant collection becomes an aggregate of its elements.
  private mutating func constant(
    value: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    if let plain = value.plainValue { return try constant(plain: plain, value) }
    if value.isKind(of: "NSNull") { return .constant(.null) }
    if let decimal = value.decimal { return .constant(.decimal(decimal)) }
    if let text = value.string { return .constant(.string(text)) }
    if let date = value.date { return .constant(.date(date)) }
    if let bytes = value.data { return .constant(.binary(bytes)) }
    if let uuid = value.uuid { return .constant(.uuid(uuid)) }
    if let uri = value.url { return .constant(.uri(uri)) }
    return try collection(value)
  }

  private mutating func constant(
    plain: PropertyList,
    _ value: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    switch plain {
    case .boolean(let flag): return .constant(.boolean(flag))
    case .integer(let number): return .constant(.integer(number))
    case .unsigned: throw error(.wrongKind(expected: "a number that fits 64 signed bits"))
    case .real(let number): return .constant(.double(number))
    case .date(let seconds): return .constant(.date(seconds))
    case .data(let bytes): return .constant(.binary(bytes))
    case .string(let text): return .constant(.string(text))
    case .null: return .constant(.null)
    case .array: return try collection(value)
    case .uid, .dictionary: throw error(.wrongKind(expected: "a constant"))
    }
  }

  private mutating func collection(
    _ value: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValueExpression {
    guard let elements = value.elements else {
      throw error(.unknownClass(value.className ?? "of nothing", expected: "a constant"))
    }
    try enter(value)
    try count(elements.count)
    var constants: [ValueExpression] = []
    for (index, element) in elements.enumerated() {
      step(to: "[\(index)]")
      if let element {
        constants.append(try constant(value: element))
      } else {
        constants.append(.constant(.null))
      }
      stepBack()
    }
    leave(value)
    return .aggregate(constants)
  }
}
