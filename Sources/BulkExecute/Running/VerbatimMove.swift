internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// A table whose rows move exactly as they are, with the entries of its indexes, so that nothing is
/// looked up and nothing sorted.
///
/// What moves unread may be damaged, so the source is read through beside it: see ``VerbatimMoves``.
struct VerbatimMove {
  /// What moves.
  let source: WholeTable
  /// The destination table.
  let destination: String
  /// The indexes of the destination whose like the source has, so that their entries move too.
  let indexes: [SchemaIndex]

  /// The move of a transfer; `nil` where rows change on the way, or where the two tables are not made
  /// in the same way.
  init?(_ transfer: RowTransfer, _ work: MigrationWork) {
    guard
      let table = work.store.schema.table(named: transfer.source),
      let columns = work.step.columns(ofTable: transfer.destination),
      work.indexStyle.constraints[transfer.destination] == nil
    else { return nil }
    let found = Self.indexes(transfer, table, work)
    // SQLite makes an index for the key of a join table by itself.
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
  /// Unique ones are made anew, because only that tells whether they are.
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
  /// The columns of a destination table in its order, with those that are taken over.
  fileprivate func columns(ofTable name: String) -> [FileTable.Column]? {
    if let join = destination.joinTables.first(where: { $0.name == name }) {
      return join.columns.map { FileTable.Column(name: $0, declaredType: "INTEGER") }
    }
    guard let table = destination.entityTables.first(where: { $0.name == name }) else {
      return nil
    }
    let own = table.columns.map { FileTable.Column(name: $0.name, declaredType: $0.declaredType) }
    return own + carriage.columns.filter { $0.destinationTable == name }.map(\.column)
  }
}
