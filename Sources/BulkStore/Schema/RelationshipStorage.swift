package import BulkModel

/// Where a store keeps the links of a relationship.
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

/// How a relationship of a model is stored, before names are assigned.
package enum RelationshipKind: Hashable, Sendable {
  /// A key in the owner's row.
  case toOne
  /// Keys in the members' rows, as their to-one inverse.
  case inverseOfToOne(PropertyKey)
  /// Keys in the members' rows, in a hidden column.
  case toManyWithoutInverse
  /// Pairs in a join table with the inverse.
  case manyToMany(PropertyKey)
}

extension ManagedObjectModel {
  /// How a relationship is stored; a transient inverse counts as none.
  package func kind(of relationship: RelationshipDescription) -> RelationshipKind {
    guard relationship.isToMany else { return .toOne }
    guard let inverse = inverse(of: relationship), !inverse.relationship.isTransient else {
      return .toManyWithoutInverse
    }
    let key = PropertyKey(inverse.owner.name, inverse.relationship.name)
    return inverse.relationship.isToMany ? .manyToMany(key) : .inverseOfToOne(key)
  }
}
