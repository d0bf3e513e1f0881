import BulkCoding

/// The supported classes of archived predicates.
enum PredicateClass: String {
  case comparison = "NSComparisonPredicate"
  case compound = "NSCompoundPredicate"
  case `true` = "NSTruePredicate"
  case `false` = "NSFalsePredicate"
}

extension ExpressionDecoder {
  mutating func predicate(
    _ key: String,
    of object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValuePredicate {
    step(to: key)
    guard let value = object[key] else { throw error(.missing) }
    let predicate = try predicate(value)
    stepBack()
    return predicate
  }

  mutating func predicate(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValuePredicate {
    guard let known = object.classNames.lazy.compactMap(PredicateClass.init).first else {
      guard let name = object.className else { throw error(.wrongKind(expected: "a predicate")) }
      throw error(.unknownClass(name, expected: "a predicate"))
    }
    try enter(object)
    let predicate: ValuePredicate
    switch known {
    case .true: predicate = .constant(true)
    case .false: predicate = .constant(false)
    case .comparison: predicate = try comparison(object)
    case .compound: predicate = try compound(object)
    }
    leave(object)
    return predicate
  }

  private mutating func comparison(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValuePredicate {
    let left = try expression("NSLeftExpression", of: object)
    let right = try expression("NSRightExpression", of: object)
    step(to: "NSPredicateOperator")
    guard let archived = object["NSPredicateOperator"] else { throw error(.missing) }
    let comparison = ValuePredicate.Comparison(
      left,
      try `operator`(archived),
      right,
      modifier: try modifier(archived),
      options: try options(archived)
    )
    stepBack()
    return .comparison(comparison)
  }

  private func `operator`(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValuePredicate.Operator {
    guard let type = try integer("NSOperatorType", of: object) else {
      throw error(.missing, at: "NSOperatorType")
    }
    guard let `operator` = ValuePredicate.Operator(rawValue: type) else {
      throw error(.unknownNumber(type), at: "NSOperatorType")
    }
    return `operator`
  }

  private func modifier(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValuePredicate.Modifier {
    let number = try integer("NSModifier", of: object) ?? 0
    guard let modifier = ValuePredicate.Modifier(rawValue: number) else {
      throw error(.unknownNumber(number), at: "NSModifier")
    }
    return modifier
  }

  /// The options, which some operator classes keep under another key.
  private func options(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValuePredicate.Options {
    let key = object.has("NSOptions") ? "NSOptions" : "NSFlags"
    let bits = try integer(key, of: object) ?? 0
    guard (0...15).contains(bits) else { throw error(.unknownNumber(bits), at: key) }
    return ValuePredicate.Options(rawValue: bits)
  }

  private mutating func compound(
    _ object: ArchivedObject
  ) throws(ExpressionArchiveError) -> ValuePredicate {
    let key = "NSCompoundPredicateType"
    guard let type = try integer(key, of: object) else { throw error(.missing, at: key) }
    let parts = try predicates("NSSubpredicates", of: object)
    switch type {
    case 0:
      guard parts.count == 1 else {
        throw error(.wrongKind(expected: "one predicate to negate"), at: "NSSubpredicates")
      }
      return .not(parts[0])
    case 1: return .and(parts)
    case 2: return .or(parts)
    default: throw error(.unknownNumber(type), at: key)
    }
  }

  private mutating func predicates(
    _ key: String,
    of object: ArchivedObject
  ) throws(ExpressionArchiveError) -> [ValuePredicate] {
    var predicates: [ValuePredicate] = []
    for (index, element) in try elements(key, of: object).enumerated() {
      step(to: "\(key)[\(index)]")
      guard let element else { throw error(.missing) }
      predicates.append(try predicate(element))
      stepBack()
    }
    return predicates
  }
}
