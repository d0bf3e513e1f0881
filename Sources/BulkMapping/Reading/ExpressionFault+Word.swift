extension ExpressionFault {
  /// The word of an expression's text at which the fault shows; empty where it is about the whole.
  var word: String {
    switch self {
    case .unknownKey(let name, _, _), .transientKey(let name, _), .keyOfValue(let name, _),
      .unknownOperator(let name, _), .unknownCast(let name, _), .badPattern(let name, _):
      name
    case .unknownVariable(let name, _), .unsupportedVariable(let name): "$" + name
    case .needsManager(let selector), .needsPolicy(let selector): selector
    case .unsupportedFunction(let name, _), .wrongArgumentCount(let name, _, _):
      Self.written(name)
    case .wrongType(let place, _, _): Self.written(place)
    case .unsupportedExpression, .alwaysFails, .wrongAttributeType, .tooDeep: ""
    }
  }

  /// The signs that stand for functions in a text.
  private static let signs = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
    "raise:toPower:": "**", "[ ]": "[",
  ]

  /// How a function or an operator is written: with its sign, or by the beginning of its name.
  private static func written(_ name: String) -> String {
    signs[name] ?? String(name.prefix { $0 != ":" && $0 != " " })
  }
}
