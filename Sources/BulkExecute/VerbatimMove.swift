internal import BulkPlan
internal import BulkStore

/// A join table whose rows move exactly as they are, with the entries of its automatic index, so that
/// no pair has to be looked up.
///
/// What moves unread may be damaged, so it is compared afterwards; other tables, whose indexes are
/// sorted anyway, would lose by that what they win.
struct VerbatimMove {
  /// The move of a transfer; `nil` where rows change on the way, or where the two tables are not made
  /// in the same way.
  init?(_ transfer: RowTransfer, _ work: MigrationWork) {
    guard
      transfer.conditions.isEmpty,
      let source = work.store.schema.table(named: transfer.source),
      !source.hasHiddenColumns, source.hasRowID,
      let table = work.destination.joinTables.first(where: { $0.name == transfer.destination }),
      table.columns.count == source.columns.count
    else { return nil }
    let values = Dictionary(
      transfer.assignments.map { ($0.column, $0.value) },
      uniquingKeysWith: { first, _ in first }
    )
    for (old, new) in zip(source.columns, table.columns) {
      let isSame = values[new].map { $0.isColumn(named: old.name) } ?? false
      guard isSame, old.declaredType.uppercased() == "INTEGER" else { return nil }
    }
    guard source.uniqueConstraints.isEmpty else { return nil }
  }
}
