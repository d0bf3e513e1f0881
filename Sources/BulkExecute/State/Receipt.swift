internal import BulkSupport
internal import BulkPlan

/// The record of a finished migration in a state directory.
enum Receipt {
  static let name = CheckpointFiles.receiptName

  /// `nil` if the destination does not exist any more.
  static func outcome(of plan: MigrationPlan, in location: StateLocation) -> MigrationRecord? {
    let destination = plan.destination.store
    guard
      let finished = finished(in: location), finished.plan == plan.fingerprint,
      let size = try? DurableFiles.size(of: destination)
    else { return nil }
    var outcome = MigrationRecord(
      destinationPath: destination,
      rows: finished.rows,
      size: ByteCount(bytes: size)
    )
    outcome.losses = finished.losses
    outcome.tallies = finished.tallies
    outcome.legs = finished.legs ?? []
    if let rejected = finished.rejected {
      outcome.rejected = rejected.count
      outcome.rejectFolderPath = "\(location.path)/\(StateDirectory.rejectFolder)"
    }
    outcome.outcome = .already
    return outcome
  }

  /// Of any plan.
  static func finished(in location: StateLocation) -> Checkpoint? {
    (try? DurableDirectory(location.path))?.contents(of: name).flatMap(Checkpoint.init)
  }
}
