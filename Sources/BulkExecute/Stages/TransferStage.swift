internal import BulkLowering
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Writes the rows of tables that one transfer each fills, range by range.
struct TransferStage {
  private let run: StoreRun

  init(_ run: StoreRun) { self.run = run }

  /// Writes the rows of a transfer.
  ///
  /// - Throws: ``MigrationError/wrongRowCount(table:expected:written:path:)`` if rows are missing, and
  ///   ``StoreError`` if rows cannot be read or written.
  func write(_ transfer: RowTransfer, pass: Int?) throws {
    let rows = try run.work.store.rows(in: transfer.source)
    run.tallies.begin(transfer.destination)
    try writeRanges(of: transfer, rows: rows, pass: pass)
    run.tallies.end()
    // A sample promises nothing.
    guard run.session.sample == nil else { return }
    let promised = promisedRows(of: transfer, in: pass)
    let written = run.tallies[transfer.destination].written
    let expected = promised ?? rows
    let isWhole = promised != nil || transfer.movesAllRows
    guard !isWhole || written == expected else {
      throw MigrationError.wrongRowCount(
        table: transfer.source,
        expected: expected,
        written: written,
        path: run.work.store.path
      )
    }
  }

  private func writeRanges(of transfer: RowTransfer, rows: Int64, pass: Int?) throws {
    let streams = run.migration.plan.memory.streamedTables.contains(transfer.source)
    try run.sink.fill(by: [transfer], streamsLargeValues: streams) { sink in
      var ranges = try KeyRanges(of: transfer.source, rows: rows, run.session)
      while true {
        let group = try ranges.nextRanges()
        if group.isEmpty { break }
        try run.session.transactions.batch {
          for range in group {
            _ = try sink.append(range)
            try run.report(.rows, pass: pass)
          }
        }
      }
    }
  }

  /// The number of rows that the plan states for an entity table; `nil` for a join table.
  private func promisedRows(of transfer: RowTransfer, in number: Int?) -> Int64? {
    let work = run.work
    guard
      work.transfers.entityRows.contains(where: { $0.destination == transfer.destination }),
      let pass = run.migration.plan.passes.first(where: { $0.number == number })
    else { return nil }
    return pass.entities.filter { change in
      guard change.change != .removed,
        let entity = work.destination.model.entity(named: change.entity)
      else { return false }
      return work.destination.table(of: entity).name == transfer.destination
    }.reduce(0) { $0 &+ $1.rows }
  }
}
