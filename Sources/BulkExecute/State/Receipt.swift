internal import BulkCoding
internal import BulkPlan
internal import Foundation

/// What a state directory keeps of a migration that is done.
struct Receipt {
  static let name = "finished"
  private let migration: Migration

  init(of migration: Migration) { self.migration = migration }

  /// The outcome of a migration of the same plan, where its destination is still there.
  var outcome: MigrationOutcome? {
    let destination = migration.plan.destination.store
    guard
      let data = FileManager.default.contents(
        atPath: "\(migration.stateLocation.path)/\(Self.name)"
      ),
      let finished = Checkpoint(data), finished.plan == migration.plan.fingerprint,
      let size = try? DurableFiles.size(of: destination)
    else { return nil }
    var outcome = MigrationOutcome(
      destination: destination,
      rows: finished.rows,
      size: ByteCount(bytes: size)
    )
    outcome.losses = finished.losses
    outcome.wasDone = true
    return outcome
  }
}
