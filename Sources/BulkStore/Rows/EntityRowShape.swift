package import BulkModel
package import BulkSQLite

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

  struct PartnerColumns: Sendable {
    let key: Int
    let entity: Int?
    let target: String
  }

  package let entity: EntityDescription
  package let table: String
  /// In the order of the table.
  package let columns: [String]
  let attributes: [String: AttributeColumn]
  let partners: [String: PartnerColumns]
  package let numbering: EntityNumbering
  let number: Int64
  /// The columns of the entity's properties, and of relationships that lead to it.
  let usedColumns: Set<String>
  /// The values of the columns in a new object.
  let initial: [SQLiteValue]

  package func column(of attribute: String) -> AttributeColumn? { attributes[attribute] }

  /// The attributes that have a column, in code-unit order.
  package var attributeNames: [String] { attributes.keys.sortedByCodeUnit() }

  package func target(of relationship: String) -> String? { partners[relationship]?.target }

  /// The relationships that have a column, in code-unit order.
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

/// The row of one object, with its values by property.
package struct EntityRow: Sendable {
  package let shape: EntityRowShape
  package internal(set) var values: [SQLiteValue]

  /// The row of a new object, with the model's default values.
  package init(_ shape: EntityRowShape) {
    self.shape = shape
    values = shape.initial
  }

  /// Makes it the row of another new object, in the same memory.
  package mutating func reset() {
    for index in values.indices { values[index] = shape.initial[index] }
  }

  package var key: Int64 {
    get {
      guard case .integer(let key) = values.first else { return 0 }
      return key
    }
    set { if !values.isEmpty { values[0] = .integer(newValue) } }
  }

  package subscript(attribute name: String) -> AttributeValue? {
    shape.attributes[name].map {
      ColumnCoding.attributeValue(values[$0.index], of: $0.attribute)
    }
  }

  package mutating func set(_ value: AttributeValue, for name: String) -> Bool {
    guard let column = shape.attributes[name] else { return false }
    set(value, in: column)
    return true
  }

  /// Sets the value of an attribute whose column in rows of this shape is known.
  package mutating func set(_ value: AttributeValue, in column: EntityRowShape.AttributeColumn) {
    values[column.index] = ColumnCoding.value(of: value, in: column.attribute)
  }

  /// Returns whether the entity stores the relationship in its rows.
  package mutating func set(partner: ObjectID?, for name: String) -> Bool {
    guard let columns = shape.partners[name] else { return false }
    values[columns.key] = partner.map { .integer($0.key) } ?? .null
    if let entity = columns.entity {
      values[entity] =
        partner.map { .integer(shape.numbering.number(of: $0.entityName)) } ?? .null
    }
    return true
  }
}
