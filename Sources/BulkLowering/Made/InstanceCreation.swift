package import BulkMapping
package import BulkModel
package import BulkStore

/// The objects of one entity mapping: how their rows are made, and what is set afterwards.
package struct InstanceCreation: Sendable {
  package let mapping: InstanceMapping
  /// The transfer of source rows to the destination, without what SQL cannot compute.
  package internal(set) var transfer: RowTransfer
  /// The relationships whose objects the policy names.
  package let answered: [PolicyRelationship]
  /// The attributes whose values must be evaluated.
  package let evaluations: [AttributeEvaluation]
  /// The part of the mapping's filter to evaluate.
  package let filter: PredicateProgram?
  /// The collection whose elements become objects; `nil` where one is made from each source
  /// object.
  package let elements: ExpressionProgram?
  /// How to read the inputs of evaluations.
  package let page: ProgramPage
  /// How source objects are grouped that become one object; `nil` where each becomes its own.
  package let grouping: InstanceGrouping?
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
  /// The origin of an attribute's value.
  package enum Source: Sendable {
    case program(LoweredProgram)
    /// From a function of the mapping's policy, with what its arguments give.
    case policy(selector: String, arguments: [ExpressionProgram])
  }

  package let attribute: AttributeDescription
  /// The origin of the attribute's value.
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

  /// The reasons why it may fail in some row.
  var risks: [RunTimeRisk] {
    switch source {
    case .program(let lowered): lowered.program.risks + lowered.conversion.risks
    case .policy(_, let arguments): arguments.flatMap(\.risks)
    }
  }
}

/// How the source objects of an entity mapping are grouped by the values in which they agree.
package struct InstanceGrouping: Sendable {
  /// The source object whose object is made.
  package let kept: ObjectUniqueness.Kept
  private let attributes: Set<String>
  /// The columns of the destination whose values must agree.
  package let columns: [String]
  /// Whether source objects without a value never agree.
  package let isNilDistinct: Bool
  /// The transfer that computes these values, and only these.
  fileprivate let transfer: RowTransfer
  fileprivate let evaluations: [AttributeEvaluation]
  fileprivate let page: ProgramPage

  /// Whether an attribute is one of those that must agree.
  package func names(_ attribute: String) -> Bool { attributes.contains(attribute) }
}

extension InstanceCreation {
  /// Whether objects are found by the values of a source column.
  package func findsObjects(by column: String) -> Bool {
    grouping?.transfer.assignments.contains { $0.value.mentions(column) } ?? false
  }

  /// The creation that computes the values by which objects are grouped; `nil` where each source
  /// object becomes its own.
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
  /// The grouping of a creation's source objects; `nil` where each becomes its own object.
  ///
  /// - Throws: ``ExpressionFault`` if the source lacks an input of an expression.
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
      transfer.assignments.filter { columns.contains($0.column) },
      where: transfer.conditions
    )
    evaluations = builder.attributes.values(of: mapping).evaluations
      .filter { names.contains($0.attribute.name) }
    page = try builder.page(of: mapping, evaluations)
  }
}
