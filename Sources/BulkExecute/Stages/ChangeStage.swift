internal import BulkLowering
internal import BulkStore

/// Changes a copy of the source: its tables, and then the values of rows that differ, range by range.
struct ChangeStage {
  let run: StoreRun

  /// Counts the rows that are copied; an interrupted run has done so.
  func count(_ tables: [TableChange]) throws {
    guard !run.isResumed else { return }
    for table in tables {
      run.tallies.begin(table.destination)
      run.sink.counted.add(try run.work.store.rows(in: table.source))
      run.tallies.end()
    }
  }

  func execute(_ statement: String) throws {
    try StoreBuilder(run.session).create(statement)
    try run.report(.rows)
  }

  func update(_ table: TableChange) throws {
    try update(table.source, by: [table.updateSQL])
  }

  /// Changes the rows of the history and of CloudKit's tables.
  func changeAncillaryTables() throws {
    for change in try run.work.ancillaryChanges() {
      for updates in change.updates { try update(change.table.name, by: updates) }
    }
  }

  /// Runs updates over the row ids of a source table, which the rows of the copy have too.
  private func update(_ source: String, by updates: [String]) throws {
    let (session, rows) = (run.session, try run.work.store.rows(in: source))
    try session.run(updates, over: source, rows: rows) { try run.report(.rows) }
  }
}
