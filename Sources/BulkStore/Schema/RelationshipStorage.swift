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
