internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// A table whose rows move unchanged, with the entries of its indexes, so that nothing is looked up or
/// sorted.
///
/// What moves unread may be corrupt, so the source is read through meanwhile: see ``VerbatimMoves``.
struct VerbatimMove {
  /// The source table.
  let source: WholeTable
  /// The destination table.
  let destination: String
  /// The indexes of the destination that the source has too, so that their entries move with the rows.
  let indexes: [SchemaIndex]

  /// The move of a transfer; `nil` if the transfer changes rows, or if the two tables are not defined
  /// alike.
  init?(_ transfer: RowTransfer, _ work: MigrationWork) {
    guard
      let table = work.store.schema.table(named: transfer.source),
      let columns = work.step.columns(ofTable: transfer.destination),
      work.indexStyle.constraints[transfer.destination] == nil
    else { return nil }
    let found = Self.indexes(transfer, table, work)
    // SQLite makes the index for the key of a join table.
    let join = work.destination.joinTables.first { $0.name == transfer.destination }
    guard (join == nil) == (table.rowIDColumn != nil) else { return nil }
    let key = join.map { join in
      WholeTable.Index(
        "sqlite_autoindex_\(table.name)_1",
        on: table.columns.prefix(min(join.columns.count, 2)).map(\.name)
      )
    }
    guard
      let source = WholeTable(
        table,
        transfer,
        to: columns,
        indexes: [key].compactMap(\.self) + found.source
      )
    else { return nil }
    self.source = source
    destination = transfer.destination
    indexes = found.destination
  }

  /// The plain indexes that both tables have.
  ///
  /// Unique ones are made again, because only that shows whether their keys are unique.
  private static func indexes(
    _ transfer: RowTransfer,
    _ table: FileTable,
    _ work: MigrationWork
  ) -> (source: [WholeTable.Index], destination: [SchemaIndex]) {
    let wanted = work.indexStyle.indexes.filter {
      $0.table == transfer.destination && !$0.isUnique
    }
    var source: [WholeTable.Index] = []
    var met: Set<IndexSignature> = []
    for object in work.store.schema.objects where object.table == table.name {
      guard
        let signature = object.signature,
        let moved = signature.moved(to: transfer.destination, columns: transfer.carriedColumns),
        wanted.contains(where: { $0.signature == moved })
      else { continue }
      source.append(WholeTable.Index(object.name, on: signature.terms.compactMap(\.column)))
      met.insert(moved)
    }
    return (source, wanted.filter { met.contains($0.signature) })
  }
}

extension StepWork {
  /// The columns of a destination table in its order, including those that are copied from the source.
  fileprivate func columns(ofTable name: String) -> [FileTable.Column]? {
    if let join = destination.joinTables.first(where: { $0.name == name }) {
      return join.columns.map { FileTable.Column(name: $0, declaredType: "INTEGER") }
    }
    guard let table = destination.entityTables.first(where: { $0.name == name }) else {
      return nil
    }
    let own = table.columns.map { FileTable.Column(name: $0.name, declaredType: $0.declaredType) }
    return own + unmanagedTables.columns.filter { $0.destinationTable == name }.map(\.column)
  }
}
