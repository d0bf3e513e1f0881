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

/// The size of a mapping model's expressions.
package struct MappingWeight: Hashable, Sendable {
  /// The number of nodes in all expressions: operators, functions, paths and constants.
  package private(set) var parts: Int64 = 0
  /// The size in bytes of texts and of other constants that are longer than a number.
  package private(set) var textBytes: Int64 = 0

  package init(of model: MappingModel) {
    for mapping in model.entityMappings {
      if let filter = mapping.filter { add(filter) }
      if let elements = mapping.elements { add(elements) }
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        if let expression = property.valueExpression { add(expression) }
      }
    }
  }

  private mutating func add(_ expression: ValueExpression) {
    parts += 1
    switch expression {
    case .constant(let value): add(value)
    case .classConstant(let name), .variable(let name): add(name)
    case .evaluatedObject, .symbol: break
    case .keyPath(let path, of: let target):
      add(path)
      add(target)
    case .function(let target, let selector, let arguments):
      add(selector)
      for operand in [target] + arguments { add(operand) }
    case .predefined(_, let arguments): for argument in arguments { add(argument) }
    case .aggregate(let elements): for element in elements { add(element) }
    case .set(_, let first, let second):
      add(first)
      add(second)
    case .subquery(let collection, let variable, let predicate):
      add(variable)
      add(collection)
      add(predicate)
    case .ternary(let condition, let then, let otherwise):
      add(condition)
      add(then)
      add(otherwise)
    case .fetch(let request, let context, _):
      add(request)
      add(context)
    case .assignment(_, let value): add(value)
    }
  }

  private mutating func add(_ predicate: ValuePredicate) {
    parts += 1
    switch predicate {
    case .constant: break
    case .comparison(let comparison):
      add(comparison.left)
      add(comparison.right)
    case .not(let part): add(part)
    case .and(let parts), .or(let parts): for part in parts { add(part) }
    }
  }

  private mutating func add(_ value: AttributeValue) {
    switch value {
    case .string(let text), .uri(let text): add(text)
    case .binary(let bytes): textBytes += Int64(bytes.count)
    case .null, .boolean, .integer, .double, .decimal, .date, .uuid: break
    }
  }

  private mutating func add(_ text: String) { textBytes += Int64(text.utf8.count) }
}
