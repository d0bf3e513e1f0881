package import BulkMapping
package import BulkModel
package import BulkStore

/// The objects of one entity mapping: how their rows are made, and what is set afterwards.
package struct InstanceCreation: Sendable {
  package let mapping: InstanceMapping
  /// Without what SQL cannot compute.
  package internal(set) var transfer: RowTransfer
  package let answered: [PolicyRelationship]
  package let evaluations: [AttributeEvaluation]
  /// The part that SQL cannot test.
  package let filter: PredicateProgram?
  /// `nil` where one object is made from each source object.
  package let elements: ExpressionProgram?
  package let page: ProgramPage
  /// `nil` where each source object becomes its own.
  package let grouping: InstanceGrouping?
  package let checks: [ReferenceCheck]

  /// Whether SQL alone makes the rows; groups of source objects show the outcome of the filter.
  package var isTransfer: Bool {
    evaluations.isEmpty && (filter == nil || grouping != nil) && mapping.derivesKeys
  }

  package var evaluatedInputs: [SourceInput] {
    evaluations.flatMap(\.inputs) + (filter?.inputs ?? []) + (elements?.inputs ?? [])
  }

  var evaluatesRows: Bool { !isTransfer || !(ofGroupedValues?.isTransfer ?? true) }
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

/// How the source objects of an entity mapping are grouped by the values in which they agree.
package struct InstanceGrouping: Sendable {
  package let kept: ObjectUniqueness.Kept
  private let attributes: Set<String>
  package let columns: [String]
  /// Whether source objects without a value never agree.
  package let isNilDistinct: Bool
  fileprivate let transfer: RowTransfer
  fileprivate let evaluations: [AttributeEvaluation]
  fileprivate let page: ProgramPage

  package func names(_ attribute: String) -> Bool { attributes.contains(attribute) }
}

extension InstanceCreation {
  func findsObjects(by column: String) -> Bool {
    grouping?.transfer.assignments.contains { $0.value.mentions(column) } ?? false
  }

  /// `nil` where each source object becomes its own.
  package var ofGroupedValues: InstanceCreation? {
    grouping.map {
      InstanceCreation(
        mapping: mapping,
        transfer: $0.transfer,
        answered: [],
        evaluations: $0.evaluations,
        filter: filter,
        elements: elements,
        page: $0.page,
        grouping: nil,
        checks: []
      )
    }
  }
}

extension InstanceGrouping {
  /// `nil` where each source object becomes its own object.
  init?(
    of mapping: InstanceMapping,
    _ transfer: RowTransfer,
    by builder: InstanceBuilder
  ) throws(ExpressionFault) {
    guard let rule = mapping.mapping.uniqueness else { return nil }
    kept = rule.kept
    let names = Set(rule.attributes)
    self.attributes = names
    let lineage = builder.destination.model.lineage(of: mapping.destination)
    let table = builder.destination.table(of: mapping.destination)
    let columns = table.columns.compactMap { column -> String? in
      guard case .attribute(let key) = column.role, names.contains(key.property),
        lineage.contains(where: { $0.name == key.entity })
      else { return nil }
      return column.name
    }
    self.columns = columns
    isNilDistinct = lineage.flatMap(\.uniquenessConstraints).contains { Set($0) == names }
    self.transfer = RowTransfer(
      to: transfer.destination,
      from: transfer.source,
      transfer.assignments.filter { columns.contains($0.column) }.map { assignment in
        let column = table.columns.first { $0.name == assignment.column }
        switch assignment.value {
        // Values of a column of the same type agree as they are.
        case .column, .firstNonNull(.column, _): return assignment
        // Integers agree as the real numbers that they become.
        case let value where column?.declaredType == "FLOAT":
          return RowTransfer.Assignment(assignment.column, .real(value))
        default: return assignment
        }
      },
      where: transfer.conditions
    )
    evaluations = builder.attributes.values(of: mapping).evaluations
      .filter { names.contains($0.attribute.name) }
    page = try builder.page(of: mapping, evaluations)
  }
}
