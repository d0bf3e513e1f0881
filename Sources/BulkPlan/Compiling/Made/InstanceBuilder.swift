internal import BulkMapping
package import BulkModel
package import BulkStore

/// Turns a custom mapping model into the creation of objects, entity mapping by entity mapping.
struct InstanceBuilder: Sendable {
  let source: StoreSchema
  let destination: StoreSchema
  let mappings: [InstanceMapping]
  let partners: PartnerBuilder
  let attributes: MappedAttributes
  let answered: @Sendable (InstanceMapping) -> [PolicyRelationship]

  /// In the order in which they run, by default that of the mapping model.
  ///
  /// Throws ``ExpressionFault`` if the source lacks an input of an expression.
  func creations(in names: [String]?) throws(ExpressionFault) -> [InstanceCreation] {
    let order =
      names.map { names in names.compactMap { name in mappings.first { $0.mapping.name == name } } }
      ?? mappings
    return try order.map { mapping throws(ExpressionFault) in try creation(mapping) }
  }

  func page(
    of mapping: InstanceMapping,
    _ evaluations: [AttributeEvaluation]
  ) throws(ExpressionFault) -> ProgramPage {
    let compiled = attributes.values(of: mapping)
    let inputs =
      (compiled.filter?.inputs ?? []) + evaluations.flatMap(\.inputs)
      + (compiled.elements?.inputs ?? [])
    return try ProgramPage(inputs, of: mapping.source, in: source)
  }

  private func creation(_ mapping: InstanceMapping) throws(ExpressionFault) -> InstanceCreation {
    let compiled = attributes.values(of: mapping)
    let rows = MadeRows(
      mapping: mapping,
      attributes: attributes,
      partners: partners,
      model: destination.model
    )
    // A new row has the default values where no other is assigned, nil included.
    let values = destination.table(of: mapping.destination).columns
      .map { (column: $0, assignment: RowTransfer.Assignment($0.name, rows.value(of: $0))) }
      .filter { $0.assignment.value != .null || hasDefaultValue($0.column) }
      .map(\.assignment)
    let transfer = RowTransfer(
      to: mapping.destinationTable,
      from: mapping.sourceTable,
      values,
      where: source.entityCondition([mapping.sourceNumber], inTable: mapping.sourceTable)
        + compiled.conditions
    )
    return InstanceCreation(
      mapping: mapping,
      transfer: transfer,
      answered: answered(mapping),
      evaluations: compiled.evaluations,
      filter: compiled.filter,
      elements: compiled.elements,
      page: try page(of: mapping, compiled.evaluations),
      grouping: try InstanceGrouping(of: mapping, transfer, by: self),
      checks: checks(of: mapping)
    )
  }

  private func hasDefaultValue(_ column: SchemaColumn) -> Bool {
    guard case .attribute(let key) = column.role else { return false }
    return destination.model.attribute(key)?.defaultValue != nil
  }

  private func checks(of mapping: InstanceMapping) -> [ReferenceCheck] {
    let table = destination.table(of: mapping.destination)
    return table.columns.compactMap { column in
      guard let kept = keptKey(column, of: mapping), kept.partner.keepsKey else { return nil }
      return ReferenceCheck(
        table.name,
        column.name,
        leadsTo: kept.target.table,
        kept.target.entities,
        else: .clear(kept.others.compactMap(\.self))
      )
    }
  }

  /// With the columns that belong to it; `nil` for any other column than a key.
  private func keptKey(
    _ column: SchemaColumn,
    of mapping: InstanceMapping
  ) -> (partner: Partner, target: (table: String, entities: [Int64]?), others: [String?])? {
    switch column.role {
    case .foreignKey(let key):
      guard let target = destination.target(of: key) else { return nil }
      let others = [
        destination.column(.foreignEntity(key)), destination.orderColumn(behindToOne: key),
      ]
      return (partners.partner(along: key, of: mapping), target, others)
    case .hiddenForeignKey(let key):
      guard let owner = destination.model.entity(named: key.entity) else { return nil }
      return (
        partners.owner(of: key, holding: mapping), destination.target(owner),
        [destination.column(.hiddenOrderKey(key))]
      )
    case .primaryKey, .entity, .version, .attribute, .foreignEntity, .orderKey, .hiddenOrderKey,
      .unmanaged:
      return nil
    }
  }
}

extension StoreSchema {
  /// With the numbers of their entities where the table holds others.
  package func target(of key: PropertyKey) -> (table: String, entities: [Int64]?)? {
    model.entity(named: model.relationship(key)?.destinationEntityName).map(target)
  }

  /// With the numbers of its entities where the table holds others.
  package func target(_ entity: EntityDescription) -> (table: String, entities: [Int64]?) {
    let table = table(of: entity)
    let numbers = Set(
      model.hierarchy(from: entity).filter { !$0.isAbstract }.map { numbering.number(of: $0.name) }
    )
    return (table.name, numbers == entityNumbers(in: table) ? nil : numbers.sorted())
  }
}

/// The rows that an entity mapping makes, with keys at an offset from those of their sources.
struct MadeRows: RowColumns {
  let mapping: InstanceMapping
  let attributes: MappedAttributes
  let partners: PartnerBuilder
  let model: ManagedObjectModel

  var key: ColumnExpression { .shifted(.column("Z_PK"), by: mapping.keyOffset) }
  var entityNumber: ColumnExpression { .number(mapping.destinationNumber) }
  /// A new object has been saved once.
  let version = ColumnExpression.number(1)

  func unmanaged(_ column: String) -> ColumnExpression { .null }

  func attribute(_ key: PropertyKey, in column: String) -> ColumnExpression {
    attributes.values(of: mapping).columns[column] ?? .null
  }

  func partner(along key: PropertyKey) -> Partner { partners.partner(along: key, of: mapping) }

  func owner(of key: PropertyKey) -> Partner { partners.owner(of: key, holding: mapping) }

  func inverse(of key: PropertyKey) -> PropertyKey? { model.inverseKey(of: key) }
}
