package import BulkStore

/// All transfers of rows from a source store to a destination store.
package struct TransferSet: Sendable {
  /// The transfers into entity tables, at most one a table, in the order of the tables.
  package var entityRows: [RowTransfer] = []
  /// The tables that get no rows; only the highest keys of their sources are kept.
  var emptyTables: [RowTransfer] = []
  /// The transfers into join tables, in the order of the tables.
  package var joinRows: [RowTransfer] = []
  /// The places to assign to members of relationships that had no order, when all rows and indexes exist.
  package var orderings: [MemberOrdering] = []
  /// The derived attributes to compute when all rows and indexes exist, because the source has no values.
  package var derivations: [DerivedAttribute] = []
  /// The derived attributes without values that only Core Data can compute.
  package var underivable: [PropertyKey] = []

  package init() {}

  /// The first transfer out of every source table, by the table's name in capitals.
  var tableMoves: [String: RowTransfer] {
    Dictionary(
      (entityRows + joinRows).map { ($0.source.uppercased(), $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
