package import BulkMapping
package import BulkModel

/// An attribute whose value SQL cannot give.
package struct AttributeEvaluation: Sendable {
  /// Where the value comes from.
  package enum Source: Sendable {
    /// From an expression.
    case program(LoweredProgram)
    /// From a function of the mapping's policy, with what its arguments give.
    case policy(selector: String, arguments: [ExpressionProgram])
  }

  /// The attribute.
  package let attribute: AttributeDescription
  /// Where its value comes from.
  package let source: Source

  /// The inputs to read for it.
  var inputs: [SourceInput] {
    switch source {
    case .program(let lowered): lowered.program.inputs
    case .policy(_, let arguments): arguments.flatMap(\.inputs)
    }
  }

  /// Why it may fail in some row.
  var risks: [RunTimeRisk] {
    switch source {
    case .program(let lowered): lowered.program.risks + lowered.conversion.risks
    case .policy(_, let arguments): arguments.flatMap(\.risks)
    }
  }
}
