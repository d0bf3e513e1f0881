internal import BulkCoding
internal import BulkModel

/// Calls of Foundation's methods with `FUNCTION`.
extension ExpressionCompiler {
  /// Compiles a call of a method of a value.
  mutating func method(
    _ selector: String,
    of target: ValueExpression,
    _ arguments: [ValueExpression]
  ) throws(ExpressionFault) -> Operand {
    if let name = Self.className(target) {
      return try operand(try message(selector, toClass: name, arguments))
    }
    if let found = try transformed(selector, by: target, arguments) { return found }
    let known = FoundationMethod.methods(of: selector)
    guard !known.isEmpty else {
      throw .unsupportedFunction(selector, nearest: FoundationMethod.nearest(to: selector))
    }
    try requireCount(of: arguments, for: selector)
    let (receiver, members) = materialized(try operand(target))
    if selector == "count", receiver.type.isCollection, !receiver.mayBeNil {
      // A relationship is counted without its objects.
      return .node(try call(.count, [receiver]))
    }
    let methods = try self.methods(known, selector, of: receiver)
    return try call(methods, selector, of: (receiver, members), arguments)
  }

  /// The methods that the receiver may have.
  private mutating func methods(
    _ known: [FoundationMethod],
    _ selector: String,
    of receiver: ExpressionNode
  ) throws(ExpressionFault) -> [FoundationMethod] {
    if receiver.type == .null { return known }
    guard receiver.type != .unknown else {
      add(.type(selector))
      return known
    }
    let found = known.filter { $0.isReceived(receiver.type) }
    guard !found.isEmpty else { throw .noMethod(selector, of: receiver.type) }
    return found
  }

  private mutating func call(
    _ methods: [FoundationMethod],
    _ selector: String,
    of receiver: (node: ExpressionNode, members: InputScope?),
    _ arguments: [ValueExpression]
  ) throws(ExpressionFault) -> Operand {
    var operands = [receiver.node]
    var characters: CharacterSetConstant?
    // Methods of one selector differ in their receivers, and in the types of their arguments alone.
    let parameters = methods[0].parameters
    for (place, argument) in arguments.enumerated() {
      if parameters[place] == .characters {
        characters = try characterSet(argument, selector)
        continue
      }
      let node = try self.node(argument)
      let accepting = Set(methods.map { $0.parameters[place] })
      try require(
        node,
        { type in accepting.contains { $0.accepts(type) } },
        selector,
        expected: accepting.map(\.expected).sorted().joined(separator: " or ")
      )
      if node.mayBeNil, !accepting.contains(.any) { add(.nilArgument(selector)) }
      operands.append(node)
    }
    if methods.contains(where: \.result.mayFail) { add(.method(selector)) }
    callsMethods = true
    let types = methods.map { $0.result.type(of: operands.map(\.type)) }
    let node = ExpressionNode(
      .message(MethodCall(selector: selector, methods: methods, characters: characters), operands),
      types.reduce(ExpressionType.null) { $0.union($1) },
      mayBeNil: receiver.node.mayBeNil || methods.contains(where: \.result.mayBeNil)
    )
    if let constant = try folded(node, of: operands) { return .node(constant) }
    let keepsObjects = methods.contains(where: \.result.givesElements)
    return .node(node, members: keepsObjects ? receiver.members : nil)
  }

  /// The class that an expression names; `nil` for other expressions.
  static func className(_ expression: ValueExpression) -> String? {
    if case .classConstant(let name) = expression { return name }
    guard case .predefined("castObject:toType:", let arguments) = expression,
      arguments.last == .constant(.string("Class")),
      case .constant(.string(let name))? = arguments.first
    else { return nil }
    return name
  }

  /// The expression that a message to a class stands for.
  private func message(
    _ selector: String,
    toClass name: String,
    _ arguments: [ValueExpression]
  ) throws(ExpressionFault) -> ValueExpression {
    let known = ClassMethod.rows.map(\.entry).filter { $0.className == name }
    guard !known.isEmpty else { throw .unsupportedExpression("the class \(name)") }
    guard let method = known.first(where: { $0.selector == selector }) else {
      let nearest = NearestName.of(selector, among: known.map(\.selector))
      throw .unsupportedFunction(selector, nearest: nearest)
    }
    try requireCount(of: arguments, for: selector)
    return method.expression(arguments)
  }

  /// A set of characters, which must be known when the plan is made.
  private mutating func characterSet(
    _ expression: ValueExpression,
    _ place: String
  ) throws(ExpressionFault) -> CharacterSetConstant {
    guard case .function(let target, let selector, let arguments) = expression,
      selector == CharacterSetConstant.inverting
        || Self.className(target) == CharacterSetConstant.className
    else {
      let expected = MethodParameter.characters.expected
      throw .wrongType(of: place, found: try node(expression).type, expected: expected)
    }
    if selector == CharacterSetConstant.inverting {
      return try characterSet(target, place).inverted
    }
    guard let name = CharacterSetConstant.Name(rawValue: selector) else {
      let known = CharacterSetConstant.Name.allCases.map(\.rawValue)
      throw .unsupportedFunction(selector, nearest: NearestName.of(selector, among: known))
    }
    try requireCount(of: arguments, for: selector)
    guard let members = arguments.first else { return CharacterSetConstant(name) }
    guard case .constant(.string(let text)) = members else {
      throw .wrongType(of: selector, found: try node(members).type, expected: "a constant string")
    }
    return CharacterSetConstant(name, text)
  }
}

extension ValueExpression {
  /// The name of a type, as a text or as a class.
  var nameText: String? {
    if case .classConstant(let name) = self { return name }
    guard case .constant(.string(let text)) = self else { return nil }
    return text
  }
}
