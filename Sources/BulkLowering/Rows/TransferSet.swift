package import BulkStore

/// Everything that moves rows from a source store into a destination store.
package struct TransferSet: Sendable {
  /// The transfers into entity tables, at most one a table, in the order of the tables.
  package var entityRows: [RowTransfer] = []
  /// The tables that are still there, but get no rows: of their sources only the highest keys are kept.
  var emptyTables: [RowTransfer] = []
  /// The transfers into join tables, in the order of the tables.
  package var joinRows: [RowTransfer] = []
  /// The places that must be given to members of relationships that had no order, after all rows and
  /// indexes are there.
  package var orderings: [MemberOrdering] = []
  /// The derived attributes whose values must be computed, because the source has none of them, after
  /// all rows and indexes are there.
  package var derivations: [DerivedAttribute] = []
  /// The derived attributes of rows that have no value of them, where it can only be computed by Core
  /// Data.
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
