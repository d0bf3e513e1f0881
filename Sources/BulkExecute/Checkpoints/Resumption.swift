internal import BulkAssociation
internal import BulkStore
internal import Foundation

/// Finds out what of an interrupted migration counts, and removes the rest.
struct Resumption {
  private let state: StateDirectory
  private let plan: String

  init(_ state: StateDirectory, _ plan: String) {
    self.state = state
    self.plan = plan
  }

  /// Prepares to go on.
  ///
  /// - Returns: The checkpoint to go on from; `nil` where the interruption came before the first, so that
  ///   everything begins anew.
  /// - Throws: ``MigrationError/nothingToResume(_:)``, and ``MigrationError/stalePlan(_:)`` where the
  ///   checkpoints are those of another plan.
  func begin() throws -> Checkpoint? {
    guard state.checkpoints.areThere else { throw MigrationError.nothingToResume(state.path) }
    let all = state.checkpoints.all(of: plan)
    guard let newest = all.first else {
      throw MigrationError.stalePlan([
        "the checkpoints in \(state.path) are damaged or of another plan; bulkmigrate run --restart "
          + "begins anew"
      ])
    }
    state.takeOver(newest)
    if newest.isFinished, DurableFiles.exists(state.scratchStore) { return newest }
    guard
      newest.transaction > 0, DurableFiles.exists(state.scratchStore),
      let last = try? StoreWriter.lastTransaction(of: state.scratchStore),
      let checkpoint = all.first(where: { $0.transaction == last && $0.attempt == newest.attempt })
    else {
      try state.begin(plan)
      return nil
    }
    removeLeftovers(besides: checkpoint)
    return checkpoint
  }

  /// Removes segments that the checkpoint does not name, and copies that were not finished.
  private func removeLeftovers(besides checkpoint: Checkpoint) {
    let kept = Set(checkpoint.associations.flatMap(\.segments).map(\.name))
    let manager = FileManager.default
    for name in (try? manager.contentsOfDirectory(atPath: state.path)) ?? [] {
      let isSegment = name.hasPrefix("associations-") && !kept.contains(name)
      if isSegment || name.hasPrefix("external-") || name.hasPrefix("draft-") {
        try? manager.removeItem(atPath: "\(state.path)/\(name)")
      }
    }
  }
}
