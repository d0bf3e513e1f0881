internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// Copies the source into the scratch store, where the plan says so and the source is sound.
struct StoreCopy {
  private let migration: Migration
  private let work: MigrationWork
  private let state: StateDirectory

  init(_ migration: Migration, _ work: MigrationWork, in state: StateDirectory) {
    (self.migration, self.work, self.state) = (migration, work, state)
  }

  /// Makes the scratch store, as a copy or empty; an interrupted run has made it already.
  ///
  /// - Parameter checkpoint: The checkpoint of the interrupted run.
  /// - Returns: How the copy is changed; `nil` if all rows are written anew.
  /// - Throws: ``StoreError`` if the source cannot be copied, ``MigrationError/stalePlan(_:)`` if it cannot be
  ///   changed in the copy.
  func make(after checkpoint: Checkpoint?) throws -> StoreChanges? {
    try state.makeScratchStore()
    guard migration.plan.isCopying else { return nil }
    let changes: StoreChanges
    do throws(CopyObstacle) {
      changes = try work.step.changes()
    } catch {
      throw MigrationError.stalePlan(["the store cannot be copied: \(error.reason)"])
    }
    if try checkpoint?.isCopied ?? copy(for: changes) { return changes }
    // Whoever reads all rows finds out what is wrong with the source.
    try work.store.refuseEndlessPages { migration.mustStop }
    return nil
  }

  /// Copies the source, and checks it meanwhile, unless that is done.
  ///
  /// - Returns: Whether there is a copy; the scratch store is empty if not.
  private func copy(for changes: StoreChanges) throws -> Bool {
    let isSound: Bool
    if migration.plan.isChecked && work.store.loggedPages == 0 {
      try work.store.copy(to: state.scratchStore) { migration.mustStop }
      isSound = true
    } else {
      isSound = try work.store.copyIfSound(
        to: state.scratchStore,
        besides: changes.removedIndexes
      ) { migration.mustStop }
    }
    if isSound, migration.isDurable { try DurableFiles.synchronize(state.scratchStore) }
    Failpoint.reached("copied")
    if !isSound { try state.remakeScratchStore() }
    return isSound
  }
}
