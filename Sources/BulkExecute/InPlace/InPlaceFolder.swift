internal import BulkPlan
internal import BulkSupport

/// The folder beside a store that is migrated in place, held by this process.
///
/// It holds the plan, the state of the migration, and the new store before it takes its place.
struct InPlaceFolder {
  private let names: KeptStore
  private let folder: StateFolder

  /// Makes or enters the folder of a store.
  ///
  /// Throws ``MigrationError/locked(stateDirectory:owner:)`` if another process holds it,
  /// ``MigrationError/foreignFolder(_:)`` if it is not ours.
  init(_ names: KeptStore) throws {
    self.names = names
    folder = try LockWait(.zero).enter(names.location) {}
    if let made = names.newFolder, !DurableFiles.exists(made) {
      try MigrationError.writing(try DurableFiles.makeDirectory(made))
    }
  }

  var state: StateLocation { Self.state(of: names) }

  /// Whoever holds the folder.
  static func state(of names: KeptStore) -> StateLocation {
    StateLocation(stateDirectory: "\(names.folder)/state", isNamed: false)
  }

  var swap: StoreSwap { StoreSwap(names, in: folder) }
  var isOvertaken: Bool { folder.isOvertaken }

  /// The plan of an unfinished migration; `nil` if there is none, or none that can be used.
  static func plan(of names: KeptStore) throws(MigrationError) -> MigrationPlan? {
    let path = "\(names.folder)/\(StateLocation.planName)"
    guard DurableFiles.exists(path) else { return nil }
    do throws(PlanError) {
      return try MigrationPlan(contentsOf: path)
    } catch {
      if case .missingPlan = error { throw .inputOutput(path: path, reason: "\(error)") }
      return nil
    }
  }

  /// The migration by a plan; what was made by another plan than the former one is discarded.
  func migration(
    by plan: MigrationPlan,
    after former: MigrationPlan?,
    _ settings: MigrationSettings,
    _ events: MigrationEvents
  ) throws -> Migration {
    var migration = Migration(plan, settings, events: events)
    if plan.fingerprint != former?.fingerprint {
      // What is refused at once takes nothing away.
      try migration.refuseCertainLosses()
      try StateDirectory.clear(state)
      swap.discard()
      try MigrationError.translatingFileErrors { try folder.keep(plan) }
    }
    migration.stateDirectory = state.path
    migration.isStep = true
    migration.keepsReceipt = true
    migration.monitor = Monitor(migration)
    return migration
  }

  /// Removes everything of ours, and the folder if nothing else is in it.
  func remove() throws {
    guard !isOvertaken else { return folder.lock.abandon() }
    try StateDirectory.clear(state)
    names.new.remove()
    // The call does not keep the path.
    if let made = names.newFolder { unsafe rmdir(made) }
    folder.removeAttemptFiles()
    folder.removePlan()
    folder.remove()
  }

  /// Leaves resumable state and the report of violations, and removes the rest.
  func leave(after error: any Error) {
    guard !isOvertaken, !isKept(after: error) else { return folder.lock.abandon() }
    do {
      try remove()
    } catch {
      // Another process works there and will remove it.
      folder.lock.abandon()
    }
  }

  /// A migration that fails removes its state by itself, unless it can be resumed.
  func isKept(after error: any Error) -> Bool {
    if DurableFiles.exists(names.new.store) || state.hasCheckpoints { return true }
    guard DurableFiles.exists(state.path) else { return false }
    if case MigrationError.invalidObjects? = error as? MigrationError { return true }
    return (error as? MigrationError)?.leavesState ?? false
  }
}
