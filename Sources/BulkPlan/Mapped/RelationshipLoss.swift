package import BulkStore

/// The members of a relationship that may fall away, because they are not migrated.
package struct RelationshipLoss: Sendable {
  /// The relationship, as `Entity.relationship`.
  package let relationship: String
  /// The destination table of the pass in which it is set.
  package let table: String
  /// The source rows that have such a member; they can be counted when all objects are there.
  package let rows: RowTransfer
}
