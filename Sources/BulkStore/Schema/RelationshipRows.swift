package import BulkModel

/// The rows in which a store keeps the links of a relationship, seen from one end: each row holds the keys
/// of a near and of a far object.
///
/// The rows are those of the near objects if these have a foreign key, those of the far objects if the
/// relationship is the inverse of a to-one, and those of a join table otherwise.
package struct RelationshipRows: Hashable, Sendable {
  package let table: String
  /// Its column with the key of the near object; `Z_PK` if the row is the near object's own.
  package private(set) var nearColumn: String
  /// Its column with the key of the far object; `Z_PK` if the row is the far object's own.
  package private(set) var farColumn: String
  /// Its column with the place of the near object in the far one's collection, if there is one.
  package private(set) var nearPositionColumn: String?
  /// Its column with the place of the far object in the near one's collection, if there is one.
  package private(set) var farPositionColumn: String?
  /// Its column with the entity number of the object to which its foreign key refers, if there is one.
  private let entityColumn: String?
  package private(set) var nearTable: String
  package private(set) var farTable: String
  /// The entity numbers of the far objects that count; `nil` for all.
  package private(set) var farEntities: [Int64]?
  /// Whether a link counts in both directions, whichever of them is stored.
  package private(set) var isSymmetric: Bool

  package init(
    table: String,
    nearColumn: String,
    farColumn: String,
    nearPositionColumn: String? = nil,
    farPositionColumn: String? = nil,
    entityColumn: String? = nil,
    nearTable: String,
    farTable: String,
    farEntities: [Int64]? = nil,
    isSymmetric: Bool = false
  ) {
    self.table = table
    self.nearColumn = nearColumn
    self.farColumn = farColumn
    self.nearPositionColumn = nearPositionColumn
    self.farPositionColumn = farPositionColumn
    self.entityColumn = entityColumn
    self.nearTable = nearTable
    self.farTable = farTable
    self.farEntities = farEntities
    self.isSymmetric = isSymmetric
  }

  /// The rows of a table as links of each object to itself.
  package init(ofObjectsIn table: String) {
    self.init(
      table: table,
      nearColumn: "Z_PK",
      farColumn: "Z_PK",
      nearTable: table,
      farTable: table
    )
  }

  /// Whether the near object's row alone refers to the far one.
  package var isInNearRow: Bool { nearColumn == "Z_PK" && !isSymmetric }
  /// The column with the number of the far object's entity, if the near object's row has one.
  package var farEntityColumn: String? { isInNearRow ? entityColumn : nil }
  package var isJoinTable: Bool { nearColumn != "Z_PK" && farColumn != "Z_PK" }

  package var reversed: RelationshipRows {
    var result = among(nil)
    swap(&result.nearColumn, &result.farColumn)
    swap(&result.nearPositionColumn, &result.farPositionColumn)
    swap(&result.nearTable, &result.farTable)
    return result
  }

  package func among(_ entities: [Int64]?) -> RelationshipRows {
    var result = self
    result.farEntities = entities
    return result
  }

  /// The links counted in both directions; a position then applies to the collections of both objects.
  package var symmetric: RelationshipRows {
    var result = self
    result.farPositionColumn = farPositionColumn ?? nearPositionColumn
    result.nearPositionColumn = result.farPositionColumn
    result.isSymmetric = true
    return result
  }

  package var unordered: RelationshipRows {
    var result = self
    (result.nearPositionColumn, result.farPositionColumn) = (nil, nil)
    return result
  }

  package var asWritten: RelationshipRows {
    var result = self
    result.isSymmetric = false
    return result
  }
}

extension StoreSchema {
  /// The rows that hold a relationship, seen from the objects that have it; `nil` for one that is not
  /// stored.
  package func rows(of key: PropertyKey) -> RelationshipRows? {
    guard
      let owner = model.entity(named: key.entity),
      let relationship = owner.relationships.first(where: { $0.name == key.property }),
      let target = model.entity(named: relationship.destinationEntityName),
      let storage = storage(of: key)
    else { return nil }
    let (near, far) = (table(of: owner).name, table(of: target).name)
    switch storage {
    case .foreignKey(let table, let column, let entityColumn):
      return RelationshipRows(
        table: table,
        nearColumn: "Z_PK",
        farColumn: column,
        nearPositionColumn: orderColumn(behindToOne: key),
        entityColumn: entityColumn,
        nearTable: near,
        farTable: far
      )
    case .inverse(let inverse, let order):
      guard case .foreignKey(let table, let column, let entityColumn) = self.storage(of: inverse)
      else { return nil }
      return RelationshipRows(
        table: table,
        nearColumn: "Z_PK",
        farColumn: column,
        nearPositionColumn: order,
        entityColumn: entityColumn,
        nearTable: far,
        farTable: near
      ).reversed
    case .hiddenForeignKey(let table, let column, let order):
      return RelationshipRows(
        table: table,
        nearColumn: column,
        farColumn: "Z_PK",
        farPositionColumn: order,
        nearTable: near,
        farTable: far
      )
    case .join(let join, let isOwner):
      let rows = RelationshipRows(
        table: join.name,
        nearColumn: join.ownerColumn,
        farColumn: join.memberColumn,
        nearPositionColumn: join.ownerOrderColumn,
        farPositionColumn: join.memberOrderColumn,
        nearTable: isOwner ? near : far,
        farTable: isOwner ? far : near,
        isSymmetric: join.owner == join.inverse
      )
      return isOwner ? rows : rows.reversed
    }
  }

  /// The column with a row's position in the ordered inverse of its to-one relationship.
  package func orderColumn(behindToOne key: PropertyKey) -> String? {
    model.inverseKey(of: key).flatMap { column(.orderKey($0)) }
  }
}

extension ManagedObjectModel {
  /// The entity is that which declares the inverse.
  package func inverseKey(of key: PropertyKey) -> PropertyKey? {
    guard let inverse = relationship(key).flatMap(inverse) else { return nil }
    return PropertyKey(inverse.owner.name, inverse.relationship.name)
  }

  package func isOwnInverse(_ key: PropertyKey) -> Bool { inverseKey(of: key) == key }
}
