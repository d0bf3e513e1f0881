internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The values of attributes under entity mappings, in SQL over a source row.
struct MappedAttributes: Sendable {
  private let source: StoreSchema
  private let destination: StoreSchema

  init(from source: StoreSchema, to destination: StoreSchema) {
    self.source = source
    self.destination = destination
  }

  /// The value of an attribute's column.
  func value(of key: PropertyKey, path: [String], for mapping: InstanceMapping) -> ColumnExpression
  {
    guard
      let owner = destination.model.entity(named: key.entity),
      destination.model.lineage(of: mapping.destination).contains(where: { $0.name == owner.name }),
      let attribute = owner.attributes.first(where: { $0.name == key.property })
    else { return .null }
    let pair = EntityPair(
      mapping: mapping.mapping,
      source: mapping.source,
      sourceNumber: mapping.sourceNumber,
      destination: mapping.destination,
      destinationNumber: mapping.destinationNumber
    )
    return AttributeSource(attribute, path: path, pair: pair, source: source).expression
  }

  /// What a source object must satisfy.
  func conditions(of mapping: InstanceMapping) -> [RowTransfer.Condition] { [] }
}
