internal import BulkModel

/// The cardinality and order of both sides of a relationship.
struct RelationshipShape: Hashable {
  let isToMany: Bool
  let isOrdered: Bool
  /// Whether the inverse is to-many; `nil` where there is no inverse.
  let isInverseToMany: Bool?
  let isInverseOrdered: Bool?

  init(_ relationship: RelationshipDescription, in model: ManagedObjectModel) {
    let inverse = model.inverse(of: relationship)?.relationship
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    isInverseToMany = inverse?.isToMany
    isInverseOrdered = inverse?.isOrdered
  }
}
