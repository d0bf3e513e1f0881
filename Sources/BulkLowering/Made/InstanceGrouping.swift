package import BulkMapping
internal import BulkModel
internal import BulkStore

/// How the source objects of an entity mapping are grouped by the values in which they agree.
package struct InstanceGrouping: Sendable {
  /// The source object whose object is made.
  package let kept: ObjectUniqueness.Kept
  private let attributes: Set<String>
  /// The columns of the destination whose values must agree.
  package let columns: [String]
  /// Whether nil differs from nil, as in the uniqueness constraint over these attributes.
  package let isNilDistinct: Bool
  /// What computes these values, and only these.
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

  /// What computes the values by which objects are grouped; `nil` where each source object becomes its own.
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
        losses: [],
        checks: []
      )
    }
  }
}

extension InstanceGrouping {
  /// The grouping of a creation's source objects.
  ///
  /// - Parameters:
  ///   - rule: The rule of the entity mapping.
  ///   - mapping: The entity mapping.
  ///   - transfer: The transfer that makes all values.
  ///   - evaluations: The attributes that must be evaluated.
  ///   - filter: The part of the mapping's filter to evaluate.
  ///   - elements: The collection for each element of which an object is made.
  ///   - source: The schema of the store that is read.
  ///   - destination: The schema of the store that is made.
  /// - Throws: ``ExpressionFault`` if the source does not hold what must be evaluated.
  init(
    _ rule: ObjectUniqueness,
    of mapping: InstanceMapping,
    _ transfer: RowTransfer,
    _ evaluations: [AttributeEvaluation],
    filter: PredicateProgram?,
    elements: ExpressionProgram?,
    from source: StoreSchema,
    to destination: StoreSchema
  ) throws(ExpressionFault) {
    kept = rule.kept
    let names = Set(rule.attributes)
    attributes = names
    let lineage = Set(destination.model.lineage(of: mapping.destination).map(\.name))
    let columns = destination.table(of: mapping.destination).columns.compactMap { column in
      guard case .attribute(let key, _) = column.role, names.contains(key.property),
        lineage.contains(key.entity)
      else { return nil as String? }
      return column.name
    }
    self.columns = columns
    isNilDistinct = destination.model.lineage(of: mapping.destination)
      .flatMap(\.uniquenessConstraints).contains { Set($0) == names }
    self.transfer = RowTransfer(
      to: transfer.destination,
      from: transfer.source,
      transfer.assignments.filter { columns.contains($0.column) },
      where: transfer.conditions
    )
    let grouped = evaluations.filter { names.contains($0.attribute.name) }
    self.evaluations = grouped
    page = try ProgramPage(
      grouped.flatMap(\.inputs) + (filter?.inputs ?? []) + (elements?.inputs ?? []),
      of: mapping.source,
      in: source
    )
  }
}
