package import BulkModel
internal import BulkSQLite

/// The columns of an entity's rows, by property; all rows of an entity share it.
package final class EntityRowShape: Sendable {
  package final class AttributeColumn: Sendable {
    let index: Int
    let attribute: AttributeDescription

    init(_ index: Int, _ attribute: AttributeDescription) {
      self.index = index
      self.attribute = attribute
    }
  }

  /// The columns of a to-one relationship.
  struct PartnerColumns: Sendable {
    let key: Int
    let entity: Int?
    /// The entity to which it leads.
    let target: String
  }

  package let entity: EntityDescription
  package let table: String
  /// The table's columns, in its order.
  package let columns: [String]
  let attributes: [String: AttributeColumn]
  let partners: [String: PartnerColumns]
  /// The numbers of the store's entities.
  package let numbering: EntityNumbering
  let number: Int64
  /// The columns of the entity's properties, and of relationships that lead to it.
  let usedColumns: Set<String>
  /// The values of the columns in a new object.
  let initial: [SQLiteValue]

  /// The column of an attribute; `nil` if the entity stores no such attribute.
  package func column(of attribute: String) -> AttributeColumn? { attributes[attribute] }

  /// The names of the attributes that have a column, in code-unit order.
  package var attributeNames: [String] { attributes.keys.sortedByCodeUnit() }

  /// The entity to which a to-one relationship leads; `nil` if the entity has none of that name.
  package func target(of relationship: String) -> String? { partners[relationship]?.target }

  /// The names of the relationships that have a column, in code-unit order.
  package var partnerNames: [String] { partners.keys.sortedByCodeUnit() }

  package init(_ entity: EntityDescription, in schema: StoreSchema) {
    let table = schema.table(of: entity)
    let lineage = Set(schema.model.lineage(of: entity).map(\.name))
    var attributes: [String: AttributeColumn] = [:]
    var partners: [String: PartnerColumns] = [:]
    var initial = [SQLiteValue](repeating: .null, count: table.columns.count)
    for (index, column) in table.columns.enumerated() {
      switch column.role {
      case .attribute(let key) where lineage.contains(key.entity):
        guard let attribute = schema.model.attribute(key) else { continue }
        attributes[key.property] = AttributeColumn(index, attribute)
        initial[index] = ColumnCoding.defaultValue(of: attribute) ?? .null
      case .foreignKey(let key) where lineage.contains(key.entity):
        guard
          let entity = schema.model.entity(named: key.entity),
          let relationship = entity.relationship(named: key.property)
        else { continue }
        partners[key.property] = PartnerColumns(
          key: index,
          entity: table.columns.firstIndex { $0.role == .foreignEntity(key) },
          target: relationship.destinationEntityName
        )
      case .entity: initial[index] = .integer(schema.numbering.number(of: entity.name))
      case .version: initial[index] = .integer(1)
      case .primaryKey, .attribute, .foreignKey, .foreignEntity, .orderKey, .hiddenForeignKey,
        .hiddenOrderKey, .unmanaged:
        break
      }
    }
    self.entity = entity
    usedColumns = schema.columns(of: entity)
    self.table = table.name
    columns = table.columns.map(\.name)
    self.attributes = attributes
    self.partners = partners
    self.initial = initial
    numbering = schema.numbering
    number = schema.numbering.number(of: entity.name)
  }
}
