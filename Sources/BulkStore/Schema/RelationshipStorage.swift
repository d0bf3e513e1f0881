package import BulkModel

/// The storage of a relationship's links.
package enum RelationshipStorage: Hashable, Sendable {
  /// In the owner's row: the key of its one object, and the object's entity if that may vary.
  case foreignKey(table: String, column: String, entityColumn: String?)
  /// In the rows of its members, as their to-one inverse.
  case inverse(PropertyKey, orderColumn: String?)
  /// In the rows of its members, in a hidden column that belongs to no relationship of theirs.
  case hiddenForeignKey(table: String, column: String, orderColumn: String?)
  /// In a join table, seen from the owning side or from the other.
  case join(JoinTable, isOwner: Bool)
}

extension ManagedObjectModel {
  /// The inverse with which a relationship shares its links; a transient one counts as none.
  func storedInverse(
    of relationship: RelationshipDescription
  ) -> (key: PropertyKey, relationship: RelationshipDescription)? {
    guard let inverse = inverse(of: relationship), !inverse.relationship.isTransient else {
      return nil
    }
    return (PropertyKey(inverse.owner.name, inverse.relationship.name), inverse.relationship)
  }
}

/// The table of a many-to-many relationship and its inverse.
package struct JoinTable: Hashable, Sendable {
  /// Names the table.
  package let owner: PropertyKey
  /// The same relationship if that is its own inverse.
  package let inverse: PropertyKey
  package internal(set) var name: String
  package internal(set) var ownerColumn: String
  package internal(set) var memberColumn: String
  /// The names of both columns without the numbers that make them unique in their entities.
  let ownerBase: String
  let memberBase: String
  let ordersMembers: Bool
  let ordersOwners: Bool

  package internal(set) var arrangement = Arrangement()

  /// Which of a join table's two keys comes first; in tables that Core Data makes, it is the owner's.
  package struct Arrangement: Hashable, Sendable {
    var beginsWithMember = false
    var keyBeginsWithMember = false

    package var reversed: Arrangement {
      Arrangement(
        beginsWithMember: !beginsWithMember,
        keyBeginsWithMember: !keyBeginsWithMember
      )
    }
  }

  /// `nil` unless the owner relationship is ordered.
  package var memberOrderColumn: String? {
    ordersMembers ? Self.orderColumn(of: memberColumn) : nil
  }

  /// `nil` unless the inverse is ordered.
  package var ownerOrderColumn: String? {
    ordersOwners ? Self.orderColumn(of: ownerColumn) : nil
  }

  private static func orderColumn(of column: String) -> String {
    "Z_FOK_\(column.hasPrefix("Z_") ? column.dropFirst(2) : column[...])"
  }

  package var columns: [String] {
    let keys = [ownerColumn, memberColumn]
    let positions = [ownerOrderColumn, memberOrderColumn]
    return arrangement.beginsWithMember
      ? keys.reversed() + positions.reversed().compactMap(\.self)
      : keys + positions.compactMap(\.self)
  }

  package var primaryKey: [String] {
    arrangement.keyBeginsWithMember
      ? [memberColumn, ownerColumn] : [ownerColumn, memberColumn]
  }

  /// The index that finds pairs by the second column of the primary key.
  var indexName: String { "\(name)_\(primaryKey[1])_INDEX" }
}

/// A property of a model, by the entity that declares it.
package struct PropertyKey: Hashable, Sendable {
  package let entity: String
  package let property: String

  package init(_ entity: String, _ property: String) {
    self.entity = entity
    self.property = property
  }
}

extension PropertyKey: CustomStringConvertible {
  package var description: String { "\(entity).\(property)" }
}

extension ManagedObjectModel {
  /// Only one with a column, see ``AttributeDescription/leaves``.
  package func attribute(_ key: PropertyKey) -> AttributeDescription? {
    entity(named: key.entity)?.leaf(named: key.property)
  }

  package func relationship(_ key: PropertyKey) -> RelationshipDescription? {
    entity(named: key.entity)?.relationship(named: key.property)
  }
}
