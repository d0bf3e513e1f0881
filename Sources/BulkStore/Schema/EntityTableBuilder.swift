internal import BulkModel

/// Lays out the entity tables of a model.
///
/// Source of the order and of the names: verified on the tables of 335 stores.
struct EntityTableBuilder {
  let model: ManagedObjectModel
  let numbering: EntityNumbering
  let naming: StoreNaming

  /// In the order of their root entities' numbers.
  func tables() -> [EntityTable] {
    var hidden: [String: [HiddenKey]] = [:]
    for key in hiddenKeys() { hidden[key.root, default: []].append(key) }
    var names = ColumnNames(taken: ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
    return numbering.entities.filter { $0.superentityName == nil }.map { root in
      table(
        of: root,
        named: names.unique("Z" + root.name.uppercased()),
        hidden: hidden[root.name] ?? []
      )
    }
  }

  /// One column with the group that decides its position.
  private typealias Entry = (group: Int, column: SchemaColumn)

  private func table(
    of root: EntityDescription,
    named tableName: String,
    hidden: [HiddenKey]
  ) -> EntityTable {
    var names = ColumnNames(taken: SchemaColumn.leading.map(\.name))
    var perEntity: [SchemaColumn] = []
    var orderKeys: [OrderKey] = []
    var shared: [Entry] = []
    for entity in model.numberedHierarchy(from: root) {
      var toOnes: [SchemaColumn] = []
      for property in stored(of: entity) {
        switch property {
        case .attribute(let attribute):
          for entry in entries(of: attribute, in: entity, names: &names) {
            if entry.group == 1 { perEntity.append(entry.column) } else { shared.append(entry) }
          }
        case .toOne(let relationship):
          toOnes += columns(of: relationship, in: entity, names: &names, orderKeys: &orderKeys)
        }
      }
      perEntity += toOnes
    }
    // Within a group they keep their order, entity by entity and name by name.
    let byGroup = shared.indices.sorted { (shared[$0].group, $0) < (shared[$1].group, $1) }
    let groupTwo = orderAndHiddenColumns(orderKeys, hidden: hidden, names: &names)
    return EntityTable(
      root: root.name,
      name: tableName,
      columns: SchemaColumn.leading + perEntity + groupTwo + byGroup.map { shared[$0].column }
    )
  }

  private enum StoredProperty {
    case attribute(AttributeDescription)
    case toOne(RelationshipDescription)

    var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .toOne(let relationship): relationship.name
      }
    }
  }

  /// The properties of one entity that have columns in its own table, by name.
  private func stored(of entity: EntityDescription) -> [StoredProperty] {
    let attributes = entity.attributes.filter { !$0.isTransient }.map(StoredProperty.attribute)
    let toOnes = entity.relationships.filter { !$0.isTransient && !$0.isToMany }
      .map(StoredProperty.toOne)
    return (attributes + toOnes).sorted { CodeUnitOrder.precedes($0.name, $1.name) }
  }

  private func entries(
    of attribute: AttributeDescription,
    in entity: EntityDescription,
    names: inout ColumnNames
  ) -> [Entry] {
    attribute.leaves.filter { !$0.isTransient }.map { leaf in
      let (type, key) = (leaf.attributeType, PropertyKey(entity.name, leaf.name))
      let name = leaf.nameOfElement
      let column = names.unique("Z" + (naming.attributes[name] ?? name.asciiUppercased))
      return (type.columnGroup, SchemaColumn(column, type.declaredType, .attribute(key)))
    }
  }

  private func columns(
    of relationship: RelationshipDescription,
    in entity: EntityDescription,
    names: inout ColumnNames,
    orderKeys: inout [OrderKey]
  ) -> [SchemaColumn] {
    let key = PropertyKey(entity.name, relationship.name)
    let name = names.unique("Z" + relationship.name.uppercased())
    var result = [SchemaColumn(name, "INTEGER", .foreignKey(key))]
    if let destination = model.entity(named: relationship.destinationEntityName),
      !model.subentities(of: destination).isEmpty
    {
      let number = numbering.number(of: destination.name)
      let entityName = names.unique("Z\(number)_\(name.dropFirst())")
      result.append(SchemaColumn(entityName, "INTEGER", .foreignEntity(key)))
    }
    if let inverse = model.storedInverse(of: relationship), inverse.relationship.isToMany,
      inverse.relationship.isOrdered
    {
      orderKeys.append(
        OrderKey(owner: inverse.key, name: "Z_FOK_\(relationship.name.uppercased())")
      )
    }
    return result
  }

  /// The place of a row in the ordered to-many relationship of another entity.
  private struct OrderKey {
    let owner: PropertyKey
    let name: String
  }

  /// A to-many relationship without inverse, whose keys are in the rows of its members.
  private struct HiddenKey {
    let root: String
    let owner: PropertyKey
    let isOrdered: Bool
  }

  private func hiddenKeys() -> [HiddenKey] {
    numbering.entities.flatMap { entity in
      entity.relationships.compactMap { relationship in
        guard
          !relationship.isTransient, relationship.isToMany,
          model.storedInverse(of: relationship) == nil,
          let destination = model.entity(named: relationship.destinationEntityName)
        else { return nil }
        return HiddenKey(
          root: model.root(of: destination).name,
          owner: PropertyKey(entity.name, relationship.name),
          isOrdered: relationship.isOrdered
        )
      }
    }
  }

  /// Order keys and hidden keys, by the name of the owning entity.
  private func orderAndHiddenColumns(
    _ orderKeys: [OrderKey],
    hidden: [HiddenKey],
    names: inout ColumnNames
  ) -> [SchemaColumn] {
    let owners = Set(orderKeys.map(\.owner.entity) + hidden.map(\.owner.entity))
    var result: [SchemaColumn] = []
    for owner in owners.sortedByCodeUnit() {
      let order =
        model.entity(named: owner)
        .map(PropertyOrder(model: model, numbering: numbering).keys) ?? []
      for name in order.reversed() {
        for key in hidden where key.owner == PropertyKey(owner, name) {
          result += columns(of: key, names: &names)
        }
      }
      for name in order {
        for key in orderKeys where key.owner == PropertyKey(owner, name) {
          let column = names.unique(key.name)
          result.append(SchemaColumn(column, "INTEGER", .orderKey(key.owner)))
        }
      }
    }
    return result
  }

  private func columns(of key: HiddenKey, names: inout ColumnNames) -> [SchemaColumn] {
    let suffix = "\(numbering.number(of: key.owner.entity))\(key.owner.property.uppercased())"
    let name = names.unique("Z" + suffix)
    var result = [SchemaColumn(name, "INTEGER", .hiddenForeignKey(key.owner))]
    if key.isOrdered {
      let order = names.unique("Z_FOK_\(name.dropFirst())")
      result.append(SchemaColumn(order, "INTEGER", .hiddenOrderKey(key.owner)))
    }
    return result
  }
}

extension AttributeDescription {
  /// The name that its column bears: that of an element alone (formats/store.md 3.7).
  var nameOfElement: String { String(name.split(separator: ".").last ?? "") }
}

/// The table of a root entity, which holds the rows of all entities that inherit from it.
package struct EntityTable: Hashable, Sendable {
  package let root: String
  package let name: String
  package internal(set) var columns: [SchemaColumn]
  /// The columns of each uniqueness constraint in the table's statement, as Core Data once wrote them; a
  /// schema derived from a model alone has indexes instead.
  package internal(set) var uniqueConstraints: [[String]] = []

  package func column(_ role: SchemaColumn.Role) -> SchemaColumn? {
    columns.first { $0.role == role }
  }

  /// The same table with unmanaged columns at its end, and with uniqueness constraints in its statement.
  package func adding(_ columns: [FileTable.Column], uniqueConstraints: [[String]]) -> EntityTable {
    var result = self
    result.columns += columns.map {
      SchemaColumn($0.name, SchemaSQL.type($0.declaredType), .unmanaged)
    }
    result.uniqueConstraints = uniqueConstraints
    return result
  }
}
