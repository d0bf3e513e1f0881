internal import BulkLowering
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Writes the rows of tables that one transfer each fills, range by range.
struct TransferStage {
  private let run: StoreRun
  private let entityTables: Set<String>
  /// By the number of the pass.
  private let promised: [Int: [String: Int64]]

  init(_ run: StoreRun) {
    self.run = run
    let destination = run.work.step.destination
    entityTables = Set(run.work.step.transfers.entityRows.map(\.destination))
    var promised: [Int: [String: Int64]] = [:]
    for pass in run.migration.plan.passes {
      var rows: [String: Int64] = [:]
      for change in pass.entities where change.change != .removed {
        guard let entity = destination.model.entity(named: change.entity) else { continue }
        rows[destination.table(of: entity).name, default: 0] &+= change.rows
      }
      promised[pass.number] = rows
    }
    self.promised = promised
  }

  /// Throws ``MigrationError/wrongRowCount(table:expected:written:path:)`` if rows are missing.
  func write(_ transfer: RowTransfer, pass: Int?) throws {
    let rows = try run.work.store.rows(in: transfer.source)
    run.tallies.begin(transfer.destination)
    try run.fill(by: [transfer]) {
      try KeyRanges(of: transfer.source, rows: rows, run.session)
    } _: { _, _ in
      try run.report(.rows, pass: pass)
    }
    run.tallies.end()
    // A sample promises nothing.
    guard run.session.sample == nil else { return }
    let promised =
      entityTables.contains(transfer.destination)
      ? pass.flatMap { self.promised[$0] }.map { $0[transfer.destination] ?? 0 } : nil
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
}
