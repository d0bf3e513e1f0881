package import BulkMapping
package import BulkModel
package import BulkStore

/// The objects of one entity mapping: how their rows are made, and what is set afterwards.
package struct InstanceCreation: Sendable {
  /// The mapping.
  package let mapping: InstanceMapping
  /// The transfer of source rows to the destination, without what SQL cannot compute.
  package internal(set) var transfer: RowTransfer
  /// The relationships whose objects the policy names.
  package let answered: [PolicyRelationship]
  /// The attributes whose values must be evaluated.
  package let evaluations: [AttributeEvaluation]
  /// The part of the mapping's filter to evaluate.
  package let filter: PredicateProgram?
  /// The collection for each element of which an object is made; `nil` where one is made from each source
  /// object.
  package let elements: ExpressionProgram?
  /// How to read the inputs of evaluations.
  package let page: ProgramPage

  /// How source objects are grouped that become one object; `nil` where each becomes its own.
  package let grouping: InstanceGrouping?

  /// The members that relationships may lose.
  package let losses: [RelationshipLoss]

  /// The keys to check when all objects exist.
  package let checks: [ReferenceCheck]

  /// Whether SQL alone makes the rows; groups of source objects show the outcome of the filter.
  package var isTransfer: Bool {
    evaluations.isEmpty && (filter == nil || grouping != nil) && mapping.derivesKeys
  }

  /// Whether values of rows or the filter are evaluated page by page.
  package var evaluatesRows: Bool { !isTransfer || !(ofGroupedValues?.isTransfer ?? true) }
}

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

  /// The path of names to the attribute whose value it takes, converted at most; `nil` if it computes.
  package var copiedPath: [String]? {
    guard case .program(let lowered) = source,
      case .input(let index, frame: 0) = lowered.program.root.operation
    else { return nil }
    return lowered.program.inputs[index].path
  }

  /// Why it may fail in some row.
  var risks: [RunTimeRisk] {
    switch source {
    case .program(let lowered): lowered.program.risks + lowered.conversion.risks
    case .policy(_, let arguments): arguments.flatMap(\.risks)
    }
  }
}
