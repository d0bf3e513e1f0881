internal import BulkPlan
package import BulkMapping
package import BulkModel
internal import BulkStore

/// Evaluates an expression for single objects of an entity, as a run evaluates it for the rows of a page.
package struct ObjectEvaluation {
  /// An element of a collection for which an object is made.
  package struct Element: Sendable {
    /// Its ordinal among the elements of its object, from 0.
    package let ordinal: Int
    package let value: EvaluatedValue

    package init(_ value: EvaluatedValue, at ordinal: Int) {
      (self.value, self.ordinal) = (value, ordinal)
    }
  }

  /// The outcome of the expression for an object.
  package enum Outcome: Hashable, Sendable {
    case value(EvaluatedValue)
    case fault(String)
    /// Why one of the values that it reads cannot be read.
    case unreadable(String)
  }

  /// What the expression read of an object, by the path from the object, and what came of it.
  package struct Result: Sendable {
    package let inputs: [(path: String, value: EvaluatedValue)]
    package let outcome: Outcome
  }

  package var type: ExpressionType { program.root.type }
  /// The attribute of the object whose value the expression is; `nil` for any other expression.
  package var copiedAttribute: String? {
    guard case .input(let index, frame: 0) = program.root.operation,
      case .attribute = program.inputs[index].content
    else { return nil }
    let path = program.inputs[index].path
    return path.count == 1 ? path[0] : nil
  }

  private let program: ExpressionProgram
  private let conversion: AttributeConversion?
  private let evaluator: PageEvaluator

  /// Throws ``ExpressionFault`` if the expression cannot be evaluated, or gives no value of the attribute.
  ///
  /// The type `element` is that of `$element`; `nil` if the variable does not exist.
  package init(
    _ expression: ValueExpression,
    of entity: EntityDescription,
    element: ExpressionType? = nil,
    for attribute: AttributeDescription? = nil,
    in source: ObjectSource
  ) throws {
    let schema = source.schema
    let program = try ExpressionProgram(expression, of: entity, in: schema.model, element: element)
    self.program = program
    conversion = try attribute.map { try AttributeConversion(of: program.root, to: $0) }
    evaluator = try PageEvaluator(
      ProgramPage(program.inputs, of: entity, in: schema),
      of: schema.table(of: entity).name,
      in: source
    )
  }

  /// `nil` if there is no row with the key.
  package func result(of key: Int64, _ element: Element? = nil) throws -> Result? {
    var result: Result?
    try evaluator.each(in: key...key, limit: 1) { rows in
      let read = try evaluator.inputs(of: rows)
      var columns = read.values.columns
      if let element { columns[.element] = [element.value] }
      let found = try evaluator.evaluate(
        program,
        ValuePage(keys: [key], ordinals: [element?.ordinal ?? 0], columns: columns)
      )
      result = Result(
        inputs: program.inputs.filter { $0 != .element && $0.content != .presence }.compactMap {
          input in
          columns[input]?.first.map { (input.path.joined(separator: "."), $0) }
        },
        outcome: read.failures.first.map { .unreadable($0.failure.message) } ?? outcome(of: found)
      )
      return nil
    }
    return result
  }

  private func outcome(of found: PageResults<EvaluatedValue>) -> Outcome {
    if let failure = found.failures.first { return .fault(failure.message) }
    let value = found.values.first ?? .null
    guard let conversion else { return .value(value) }
    switch conversion.value(of: value) {
    case .success(let value): return .value(.attribute(value))
    case .failure(let failure): return .fault(failure.message)
    }
  }
}
