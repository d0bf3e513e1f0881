package import BulkModel

extension ValueExpression {
  /// The expression and all of its parts, those outside first.
  package var allParts: [ValueExpression] { [self] + children.flatMap(\.allParts) }

  /// The expression with parts replaced, outermost first; a replaced part is not searched.
  ///
  /// A replacement of `nil` keeps a part and searches its own parts.
  func replacing<Failure: Error>(
    _ replacement: (ValueExpression) throws(Failure) -> ValueExpression?
  ) throws(Failure) -> ValueExpression {
    if let found = try replacement(self) { return found }
    return try rewritten { part throws(Failure) in try part.replacing(replacement) }
  }
}

/// The size of a mapping model's expressions.
package struct MappingWeight: Hashable, Sendable {
  /// The number of nodes of all expressions: operators, functions, paths and constants.
  package private(set) var parts: Int64 = 0
  /// The size in bytes of texts and of other constants that are longer than a number.
  package private(set) var textBytes: Int64 = 0
  /// Whether a regular expression is matched.
  package private(set) var hasPatterns = false

  package init(of model: MappingModel) {
    for mapping in model.entityMappings {
      if let filter = mapping.filter {
        count(filter)
        for child in filter.children { add(child) }
      }
      for (_, value) in mapping.values { add(value) }
    }
  }

  private mutating func add(_ expression: ValueExpression) {
    for part in expression.allParts { count(part) }
  }

  private mutating func count(_ part: ValueExpression) {
    parts += 1
    switch part {
    case .constant(let value): textBytes += Int64(value.contentBytes)
    case .classConstant(let text), .variable(let text), .keyPath(let text, of: _),
      .function(target: _, selector: let text, arguments: _):
      add(text)
    case .subquery(_, let variable, let predicate):
      add(variable)
      count(predicate)
    case .ternary(let predicate, then: _, otherwise: _): count(predicate)
    case .evaluatedObject, .symbol, .predefined, .aggregate, .set, .fetch: break
    }
  }

  private mutating func count(_ predicate: ValuePredicate) {
    parts += predicate.nodeCount
    if predicate.hasPattern { hasPatterns = true }
  }

  private mutating func add(_ text: String) { textBytes += Int64(text.utf8.count) }
}
