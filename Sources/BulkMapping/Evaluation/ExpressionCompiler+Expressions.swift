package import BulkModel

extension ExpressionCompiler {
  mutating func node(_ expression: ValueExpression) throws(ExpressionFault) -> ExpressionNode {
    node(of: try operand(expression))
  }

  mutating func nodes(
    _ expressions: [ValueExpression]
  ) throws(ExpressionFault) -> [ExpressionNode] {
    try expressions.map { expression throws(ExpressionFault) in try node(expression) }
  }

  mutating func operand(_ expression: ValueExpression) throws(ExpressionFault) -> Operand {
    operands += 1
    let before = operands
    do throws(ExpressionFault) {
      return try deeper { compiler throws(ExpressionFault) in try compiler.unchecked(expression) }
    } catch {
      let substitute = try substitute(after: error)
      // Each part is compiled once, so that the time stays in proportion to the parts.
      if operands == before {
        for part in expression.calledWith where Self.className(part) == nil { _ = try node(part) }
      }
      return .node(substitute)
    }
  }

  private mutating func unchecked(
    _ expression: ValueExpression
  ) throws(ExpressionFault) -> Operand {
    switch expression {
    case .constant(let value): return .node(.constant(value))
    case .classConstant(let name): throw .unsupportedExpression("the class \(name)")
    case .evaluatedObject: return .path(source)
    case .variable(let name): return try variable(name)
    case .keyPath(let path, of: let target): return try keyPath(path, of: target)
    case .function(let target, let selector, let arguments):
      return try function(selector, of: target, arguments)
    case .predefined(let selector, let arguments): return try predefined(selector, arguments)
    case .symbol(let symbol):
      throw .unsupportedExpression("\(symbol.rawValue) without a collection")
    case .aggregate(let elements): return try aggregate(elements)
    case .set(let operation, let first, let second):
      return try set(operation, first, second)
    case .subquery(let collection, let variable, let predicate):
      return try subquery(collection, variable, predicate)
    case .ternary(let condition, let then, let otherwise):
      return try ternary(condition, then, otherwise)
    case .fetch: throw .unsupportedExpression("FETCH")
    }
  }

  private mutating func keyPath(
    _ path: String,
    of target: ValueExpression
  ) throws(ExpressionFault) -> Operand {
    // Each branch has its own inputs, so a key of a ternary becomes a ternary of keys.
    if case .ternary(let condition, let then, let otherwise) = target {
      return try ternary(condition, .keyPath(path, of: then), .keyPath(path, of: otherwise))
    }
    if case .keyPath(let inner, of: let operand) = target, !inner.contains("@") {
      return try keyPath(inner + "." + path, of: operand)
    }
    let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return try keys(names[...], of: try operand(target))
  }

  private mutating func aggregate(
    _ elements: [ValueExpression]
  ) throws(ExpressionFault) -> Operand {
    let nodes = try nodes(elements)
    let type = nodes.map(\.type).reduce(ExpressionType.null) { $0.union($1) }
    let node = ExpressionNode(.aggregate(nodes), .collection(of: type), mayBeNil: false)
    return .node(try folded(node, of: nodes) ?? node)
  }

  private mutating func set(
    _ operation: ValueExpression.SetOperation,
    _ first: ValueExpression,
    _ second: ValueExpression
  ) throws(ExpressionFault) -> Operand {
    let (left, members) = materialized(try operand(first))
    let right = try node(second)
    for side in [left, right] {
      try require(side.type, \.isCollection, operation.text, expected: "collections")
    }
    let type = left.type.union(right.type)
    // Objects of two relationships have different inputs, so no key can be read from a union of both.
    let found = operation == .union ? nil : members
    return .value(
      .set(operation, left, right),
      type,
      mayBeNil: left.mayBeNil || right.mayBeNil,
      members: found
    )
  }

  private mutating func subquery(
    _ collection: ValueExpression,
    _ variable: String,
    _ predicate: ValuePredicate
  ) throws(ExpressionFault) -> Operand {
    let (node, members) = materialized(try operand(collection))
    let element = node.type.element
    let hasValues = element.isSingle && element != .unknown
    guard node.type.isCollection, members != nil || hasValues else {
      let expected = "objects of a relationship or a collection of values"
      throw .wrongType(of: "SUBQUERY", found: node.type, expected: expected)
    }
    // Values have no inputs but themselves.
    let condition = try binding(
      variable,
      to: members ?? InputScope(scopes[0].entity),
      ofValues: members == nil ? element : nil
    ) { compiler throws(ExpressionFault) in try compiler.predicate(predicate) }
    return .value(
      .subquery(node, condition),
      node.type,
      mayBeNil: node.mayBeNil,
      members: members
    )
  }

  private mutating func ternary(
    _ condition: ValuePredicate,
    _ then: ValueExpression,
    _ otherwise: ValueExpression
  ) throws(ExpressionFault) -> Operand {
    let test = try predicate(condition)
    let outer = known
    defer { known = outer }
    known.add(condition, holds: true)
    let first = try node(then)
    known = outer
    known.add(condition, holds: false)
    let second = try node(otherwise)
    if case .constant(let isTrue) = test { return .node(isTrue ? first : second) }
    return .value(
      .ternary(test, then: first, otherwise: second),
      first.type.union(second.type),
      mayBeNil: first.mayBeNil || second.mayBeNil
    )
  }

  private mutating func function(
    _ selector: String,
    of target: ValueExpression,
    _ arguments: [ValueExpression]
  ) throws(ExpressionFault) -> Operand {
    if target == .variable("manager") { throw .needsManager(selector: selector) }
    if target == .variable("entityPolicy") { throw .needsPolicy(selector: selector) }
    if target == .classConstant("_NSPredicateUtilities") {
      return try predefined(selector, arguments)
    }
    guard let known = KeyedSelector(rawValue: selector) else {
      return try method(selector, of: target, arguments)
    }
    try requireCount(of: arguments, for: selector)
    let key = try constantText(arguments[0], of: selector)
    return switch known {
    case .key: try keys([key], of: try operand(target))
    case .keyPath: try keyPath(key, of: target)
    }
  }
}

extension ValueExpression {
  /// The receiver and the arguments of a call that are values.
  fileprivate var calledWith: [ValueExpression] {
    switch self {
    case .function(_, CharacterSetConstant.inverting, _): []
    case .function(let target, _, let arguments): [target] + arguments
    case .predefined(_, let arguments): arguments
    default: []
    }
  }
}

extension ExpressionNode {
  package static func constant(_ value: AttributeValue) -> ExpressionNode {
    ExpressionNode(.constant(.attribute(value)), ExpressionType(value), mayBeNil: value == .null)
  }

  package var constantValue: EvaluatedValue? {
    if case .constant(let value) = operation { value } else { nil }
  }
}
