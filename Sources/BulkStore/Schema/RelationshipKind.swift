package import BulkModel

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
