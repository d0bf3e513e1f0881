package import BulkCoding

extension KeyedArchiveWriter {
  /// Adds a predicate.
  package mutating func add(_ predicate: Predicate) -> PropertyList {
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

  private mutating func add(compound type: Int64, _ parts: [Predicate]) -> PropertyList {
    add(
      class: ClassChain(PredicateClass.compound.rawValue, "NSPredicate"),
      [
        "NSCompoundPredicateType": .integer(type),
        "NSSubpredicates": add(parts.map { add($0) }),
      ]
    )
  }

  private mutating func add(_ comparison: Predicate.Comparison) -> PropertyList {
    add(
      class: ClassChain(PredicateClass.comparison.rawValue, "NSPredicate"),
      [
        "NSLeftExpression": add(comparison.left), "NSRightExpression": add(comparison.right),
        "NSPredicateOperator": add(operatorOf: comparison),
      ]
    )
  }

  private mutating func add(operatorOf comparison: Predicate.Comparison) -> PropertyList {
    let type = comparison.operator.rawValue
    // Which of the two keys a family of operators reads is not established; both are written.
    var entries: [String: PropertyList] = [
      "NSOperatorType": .integer(type), "NSModifier": .integer(comparison.modifier.rawValue),
      "NSOptions": .integer(comparison.options.rawValue),
      "NSFlags": .integer(comparison.options.rawValue),
    ]
    let family: String
    switch comparison.operator {
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      family = "NSComparisonPredicateOperator"
      entries["NSVariant"] = .integer(type)
    case .equalTo, .notEqualTo:
      family = "NSEqualityPredicateOperator"
      entries["NSNegate"] = .boolean(comparison.operator == .notEqualTo)
    case .matches: family = "NSMatchingPredicateOperator"
    case .like: family = "NSLikePredicateOperator"
    case .beginsWith, .endsWith:
      family = "NSSubstringPredicateOperator"
      entries["NSPosition"] = .integer(comparison.operator == .endsWith ? 1 : 0)
    case .in, .contains: family = "NSInPredicateOperator"
    case .between: family = "NSBetweenPredicateOperator"
    }
    return add(class: ClassChain(family, "NSPredicateOperator"), entries)
  }
}
