internal import BulkModel

extension ValueExpression {
  /// The expression with parts replaced, outermost first; a replaced part is not searched.
  ///
  /// - Parameter replacement: What replaces a part; `nil` to keep it and search its own parts.
  /// - Returns: The expression.
  /// - Throws: What the replacement throws.
  func replacing<Failure: Error>(
    _ replacement: (ValueExpression) throws(Failure) -> ValueExpression?
  ) throws(Failure) -> ValueExpression {
    if let found = try replacement(self) { return found }
    func inner(_ part: ValueExpression) throws(Failure) -> ValueExpression {
      try part.replacing(replacement)
    }
    func inner(_ parts: [ValueExpression]) throws(Failure) -> [ValueExpression] {
      var result: [ValueExpression] = []
      for part in parts { result.append(try inner(part)) }
      return result
    }
    switch self {
    case .constant, .classConstant, .evaluatedObject, .variable, .symbol: return self
    case .keyPath(let path, of: let operand): return .keyPath(path, of: try inner(operand))
    case .function(let target, let selector, let arguments):
      return .function(
        target: try inner(target),
        selector: selector,
        arguments: try inner(arguments)
      )
    case .predefined(let selector, let arguments):
      return .predefined(selector: selector, arguments: try inner(arguments))
    case .aggregate(let elements): return .aggregate(try inner(elements))
    case .set(let operation, let first, let second):
      return .set(operation, try inner(first), try inner(second))
    case .subquery(let collection, let variable, let predicate):
      return .subquery(
        try inner(collection),
        variable: variable,
        predicate: try predicate.replacing(replacement)
      )
    case .ternary(let predicate, let then, let otherwise):
      return .ternary(
        try predicate.replacing(replacement),
        then: try inner(then),
        otherwise: try inner(otherwise)
      )
    case .fetch(let request, let context, let countOnly):
      return .fetch(
        request: try inner(request),
        context: try inner(context),
        countOnly: countOnly
      )
    case .assignment(let variable, let value):
      return .assignment(variable: variable, value: try inner(value))
    }
  }
}

extension ValuePredicate {
  /// The predicate with parts of its expressions replaced.
  func replacing<Failure: Error>(
    _ replacement: (ValueExpression) throws(Failure) -> ValueExpression?
  ) throws(Failure) -> ValuePredicate {
    func inner(_ parts: [ValuePredicate]) throws(Failure) -> [ValuePredicate] {
      var result: [ValuePredicate] = []
      for part in parts { result.append(try part.replacing(replacement)) }
      return result
    }
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = try comparison.left.replacing(replacement)
      comparison.right = try comparison.right.replacing(replacement)
      return .comparison(comparison)
    case .not(let part): return .not(try part.replacing(replacement))
    case .and(let parts): return .and(try inner(parts))
    case .or(let parts): return .or(try inner(parts))
    }
  }
}
