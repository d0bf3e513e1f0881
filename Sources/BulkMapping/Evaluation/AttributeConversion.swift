package import BulkModel

package struct AttributeConversion: Hashable, Sendable {
  package let attribute: AttributeDescription
  package let risks: [RunTimeRisk]
  /// The integers that may be assigned; `nil` if it holds none.
  ///
  /// Where all values of the expression's type fit, a store may still hold others, which are kept as SQL keeps them.
  private let integers: ClosedRange<Int64>?

  package init(
    of node: ExpressionNode,
    to attribute: AttributeDescription
  ) throws(ExpressionFault) {
    self.attribute = attribute
    guard Self.accepts(node.type, attribute.attributeType) else {
      throw .wrongAttributeType(
        attribute: attribute.name,
        attribute.attributeType,
        found: node.type
      )
    }
    risks = Self.risks(of: node, attribute)
    let range = attribute.attributeType.integerRange
    integers =
      Self.mayExceedRange(attribute.attributeType, node.type) ? range : range.map { _ in .int64 }
    guard let constant = node.constantValue, case .failure(let failure) = value(of: constant) else {
      return
    }
    throw .alwaysFails(failure.message)
  }

  /// The value converted to the attribute's type; nil stays nil.
  package func value(of value: EvaluatedValue) -> Result<AttributeValue, EvaluationFailure> {
    guard case .attribute(let given) = value else { return .failure(unfit(value)) }
    if given == .null { return .success(given) }
    if let number = Number(given) { return converted(number) }
    return given.kind == attribute.attributeType.kind ? .success(given) : .failure(unfit(value))
  }

  private func converted(_ number: Number) -> Result<AttributeValue, EvaluationFailure> {
    switch attribute.attributeType.kind {
    case .boolean: return .success(.boolean(!number.isZero))
    case .double: return .success(Number.double(number.double).value)
    case .decimal:
      guard let decimal = number.decimal else { return .failure(outside(number)) }
      return .success(.decimal(decimal))
    case .integer:
      guard let whole = number.integer, let integers, integers.contains(whole) else {
        return .failure(outside(number))
      }
      return .success(.integer(whole))
    case .string, .date, .binary, .uuid, .uri, nil:
      return .failure(unfit(.attribute(number.value)))
    }
  }

  private func outside(_ number: Number) -> EvaluationFailure {
    EvaluationFailure(
      "\(number.text) does not fit into \(attribute.name), which is "
        + attribute.attributeType.name
    )
  }

  private func unfit(_ value: EvaluatedValue) -> EvaluationFailure {
    EvaluationFailure(
      "\(attribute.name) is \(attribute.attributeType.name) and cannot take \(value.kind)"
    )
  }

  private static func accepts(_ type: ExpressionType, _ attribute: AttributeType) -> Bool {
    if attribute.isNumber { return type.isNumber || type.isOpen }
    // An attribute without values of its own takes nil only.
    guard attribute.kind != nil else {
      return type == .null || type == .composite && attribute == .composite
    }
    return type.isOpen || type == ExpressionType(attribute)
      || type == .binary && attribute == .transformable
  }

  private static func risks(
    of node: ExpressionNode,
    _ attribute: AttributeDescription
  ) -> [RunTimeRisk] {
    var risks: [RunTimeRisk] = []
    if node.type == .unknown { risks.append(.type(attribute.name)) }
    if node.constantValue == nil, mayExceedRange(attribute.attributeType, node.type) {
      risks.append(.range(attribute: attribute.name, type: attribute.attributeType.name))
    }
    if node.mayBeNil, !attribute.isOptional {
      risks.append(.missingValue(attribute: attribute.name))
    }
    return risks
  }

  /// Whether a number of a type may be outside the attribute's range.
  private static func mayExceedRange(_ attribute: AttributeType, _ type: ExpressionType) -> Bool {
    guard type.isNumber || type == .unknown else { return false }
    if attribute == .decimal { return type.integerRange == nil && type != .decimal }
    return attribute.integerRange != nil && !type.fits(attribute.integerRange)
  }
}
