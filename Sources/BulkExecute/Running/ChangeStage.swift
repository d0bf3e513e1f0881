internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// Changes a copy of the source: its tables, and then the values of rows that differ, range by range.
struct ChangeStage {
  private let run: StoreRun
  private let tallies: RowTallies

  init(_ run: StoreRun, _ tallies: RowTallies) {
    (self.run, self.tallies) = (run, tallies)
  }

  /// Changes the copy.
  ///
  /// - Throws: ``StoreError`` if it cannot be changed.
  func change(by changes: StoreChanges) throws {
    if !run.isResumed { try countRows(changes) }
    let builder = StoreBuilder(run.session)
    for statement in changes.statements {
      try builder.create(statement)
      try run.report(.rows)
    }
    for table in changes.tables where !table.values.isEmpty {
      try update(table.source, by: [RangeUpdate(table, run.session)])
    }
    try changeAncillaryTables()
  }

  /// Counts the rows that are copied; an interrupted run has done so.
  private func countRows(_ changes: StoreChanges) throws {
    for table in changes.tables {
      tallies.begin(table.destination)
      run.sink.counted.add(try run.work.store.rows(in: table.source))
      tallies.end()
    }
  }

  private func changeAncillaryTables() throws {
    let (unmanaged, session) = (run.work.unmanagedTables, run.session)
    for column in run.definition.ancillaryColumns {
      try update(
        column.table,
        by: RangeUpdate.renumber(column, unmanaged.entityNumbers, session)
      )
      try update(column.table, by: [RangeUpdate.settle(column, session)])
    }
    if run.definition.hasMirroredPairs, !unmanaged.removedPairs.isEmpty {
      let removal = try RangeUpdate.remove(unmanaged.removedPairs, session)
      try update(MirroringTables.relationships, by: [removal])
    }
  }

  /// Runs updates over the row ids of a source table, which the rows of the copy have too.
  private func update(_ source: String, by updates: [RangeUpdate]) throws {
    let rows = try run.work.store.rows(in: source)
    var ranges = try KeyRanges(of: source, rows: rows, run.session)
    while true {
      let group = try ranges.nextRanges()
      if group.isEmpty { return }
      try run.session.transactions.batch {
        for range in group {
          for update in updates { try update.run(range) }
          try run.report(.rows)
        }
      }
    }
  }
}
