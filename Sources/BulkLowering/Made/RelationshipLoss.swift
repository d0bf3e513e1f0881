package import BulkStore

/// The members that a relationship may lose, because the mappings that fill it make no object from them.
package struct RelationshipLoss: Sendable {
  /// The relationship, as `Entity.relationship`.
  package let relationship: String
  /// The destination table of the pass in which it is set.
  package let table: String
  /// The source rows that have such a member; they can be counted when all objects exist.
  package let rows: RowTransfer
  /// Those of ``rows`` whose member is an object that other mappings read; `nil` where none do.
  package let overlooked: RowTransfer?
}

extension RelationshipLoss {
  /// The loss of some members, found by their source rows.
  ///
  /// - Parameters:
  ///   - relationship: The relationship, as `Entity.relationship`.
  ///   - rows: The source rows that may have such a member.
  ///   - doubt: The member.
  ///   - made: The key of the object made from it; NULL if none was.
  init(
    _ relationship: String,
    _ rows: RowTransfer,
    _ doubt: DoubtfulPartner,
    made: ColumnExpression
  ) {
    func lost(_ member: ColumnExpression) -> RowTransfer {
      RowTransfer(
        to: rows.destination,
        from: rows.source,
        [],
        where: rows.conditions
          + [.notNull(doubt.key), .satisfies(.isNull(made)), .notNull(member)]
      )
    }
    self.relationship = relationship
    table = rows.destination
    // A dangling key of the source refers to no object that could be lost.
    self.rows = lost(doubt.entityNumber)
    overlooked =
      doubt.overlooked.isEmpty
      ? nil
      : lost(.onlyIf(doubt.entityNumber, entityIn: doubt.entityNumber, doubt.overlooked))
  }
}

/// A source object from which perhaps no object is made that a relationship could hold.
struct DoubtfulPartner {
  /// The key of its row.
  let key: ColumnExpression
  /// The table of its row.
  let table: String
  /// The numbers of entities read by mappings other than those that fill the relationship.
  let overlooked: [Int64]

  /// The number of its entity; NULL without such a row.
  var entityNumber: ColumnExpression { .entityNumber(ofRowIn: table, key: key) }
}
