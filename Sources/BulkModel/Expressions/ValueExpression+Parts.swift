extension ValueExpression {
  /// The parts of the outermost operation in their written order, with those of its predicate.
  package var children: [ValueExpression] {
    var children: [ValueExpression] = []
    _ = rewritten { part in
      children.append(part)
      return part
    }
    return children
  }

  /// The expression with each of its ``children`` rewritten.
  package func rewritten<Failure: Error>(
    _ rewrite: (ValueExpression) throws(Failure) -> ValueExpression
  ) throws(Failure) -> ValueExpression {
    switch self {
    case .constant, .classConstant, .evaluatedObject, .variable, .symbol: self
    case .keyPath(let path, let operand): .keyPath(path, of: try rewrite(operand))
    case .function(let target, let selector, let arguments):
      .function(
        target: try rewrite(target),
        selector: selector,
        arguments: try arguments.map(rewrite)
      )
    case .predefined(let selector, let arguments):
      .predefined(selector: selector, arguments: try arguments.map(rewrite))
    case .aggregate(let elements): .aggregate(try elements.map(rewrite))
    case .set(let operation, let first, let second):
      .set(operation, try rewrite(first), try rewrite(second))
    case .subquery(let collection, let variable, let predicate):
      .subquery(
        try rewrite(collection),
        variable: variable,
        predicate: try predicate.rewritten(rewrite)
      )
    case .ternary(let predicate, let then, let otherwise):
      .ternary(
        try predicate.rewritten(rewrite),
        then: try rewrite(then),
        otherwise: try rewrite(otherwise)
      )
    case .fetch(let request, let context, let countOnly):
      .fetch(request: try rewrite(request), context: try rewrite(context), countOnly: countOnly)
    }
  }
}

extension ValuePredicate {
  /// Its own comparisons, those of operands apart, in their written order.
  private var comparisons: [Comparison] {
    switch self {
    case .constant: []
    case .comparison(let comparison): [comparison]
    case .not(let part): part.comparisons
    case .and(let parts), .or(let parts): parts.flatMap(\.comparisons)
    }
  }

  /// The operands of all comparisons in their written order.
  package var children: [ValueExpression] { comparisons.flatMap { [$0.left, $0.right] } }

  /// Whether one of its own comparisons matches a regular expression.
  package var hasPattern: Bool { comparisons.contains { $0.operator == .matches } }

  /// The number of constants, comparisons and compound predicates.
  package var nodeCount: Int64 {
    switch self {
    case .constant, .comparison: 1
    case .not(let part): 1 + part.nodeCount
    case .and(let parts), .or(let parts): parts.reduce(1) { $0 + $1.nodeCount }
    }
  }

  /// The predicate with each of its ``children`` rewritten.
  package func rewritten<Failure: Error>(
    _ rewrite: (ValueExpression) throws(Failure) -> ValueExpression
  ) throws(Failure) -> ValuePredicate {
    switch self {
    case .constant: return self
    case .comparison(var comparison):
      comparison.left = try rewrite(comparison.left)
      comparison.right = try rewrite(comparison.right)
      return .comparison(comparison)
    case .not(let part): return .not(try part.rewritten(rewrite))
    case .and(let parts):
      return .and(try parts.map { part throws(Failure) in try part.rewritten(rewrite) })
    case .or(let parts):
      return .or(try parts.map { part throws(Failure) in try part.rewritten(rewrite) })
    }
  }
}
