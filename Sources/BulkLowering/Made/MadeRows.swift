internal import BulkModel
internal import BulkStore

/// The rows that an entity mapping makes, with keys at an offset from those of their sources.
struct MadeRows: RowColumns {
  private let mapping: InstanceMapping
  private let attributes: MappedAttributes
  private let partners: PartnerBuilder
  private let model: ManagedObjectModel

  /// - Parameters:
  ///   - mapping: The entity mapping.
  ///   - attributes: The values of its attributes.
  ///   - partners: The objects of its relationships.
  ///   - model: The destination's model.
  init(
    by mapping: InstanceMapping,
    attributes: MappedAttributes,
    partners: PartnerBuilder,
    in model: ManagedObjectModel
  ) {
    self.mapping = mapping
    self.attributes = attributes
    self.partners = partners
    self.model = model
  }

  var key: ColumnExpression { .shifted(.column("Z_PK"), by: mapping.keyOffset) }
  var entityNumber: ColumnExpression { .number(mapping.destinationNumber) }
  /// A new object has been saved once.
  let version = ColumnExpression.number(1)

  func unmanaged(_ column: String) -> ColumnExpression { .null }

  func attribute(_ key: PropertyKey, element: [String], in column: String) -> ColumnExpression {
    attributes.value(of: column, for: mapping)
  }

  func partner(along key: PropertyKey) -> Partner {
    partners.partner(along: key, of: mapping).partner
  }

  func owner(of key: PropertyKey) -> Partner { partners.owner(of: key, holding: mapping).partner }

  func inverse(of key: PropertyKey) -> PropertyKey? { model.inverseKey(of: key) }
}
