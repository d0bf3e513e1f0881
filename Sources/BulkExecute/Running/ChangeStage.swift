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
    for change in try run.work.ancillaryChanges() {
      for updates in try change.updates(run.session) { try update(change.table.name, by: updates) }
    }
  }

  /// Runs updates over the row ids of a source table, which the rows of the copy have too.
  private func update(_ source: String, by updates: [RangeUpdate]) throws {
    let (session, rows) = (run.session, try run.work.store.rows(in: source))
    try session.run(updates, over: source, rows: rows) { try run.report(.rows) }
  }
}
