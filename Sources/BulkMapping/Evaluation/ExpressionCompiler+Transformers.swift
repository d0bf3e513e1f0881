internal import BulkCoding
internal import BulkModel

extension ExpressionCompiler {
  /// Compiles a message to a transformer; `nil` if the target is none.
  mutating func transformed(
    _ selector: String,
    by target: ValueExpression,
    _ arguments: [ValueExpression]
  ) throws(ExpressionFault) -> Operand? {
    guard case .function(let owner, Transformation.naming, let names) = target,
      Self.className(owner) == Transformation.className
    else { return nil }
    guard let name = Transformation.name(target) else {
      throw .wrongType(
        of: Transformation.naming,
        found: try names.first.map { name throws(ExpressionFault) in try node(name).type } ?? .null,
        expected: "a constant string"
      )
    }
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
    switch transformation.direction {
    case .reading:
      try require(value, Self.isBytes, selector, expected: "bytes")
      return .node(ExpressionNode(.transformed(transformation, value), .unknown, mayBeNil: true))
    case .writing:
      try require(value, \.isSingle, selector, expected: "one value")
      return .node(
        ExpressionNode(
          .transformed(transformation, value),
          .binary,
          mayBeNil: value.mayBeNil
        )
      )
    }
  }

  private static func isBytes(_ type: ExpressionType) -> Bool {
    type == .binary || type == .transformable || type.isOpen
  }
}

extension Evaluator {
  /// The results of a transformer.
  mutating func transformed(
    _ transformation: Transformation,
    _ operand: ExpressionNode,
    _ rows: EvaluationRows
  ) -> [EvaluatedValue] {
    let values = values(of: operand, rows)
    return eachRow(rows) { evaluator, place throws(EvaluationFailure) in
      try transformation.value(
        of: values[place],
        by: evaluator.constants.transformers,
        evaluator.memory
      )
    }
  }
}
