/// Where a store keeps the pairs of a relationship.
package enum RelationshipStorage: Hashable, Sendable {
  /// In the owner's row: the key of its one object, and the object's entity where it may vary.
  case foreignKey(table: String, column: String, entityColumn: String?)
  /// In the rows of its members, which is the to-one relationship that leads back.
  case inverse(PropertyKey, orderColumn: String?)
  /// In the rows of its members, in a column that no relationship of theirs explains.
  case hiddenForeignKey(table: String, column: String, orderColumn: String?)
  /// In a table of its own, seen from the owning side or from the other.
  case join(JoinTable, isOwner: Bool)
}
