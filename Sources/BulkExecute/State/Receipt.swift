internal import BulkCoding
internal import BulkPlan

/// What a state directory keeps of a migration that is done.
struct Receipt {
  static let name = CheckpointFiles.receiptName
  private let plan: MigrationPlan
  private let location: StateLocation

  init(of plan: MigrationPlan, in location: StateLocation) {
    self.plan = plan
    self.location = location
  }

  /// Whether a state directory says that a plan was carried out, wherever its destination is by now.
  static func isLeft(of plan: MigrationPlan, in location: StateLocation) -> Bool {
    finished(in: location)?.plan == plan.fingerprint
  }

  /// The outcome of a migration of the same plan, where its destination is still there.
  var outcome: MigrationOutcome? {
    let destination = plan.destination.store
    guard
      let finished = Self.finished(in: location), finished.plan == plan.fingerprint,
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

  /// What a state directory keeps of a migration that is done, of whatever plan.
  static func finished(in location: StateLocation) -> Checkpoint? {
    (try? DurableDirectory(location.path))?.contents(of: name).flatMap(Checkpoint.init)
  }
}
