internal import BulkLowering
internal import BulkPlan
internal import BulkStore
internal import BulkVersions

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
    guard migration.plan.strategy?.kind == .copy, checkpoint?.isCopied != false else { return nil }
    let changes: StoreChanges
    do throws(CopyObstacle) {
      changes = try work.step.changes()
    } catch {
      throw MigrationError.stalePlan(["the store cannot be copied: \(error.reason)"])
    }
    if checkpoint == nil { try copy() }
    return changes
  }

  private func copy() throws {
    try work.store.copy(to: state.scratchStore) { migration.mustStop }
    if migration.isDurable { try DurableFiles.synchronize(state.scratchStore) }
  }
}
