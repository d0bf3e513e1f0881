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
    try part(object[key], at: key) { decoder, part throws(ExpressionArchiveError) in
      try decoder.predicate(part)
    }
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
    return try part(object["NSPredicateOperator"], at: "NSPredicateOperator") {
      decoder,
      archived throws(ExpressionArchiveError) in
      .comparison(
        ValuePredicate.Comparison(
          left,
          try decoder.meaning("NSOperatorType", of: archived),
          right,
          modifier: archived["NSModifier"] != nil
            ? try decoder.meaning("NSModifier", of: archived) : .direct,
          options: try decoder.options(archived)
        )
      )
    }
  }

  private func meaning<Meaning: RawRepresentable<Int64>>(
    _ key: String,
    of object: ArchivedObject
  ) throws(ExpressionArchiveError) -> Meaning {
    let number = try number(key, of: object)
    guard let meaning = Meaning(rawValue: number) else {
      throw error(.unknownNumber(number), at: key)
    }
    return meaning
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
    let type = try number(key, of: object)
    let parts = try parts("NSSubpredicates", of: object) {
      decoder,
      part throws(ExpressionArchiveError) in try decoder.predicate(part)
    }
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
}
