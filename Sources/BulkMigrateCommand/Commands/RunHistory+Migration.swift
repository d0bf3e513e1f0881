internal import BulkVersions
import BulkExecute
import BulkPlan

extension MigrationPlan {
  /// How the destination is made, for the record of earlier runs.
  fileprivate var kind: String { route == nil ? strategy?.kind.rawValue ?? "rebuild" : "route" }
}

extension TimeForecast {
  /// A forecast for a plan; `nil` if too few earlier runs were alike.
  init?(after history: RunHistory, for plan: MigrationPlan) {
    self.init(after: history.runs, kind: plan.kind, estimatedSeconds: plan.estimatedSeconds)
  }
}

extension RunHistory.Run {
  /// What a run took; `nil` if it was not done in one go, or did nothing.
  init?(_ outcome: MigrationOutcome, _ plan: MigrationPlan, _ record: MeasureRecord) {
    guard outcome.destination != nil, !outcome.wasDone, !outcome.wasWhole, !outcome.hasWaited,
      record.attempts.count == 1
    else { return nil }
    let rows = record.samples.last { $0.stage?.followsRows == false }?.seconds
    self.init(
      kind: plan.kind,
      estimatedSeconds: plan.estimatedSeconds,
      seconds: record.seconds,
      rowSeconds: rows ?? record.seconds,
      rows: outcome.rows
    )
  }
}
