package import BulkCoding

extension KeyedArchiveWriter {
  /// Adds a predicate.
  package mutating func add(_ predicate: ValuePredicate) -> PropertyList {
    switch predicate {
    case .constant(let value):
      let kind = value ? PredicateClass.true : .false
      return add(class: ClassChain(kind.rawValue, "NSPredicate"), [:])
    case .comparison(let comparison): return add(comparison)
    case .not(let part): return add(compound: 0, [part])
    case .and(let parts): return add(compound: 1, parts)
    case .or(let parts): return add(compound: 2, parts)
    }
  }

  private mutating func add(compound type: Int64, _ parts: [ValuePredicate]) -> PropertyList {
    add(
      class: ClassChain(PredicateClass.compound.rawValue, "NSPredicate"),
      [
        "NSCompoundPredicateType": .integer(type),
        "NSSubpredicates": add(parts.map { add($0) }),
      ]
    )
  }

  private mutating func add(_ comparison: ValuePredicate.Comparison) -> PropertyList {
    add(
      class: ClassChain(PredicateClass.comparison.rawValue, "NSPredicate"),
      [
        "NSLeftExpression": add(comparison.left), "NSRightExpression": add(comparison.right),
        "NSPredicateOperator": add(operatorOf: comparison),
      ]
    )
  }

  /// Adds the operator of a comparison.
  ///
  /// Order, equality and `CONTAINS` comparisons are written as in the model caches of real stores (25); the
  /// classes of the others are those of an open implementation.
  private mutating func add(operatorOf comparison: ValuePredicate.Comparison) -> PropertyList {
    let type = comparison.operator.rawValue
    let options = PropertyList.integer(comparison.options.rawValue)
    var entries: [String: PropertyList] = [
      "NSOperatorType": .integer(type), "NSModifier": .integer(comparison.modifier.rawValue),
    ]
    let family: String
    switch comparison.operator {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      family = "NSComparisonPredicateOperator"
      entries["NSVariant"] = .integer(type)
      entries["NSOptions"] = options
    case .equalTo, .notEqualTo:
      family = "NSEqualityPredicateOperator"
      entries["NSNegate"] = .boolean(comparison.operator == .notEqualTo)
      entries["NSOptions"] = options
    case .in, .contains:
      family = "NSInPredicateOperator"
      entries["NSFlags"] = options
    case .matches:
      family = "NSMatchingPredicateOperator"
      entries["NSFlags"] = options
    case .like:
      family = "NSLikePredicateOperator"
      entries["NSFlags"] = options
    case .beginsWith, .endsWith:
      family = "NSSubstringPredicateOperator"
      entries["NSFlags"] = options
      entries["NSPosition"] = .integer(comparison.operator == .endsWith ? 1 : 0)
    case .between:
      family = "NSBetweenPredicateOperator"
      entries["NSFlags"] = options
    }
    return add(class: ClassChain(family, "NSPredicateOperator"), entries)
  }
}
