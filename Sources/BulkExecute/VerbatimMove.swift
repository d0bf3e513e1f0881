internal import BulkPlan
internal import BulkStore

/// A table whose rows move exactly as they are, so that records need not be taken apart.
struct VerbatimMove {
  /// The indexes that are made before the rows, because the source has their like: their entries move
  /// as they are too, and nothing is sorted.
  let indexes: [SchemaIndex]

  /// The move of a transfer; `nil` where rows change on the way, or where the two tables are not made
  /// in the same way.
  init?(_ transfer: RowTransfer, _ work: MigrationWork) {
    guard
      transfer.conditions.isEmpty,
      let source = work.store.schema.table(named: transfer.source),
      !source.hasHiddenColumns, source.hasRowID,
      let columns = work.columns(ofTable: transfer.destination),
      columns.count == source.columns.count
    else { return nil }
    let values = Dictionary(
      transfer.assignments.map { ($0.column, $0.value) },
      uniquingKeysWith: { first, _ in first }
    )
    for (old, new) in zip(source.columns, columns) {
      let isSame = values[new.name].map { $0.isColumn(named: old.name) } ?? false
      guard isSame, old.declaredType.uppercased() == new.bareType else { return nil }
    }
    let unique = source.uniqueConstraints.count
    guard unique == (work.indexStyle.constraints[transfer.destination] ?? []).count else {
      return nil
    }
    let moved = Set(
      work.store.schema.objects.compactMap(\.signature)
        .filter { $0.table == transfer.source.uppercased() }
        .compactMap { $0.moved(to: transfer.destination, columns: transfer.carriedColumns) }
    )
    indexes = work.indexStyle.indexes.filter {
      $0.table == transfer.destination && moved.contains($0.signature)
    }
  }
}

/// A column of a destination table, as far as records depend on it.
private struct DestinationColumn {
  let name: String
  /// The declared type without what follows it.
  let bareType: String
}

extension MigrationWork {
  fileprivate func columns(ofTable name: String) -> [DestinationColumn]? {
    if let table = destination.entityTables.first(where: { $0.name == name }) {
      let extra = carriage.columns.filter { $0.destinationTable == name }
      let own = table.columns.map { column in
        DestinationColumn(
          name: column.name,
          bareType: column.role == .primaryKey ? "INTEGER" : column.declaredType.uppercased()
        )
      }
      return own
        + extra.map {
          DestinationColumn(name: $0.column.name, bareType: $0.column.declaredType.uppercased())
        }
    }
    return destination.joinTables.first { $0.name == name }?.columns
      .map { DestinationColumn(name: $0, bareType: "INTEGER") }
  }
}
