internal import BulkPlan
internal import BulkStore

/// A join table whose rows move exactly as they are, with the entries of its indexes, so that no pair
/// has to be looked up and nothing is sorted.
///
/// What moves unread may be damaged, so it is compared afterwards; other tables, whose indexes are
/// sorted anyway, would lose by that what they win.
struct VerbatimMove {
  /// The table that is filled.
  let table: JoinTable
  /// The index of the destination whose like the source has, so that its entries move too.
  let index: SchemaIndex?

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
    self.table = table
    let moved = work.store.schema.objects.filter { $0.table == source.name }
      .compactMap { $0.signature?.moved(to: table.name, columns: transfer.carriedColumns) }
    index = work.indexStyle.indexes.first {
      $0.table == table.name && moved.contains($0.signature)
    }
  }
}
