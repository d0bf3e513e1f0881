package import BulkSupport

private enum PredicateClass: String {
  case comparison = "NSComparisonPredicate"
  case compound = "NSCompoundPredicate"
  case `true` = "NSTruePredicate"
  case `false` = "NSFalsePredicate"
}

extension ExpressionArchivePart {
  /// The value of a key, or of the other key if the object lacks it.
  subscript(key: String, or other: String?) -> Self {
    self[object?.has(key) == true ? key : other ?? key]
  }

  func predicate() throws(ExpressionArchiveError) -> ValuePredicate {
    let known: PredicateClass = try known("a predicate")
    let part = try entered()
    switch known {
    case .true: return .constant(true)
    case .false: return .constant(false)
    case .comparison: return .comparison(try part.comparison())
    case .compound: return try part.compound()
    }
  }

  private func comparison() throws(ExpressionArchiveError) -> ValuePredicate.Comparison {
    let left = try self["NSLeftExpression"].expression()
    let right = try self["NSRightExpression"].expression()
    let archived = self["NSPredicateOperator"]
    _ = try archived.present()
    let modifier = archived["NSModifier"]
    let options = archived["NSOptions", or: "NSFlags"]
    return ValuePredicate.Comparison(
      left,
      try archived["NSOperatorType"].meaning(),
      right,
      modifier: modifier.object == nil ? .direct : try modifier.meaning(),
      options: options.object == nil ? [] : try options.options()
    )
  }

  private func options() throws(ExpressionArchiveError) -> ValuePredicate.Options {
    let bits = try integer()
    guard (0...15).contains(bits) else { throw error("\(bits) has no meaning here") }
    return ValuePredicate.Options(rawValue: bits)
  }

  private func compound() throws(ExpressionArchiveError) -> ValuePredicate {
    let type = try self["NSCompoundPredicateType"].integer()
    var parts: [ValuePredicate] = []
    for part in try self["NSSubpredicates"].elements() { parts.append(try part.predicate()) }
    switch type {
    case 0 where parts.count == 1: return .not(parts[0])
    case 0:
      throw self["NSSubpredicates"].error("this is not one predicate to negate")
    case 1: return .and(parts)
    case 2: return .or(parts)
    default: throw self["NSCompoundPredicateType"].error("\(type) has no meaning here")
    }
  }
}

extension KeyedArchiveWriter {
  package mutating func add(_ predicate: ValuePredicate) -> PropertyList {
    switch predicate {
    case .constant(let value): add(value ? PredicateClass.true : .false, [:])
    case .comparison(let comparison):
      add(
        .comparison,
        [
          "NSLeftExpression": add(comparison.left), "NSRightExpression": add(comparison.right),
          "NSPredicateOperator": add(operatorOf: comparison),
        ]
      )
    case .not(let part): add(compound: 0, [part])
    case .and(let parts): add(compound: 1, parts)
    case .or(let parts): add(compound: 2, parts)
    }
  }

  private mutating func add(
    _ known: PredicateClass,
    _ entries: [String: PropertyList]
  ) -> PropertyList {
    add(class: ClassChain(known.rawValue, "NSPredicate"), entries)
  }

  private mutating func add(compound type: Int64, _ parts: [ValuePredicate]) -> PropertyList {
    let parts = add(parts.map { add($0) })
    return add(.compound, ["NSCompoundPredicateType": .integer(type), "NSSubpredicates": parts])
  }

  /// Adds the operator of a comparison.
  ///
  /// Order, equality and `CONTAINS` comparisons are written as in the model caches of real stores (25); the
  /// classes of the others are those of an open implementation.
  private mutating func add(operatorOf comparison: ValuePredicate.Comparison) -> PropertyList {
    let type = comparison.operator.rawValue
    let options = PropertyList.integer(comparison.options.rawValue)
    let (isNot, atEnd) = (comparison.operator == .notEqualTo, comparison.operator == .endsWith)
    let (family, own): (String, [String: PropertyList]) =
      switch comparison.operator {
      case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
        ("NSComparisonPredicateOperator", ["NSVariant": .integer(type), "NSOptions": options])
      case .equalTo, .notEqualTo:
        ("NSEqualityPredicateOperator", ["NSNegate": .boolean(isNot), "NSOptions": options])
      case .in, .contains: ("NSInPredicateOperator", ["NSFlags": options])
      case .matches: ("NSMatchingPredicateOperator", ["NSFlags": options])
      case .like: ("NSLikePredicateOperator", ["NSFlags": options])
      case .beginsWith, .endsWith:
        (
          "NSSubstringPredicateOperator",
          ["NSFlags": options, "NSPosition": .integer(atEnd ? 1 : 0)]
        )
      case .between: ("NSBetweenPredicateOperator", ["NSFlags": options])
      }
    let entries: [String: PropertyList] = [
      "NSOperatorType": .integer(type), "NSModifier": .integer(comparison.modifier.rawValue),
    ]
    return add(class: ClassChain(family, "NSPredicateOperator"), entries.merging(own) { $1 })
  }
}
