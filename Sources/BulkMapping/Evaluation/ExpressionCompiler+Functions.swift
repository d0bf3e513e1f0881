internal import BulkSupport
internal import BulkModel

extension ExpressionCompiler {
  mutating func predefined(
    _ selector: String,
    _ arguments: [ValueExpression]
  ) throws(ExpressionFault) -> Operand {
    guard PredefinedFunction.selectors.contains(selector) else {
      throw .unsupportedFunction(selector, nearest: PredefinedFunction.nearest(to: selector))
    }
    try requireCount(of: arguments, for: selector)
    switch selector {
    case "now": return .value(.now, .date, mayBeNil: false)
    case "random", "random:": return try random(arguments.first)
    case "uuid", "uuid:": return try uuid(arguments.first)
    case "rowKey": return .node(ExpressionNode(.rowKey, .integer(0...(.max)), mayBeNil: false))
    case "castObject:toType:": return try cast(arguments[0], arguments[1])
    case "objectFrom:withIndex:": return try element(of: arguments[0], at: arguments[1])
    case "noindex:": return try operand(arguments[0])
    default: break
    }
    guard let function = Function.named(selector) else {
      throw .unsupportedFunction(selector, nearest: nil)
    }
    return .node(try call(function, try nodes(arguments)))
  }

  /// A call of a function, or its value if that is already known.
  mutating func call(
    _ function: Function,
    _ arguments: [ExpressionNode]
  ) throws(ExpressionFault) -> ExpressionNode {
    for (argument, parameter) in zip(arguments, function.parameters) {
      try require(argument.type, parameter.accepts, function.selector, expected: parameter.expected)
    }
    let result = function.result(of: arguments)
    let node = ExpressionNode(
      .call(function, arguments),
      result.type,
      mayBeNil: result.mayBeNil
    )
    if let constant = try folded(node, of: arguments) { return constant }
    for risk in result.risks { add(risk) }
    return node
  }

  /// The value of an operation whose operands are constants.
  func folded(
    _ node: ExpressionNode,
    of operands: [ExpressionNode]
  ) throws(ExpressionFault) -> ExpressionNode? {
    guard operands.allSatisfy({ $0.constantValue != nil }) else { return nil }
    let value = try Evaluator.constant { $0.values(of: node, $1) }
    switch value {
    case .attribute(let value)?: return .constant(value)
    case .collection(let value)?:
      return ExpressionNode(.constant(.collection(value)), node.type, mayBeNil: false)
    case .object?, nil: return nil
    }
  }

  private mutating func random(_ limit: ValueExpression?) throws(ExpressionFault) -> Operand {
    let node = try limit.map { limit throws(ExpressionFault) in try self.node(limit) }
    if let node { try require(node.type, \.isNumber, "random:", expected: "a number") }
    let top: Int64 =
      if let node { node.type.integerRange.map { max($0.upperBound, 1) - 1 } ?? .max } else {
        Int64(Int32.max)
      }
    return .value(
      .random(limit: node, site: nextRandomSite()),
      .integer(0...top),
      mayBeNil: node?.mayBeNil ?? false
    )
  }

  private mutating func uuid(_ name: ValueExpression?) throws(ExpressionFault) -> Operand {
    let node = try node(name ?? .constant(.string("")))
    try require(node.type, { $0 == .string }, "uuid:", expected: "a text")
    let entity = scopes[0].entity.name
    return .node(ExpressionNode(.uuid(entity, node), .uuid, mayBeNil: node.mayBeNil))
  }

  private mutating func cast(
    _ subject: ValueExpression,
    _ type: ValueExpression
  ) throws(ExpressionFault) -> Operand {
    guard let name = type.nameText else {
      throw .wrongType(of: "CAST", found: .unknown, expected: "a type in quotes")
    }
    guard let target = CastType(rawValue: name) else {
      let nearest = NearestName.of(name, among: CastType.allCases.map(\.rawValue))
      throw .unknownCast(name, nearest: nearest)
    }
    let operand = try node(subject)
    guard operand.type.isSingle else {
      throw .wrongType(of: "CAST", found: operand.type, expected: "a value of an attribute")
    }
    guard let alwaysSucceeds = target.alwaysSucceeds(from: operand.type) else {
      throw .wrongType(of: "CAST to \(name)", found: operand.type, expected: target.sources)
    }
    let node = ExpressionNode(
      .cast(operand, target),
      target.result(of: operand.type),
      mayBeNil: operand.mayBeNil || operand.type == .double
    )
    if let constant = try folded(node, of: [operand]) { return .node(constant) }
    if !alwaysSucceeds {
      add(.cast(to: name))
      let isAny = subject.sourcePath.map { !known.matching.contains($0) } ?? false
      castsAnyText = castsAnyText || operand.type == .string && isAny
    }
    return .node(node)
  }

  private mutating func element(
    of collection: ValueExpression,
    at index: ValueExpression
  ) throws(ExpressionFault) -> Operand {
    let (node, members) = materialized(try operand(collection))
    try require(node.type, \.isCollection, "[ ]", expected: "a collection")
    let element = node.type.element
    if case .symbol(let symbol) = index {
      let isSize = symbol == .size
      return .value(
        .symbol(symbol, node),
        isSize ? .count : element,
        mayBeNil: !isSize,
        members: isSize ? nil : members
      )
    }
    let position = try self.node(index)
    try require(position.type, \.isNumber, "[ ]", expected: "an integer")
    add(.index)
    return .value(.call(.element, [node, position]), element, mayBeNil: true, members: members)
  }

  /// Checks the number of arguments; a selector has a colon for each.
  func requireCount(
    of arguments: [ValueExpression],
    for selector: String
  ) throws(ExpressionFault) {
    let expected = PredefinedFunction.argumentCount(of: selector)
    guard arguments.count == expected else {
      throw .wrongArgumentCount(function: selector, found: arguments.count, expected: expected)
    }
  }

  mutating func constantText(
    _ expression: ValueExpression?,
    of subject: String
  ) throws(ExpressionFault) -> String {
    if case .constant(.string(let text))? = expression { return text }
    let found = try expression.map { part throws(ExpressionFault) in try node(part).type }
    throw .wrongType(of: subject, found: found ?? .null, expected: "a constant string")
  }

  /// Checks a type against those that an operation takes.
  ///
  /// nil is always accepted, and a type that is not known is checked in the row.
  mutating func require(
    _ type: ExpressionType,
    _ isAccepted: (ExpressionType) -> Bool,
    _ subject: String,
    expected: String
  ) throws(ExpressionFault) {
    if isAccepted(type) || type == .null { return }
    guard type == .unknown else { throw .wrongType(of: subject, found: type, expected: expected) }
    add(.type(subject))
  }
}
