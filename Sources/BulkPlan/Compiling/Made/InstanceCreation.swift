package import BulkMapping
package import BulkModel
package import BulkStore

/// The objects of one entity mapping: how their rows are made, and what is set afterwards.
package struct InstanceCreation: Sendable {
  /// What gives the values of rows.
  struct Values: Sendable {
    var transfer: RowTransfer
    let evaluations: [AttributeEvaluation]
    let filter: PredicateProgram?
    let elements: ExpressionProgram?
    let page: ProgramPage
  }

  package let mapping: InstanceMapping
  var values: Values
  /// The assignments of objects that the policy names.
  package var answered: [LinkedRelationship.Assignment] = []
  /// `nil` where each source object becomes its own.
  package var grouping: InstanceGrouping?
  package var checks: [ReferenceCheck] = []

  /// Without what SQL cannot compute.
  package var transfer: RowTransfer { values.transfer }
  package var evaluations: [AttributeEvaluation] { values.evaluations }
  /// The part that SQL cannot test.
  package var filter: PredicateProgram? { values.filter }
  /// `nil` where one object is made from each source object.
  package var elements: ExpressionProgram? { values.elements }
  package var page: ProgramPage { values.page }

  /// Whether SQL alone makes the rows; groups of source objects show the outcome of the filter.
  package var isTransfer: Bool {
    evaluations.isEmpty && (filter == nil || grouping != nil) && mapping.derivesKeys
  }

  package var evaluatedInputs: [SourceInput] {
    evaluations.flatMap(\.inputs) + (filter?.inputs ?? []) + (elements?.inputs ?? [])
  }

  /// `nil` where each source object becomes its own.
  package var ofGroupedValues: InstanceCreation? {
    grouping.map { InstanceCreation(mapping: mapping, values: $0.values) }
  }

  var evaluatesRows: Bool { !isTransfer || !(ofGroupedValues?.isTransfer ?? true) }

  func findsObjects(by column: String) -> Bool {
    grouping?.values.transfer.assignments.contains { $0.value.mentions(column) } ?? false
  }
}

/// How the source objects of an entity mapping are grouped by the values in which they agree.
package struct InstanceGrouping: Sendable {
  package let kept: ObjectUniqueness.Kept
  let attributes: Set<String>
  package let columns: [String]
  /// Whether source objects without a value never agree.
  package let isNilDistinct: Bool
  let values: InstanceCreation.Values

  package func names(_ attribute: String) -> Bool { attributes.contains(attribute) }
}

/// An attribute whose value SQL cannot give.
package struct AttributeEvaluation: Sendable {
  package enum Source: Sendable {
    case program(ConvertedProgram)
    /// From a function of the mapping's policy, with what its arguments give.
    case policy(selector: String, arguments: [ExpressionProgram])
  }

  package let attribute: AttributeDescription
  package let source: Source

  var inputs: [SourceInput] {
    switch source {
    case .program(let compiled): compiled.program.inputs
    case .policy(_, let arguments): arguments.flatMap(\.inputs)
    }
  }

  /// Converted at most; `nil` if the value is computed.
  package var copiedPath: [String]? {
    guard case .program(let compiled) = source,
      case .input(let index, frame: 0) = compiled.program.root.operation
    else { return nil }
    return compiled.program.inputs[index].path
  }

  var risks: [RunTimeRisk] {
    switch source {
    case .program(let compiled): compiled.program.risks + compiled.conversion.risks
    case .policy(_, let arguments): arguments.flatMap(\.risks)
    }
  }
}
