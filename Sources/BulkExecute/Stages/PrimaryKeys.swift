internal import BulkLowering
internal import BulkStore

/// Makes the rows of `Z_PRIMARYKEY`: the numbers of the model's entities, and the highest key that each
/// table ever handed out, which is preserved.
struct PrimaryKeys {
  private let work: MigrationWork
  private let lookup: RowLookup
  private let reserved: [String: Int64]

  /// Keys for the tables, by `reserved` none below those of rows that were left out.
  init(_ work: MigrationWork, _ session: StoreSession, reserving reserved: [String: Int64] = [:]) {
    self.work = work
    self.reserved = reserved
    lookup = RowLookup(session)
  }

  /// The rows by number, then those of the persistent history and others that are not the model's.
  func entries() throws -> [PrimaryKeyEntry] {
    let before = try work.store.primaryKeys()
    // A rebuilt store has no history, and so none of its entities.
    return try work.destination.primaryKeyEntries(
      { table in try highestKey(of: table, before) },
      before: work.made == nil ? before : [],
      of: work.entityCount
    )
  }

  private func highestKey(
    of table: EntityTable,
    _ before: [PrimaryKeyEntry]
  ) throws -> Int64 {
    guard work.made == nil else {
      return max(try lookup.highestKey(in: table.name), reserved[table.name] ?? 0)
    }
    guard let rows = work.firstRows[table.name] else { return 0 }
    let source = work.layout.schema
    let number = source.entityTable(named: rows.source)
      .map { source.numbering.number(of: $0.root) }
    let stated = before.first { $0.number == number }?.highestKey ?? 0
    return max(stated, try lookup.highestKey(amongRowsOf: rows))
  }
}
