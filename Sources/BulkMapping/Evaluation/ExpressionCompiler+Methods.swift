internal import BulkSupport
internal import BulkModel

extension ExpressionCompiler {
  mutating func method(
    _ selector: String,
    of target: ValueExpression,
    _ arguments: [ValueExpression]
  ) throws(ExpressionFault) -> Operand {
    if let name = Self.className(target) {
      return try operand(try message(selector, toClass: name, arguments))
    }
    if let found = try transformed(selector, by: target, arguments) { return found }
    if selector == "objectID" { return try keys([selector], of: try operand(target)) }
    let known = Function.methods(of: selector)
    guard !known.isEmpty else {
      throw .unsupportedFunction(selector, nearest: Function.nearestMethod(to: selector))
    }
    try requireCount(of: arguments, for: selector)
    let (receiver, members) = materialized(try operand(target))
    if selector == "count", receiver.type.isCollection, !receiver.mayBeNil {
      // A relationship is counted without its objects.
      return .node(try call(.count, [receiver]))
    }
    return try call(known, selector, of: (receiver, members), arguments)
  }

  /// The methods that the receiver may have.
  private mutating func methods(
    _ known: [Function],
    _ selector: String,
    of receiver: ExpressionNode
  ) throws(ExpressionFault) -> [Function] {
    if receiver.type == .null { return known }
    guard receiver.type != .unknown else {
      add(.type(selector))
      return known
    }
    let found = known.filter { $0.parameters[0].accepts(receiver.type) }
    guard !found.isEmpty else { throw .noMethod(selector, of: receiver.type) }
    return found
  }

  mutating func call(
    _ known: [Function],
    _ selector: String,
    of receiver: (node: ExpressionNode, members: InputScope?),
    _ arguments: [ValueExpression]
  ) throws(ExpressionFault) -> Operand {
    var operands = [receiver.node]
    var characters: CharacterSetConstant?
    // Methods of one selector differ in their receivers, and in the types of their arguments alone.
    for (parameter, argument) in zip(known[0].parameters.dropFirst(), arguments) {
      if parameter == .characters {
        characters = try characterSet(argument, selector)
      } else {
        operands.append(try node(argument))
      }
    }
    let methods = try self.methods(known, selector, of: receiver.node)
    for (index, node) in operands.enumerated().dropFirst() {
      let accepting = Set(methods.map { $0.parameters[index] })
      try require(
        node.type,
        { type in accepting.contains { $0.accepts(type) } },
        selector,
        expected: accepting.map(\.expected).sorted().joined(separator: " or ")
      )
      if node.mayBeNil, !accepting.contains(.any) { add(.nilArgument(selector)) }
    }
    let results = methods.map { $0.result(of: operands) }
    if results.contains(where: \.mayFail) { add(.method(selector)) }
    callsMethods = true
    let node = ExpressionNode(
      .message(MethodCall(selector: selector, methods: methods, characters: characters), operands),
      results.reduce(ExpressionType.null) { $0.union($1.type) },
      mayBeNil: results.contains(where: \.mayBeNil)
    )
    if let constant = try folded(node, of: operands) { return .node(constant) }
    let keepsObjects = results.contains(where: \.keepsElements)
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
    let known = ClassMessage.all.filter { $0.className == name }
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
    _ subject: String
  ) throws(ExpressionFault) -> CharacterSetConstant {
    guard case .function(let target, let selector, let arguments) = expression,
      selector == CharacterSetConstant.inverting
        || Self.className(target) == CharacterSetConstant.className
    else {
      let expected = Parameter.characters.expected
      throw .wrongType(of: subject, found: try node(expression).type, expected: expected)
    }
    if selector == CharacterSetConstant.inverting {
      return try characterSet(target, subject).inverted
    }
    if let set = CharacterSetConstant.named(selector) {
      try requireCount(of: arguments, for: selector)
      return set
    }
    guard selector == CharacterSetConstant.listing else {
      let nearest = NearestName.of(selector, among: CharacterSetConstant.selectors)
      throw .unsupportedFunction(selector, nearest: nearest)
    }
    try requireCount(of: arguments, for: selector)
    let text = try constantText(arguments[0], of: selector)
    return CharacterSetConstant([], Set(text.unicodeScalars))
  }
}

/// Messages to transformers.
extension ExpressionCompiler {
  /// Compiles a message to a transformer; `nil` if the target is none.
  private mutating func transformed(
    _ selector: String,
    by target: ValueExpression,
    _ arguments: [ValueExpression]
  ) throws(ExpressionFault) -> Operand? {
    guard case .function(let owner, Transformation.naming, let names) = target,
      Self.className(owner) == Transformation.className
    else { return nil }
    let name = TransformerName(try constantText(names.first, of: Transformation.naming))
    guard let transformation = Transformation(selector, to: name) else {
      throw .unsupportedFunction(
        selector,
        nearest: NearestName.of(selector, among: Transformation.selectors)
      )
    }
    try requireCount(of: arguments, for: selector)
    let value = try node(arguments[0])
    add(.transformer(name.text))
    callsMethods = true
    guard transformation.direction == .reading else {
      try require(value.type, \.isSingle, selector, expected: "one value")
      return .value(.transformed(transformation, value), .binary, mayBeNil: value.mayBeNil)
    }
    let isBytes = { (type: ExpressionType) in
      [.binary, .transformable].contains(type) || type.isOpen
    }
    try require(value.type, isBytes, selector, expected: "bytes")
    return .value(.transformed(transformation, value), .unknown, mayBeNil: true)
  }
}

extension ValueExpression {
  var nameText: String? {
    if case .classConstant(let name) = self { return name }
    guard case .constant(.string(let text)) = self else { return nil }
    return text
  }
}
