internal import BulkModel
internal import BulkStore

extension ObjectCounter {
  /// Finds derived values that are not those of their expressions.
  ///
  /// The store has got them by SQL; here the expressions are evaluated object by object. Times,
  /// random numbers and objects whose expression cannot be evaluated are skipped.
  func findWrongDerivations(_ found: (StoreDifference) -> Void) throws {
    for derived in schema.derivedAttributes {
      guard let attribute = schema.model.attribute(derived.key),
        let expression = derived.evaluated(attribute.derivationExpression)
      else { continue }
      let key = derived.key
      _ = try count(key.entity, where: nil, key: nil, holds: attribute.agrees(with: expression)) {
        guard $1 == nil else { return }
        let expected = "the value of \(expression)"
        found(
          StoreDifference(
            .value,
            entity: key.entity,
            key: $0,
            property: key.property,
            expected: expected,
            found: "another"
          )
        )
      }
    }
  }
}

extension DerivedAttribute {
  /// An expression as it is evaluated; `nil` for one whose value is not that of the object alone.
  fileprivate func evaluated(_ expression: ValueExpression?) -> ValueExpression? {
    switch derivation {
    case .now, .random: return nil
    case .members(let rows, _, _) where rows.isSymmetric: return nil
    case .members(_, .sum, of: _):
      // Of Booleans the true ones are counted, which no expression says.
      if case .predefined("count:", _) = expression { return nil }
      return expression
    case .value, .members: return expression
    }
  }
}

extension AttributeDescription {
  /// The predicate that holds where the attribute has the value of an expression; fractions may be rounded otherwise.
  fileprivate func agrees(with expression: ValueExpression) -> ValuePredicate {
    let own = ValueExpression.keyPath(name, of: .evaluatedObject)
    let isEqual = ValuePredicate.comparison(.init(own, .equalTo, expression))
    guard [.double, .float, .decimal].contains(attributeType) else { return isEqual }
    func size(_ value: ValueExpression) -> ValueExpression {
      .predefined(selector: "abs:", arguments: [value])
    }
    let difference = ValueExpression.predefined(
      selector: "from:subtract:",
      arguments: [own, expression]
    )
    let tolerance = ValueExpression.predefined(
      selector: "multiply:by:",
      arguments: [size(expression), .constant(.double(1e-6))]
    )
    return .or([isEqual, .comparison(.init(size(difference), .lessThanOrEqualTo, tolerance))])
  }
}
