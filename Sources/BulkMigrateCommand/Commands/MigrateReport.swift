import BulkCoding
import BulkExecute
import BulkPlan

/// What `migrate --json` prints.
struct MigrateReport: Encodable {
  let outcome: String
  let store: String
  /// Where the store is that was replaced.
  let kept: String?
  let rows: Int64?
  let bytes: Int64?
  /// What of the store that was replaced is not in the new one.
  let losses: [MigrationPlan.Loss]?
  /// What deserved a look in the plan.
  let warnings: [String]?

  init(_ outcome: InPlaceMigration.Outcome, store: String, warnings: [String]) {
    self.store = store
    switch outcome {
    case .current:
      self.outcome = "already"
      (kept, rows, bytes, losses) = (nil, nil, nil, nil)
      self.warnings = nil
    case .migrated(let migration, let kept):
      losses = migration.losses
      self.warnings = warnings
      self.outcome = "done"
      self.kept = kept
      rows = migration.rows
      bytes = migration.size.bytes
    }
  }
}
