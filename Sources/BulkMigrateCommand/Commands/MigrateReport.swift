import BulkMigrate

/// What `migrate --json` prints.
struct MigrateReport: Encodable {
  let outcome: String
  let store: String
  /// Where the store is that was replaced.
  let kept: String?
  let rows: Int64?
  let bytes: Int64?

  init(_ outcome: InPlaceMigration.Outcome, store: String) {
    self.store = store
    switch outcome {
    case .current:
      self.outcome = "already"
      (kept, rows, bytes) = (nil, nil, nil)
    case .migrated(let migration, let kept):
      self.outcome = "done"
      self.kept = kept
      rows = migration.rows
      bytes = migration.size.bytes
    }
  }
}
