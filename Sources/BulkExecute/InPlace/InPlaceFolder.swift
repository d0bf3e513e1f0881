internal import BulkPlan
internal import BulkStore
internal import BulkSupport

/// The folder beside a store that is migrated in place, held by this process.
///
/// It holds the plan, the state of the migration, and the new store before it takes its place.
struct InPlaceFolder {
  private let names: KeptStore
  private let folder: StateFolder

  /// Works in the folder of a store, which it makes or enters, and removes it.
  ///
  /// After an error only what can be resumed stays, and a report of violations. Throws
  /// ``MigrationError/locked(stateDirectory:owner:)`` if another process holds the folder,
  /// ``MigrationError/foreignFolder(_:)`` if it is not ours.
  static func hold<Result>(
    _ names: KeptStore,
    _ work: (InPlaceFolder) throws -> Result
  ) throws -> Result {
    let folder = try InPlaceFolder(names)
    do {
      let result = try work(folder)
      do {
        try folder.remove()
      } catch let error as MigrationError {
        throw error.whileTidying(names.folder, of: names.store)
      }
      return result
    } catch {
      let isOvertaken = folder.isOvertaken
      folder.leave(after: error)
      throw isOvertaken ? MigrationError.fenced(stateDirectory: names.folder) : error
    }
  }

  private init(_ names: KeptStore) throws {
    self.names = names
    folder = try LockWait(.zero).enter(names.location) {}
    if let made = names.newFolder, !DurableFiles.exists(made) {
      try MigrationError.writing(try DurableFiles.makeDirectory(made))
    }
  }

  private var state: StateLocation { Self.state(of: names) }

  /// Whoever holds the folder.
  static func state(of names: KeptStore) -> StateLocation {
    StateLocation(stateDirectory: "\(names.folder)/state", isNamed: false)
  }

  var swap: StoreSwap { StoreSwap(names, in: folder) }
  private var isOvertaken: Bool { folder.isOvertaken }

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

  /// Makes a store by a plan and puts it in place of the one that has an identity; what was made by another plan than the
  /// former one is discarded.
  func replace(
    by plan: MigrationPlan,
    after former: MigrationPlan?,
    reading copy: SourceCopy? = nil,
    ifStill identity: String,
    _ settings: MigrationSettings,
    _ events: MigrationEvents
  ) throws -> MigrationRecord {
    var migration = Migration(plan, settings, events: events)
    if plan.fingerprint != former?.fingerprint {
      // What is refused at once takes nothing away.
      try migration.refuseCertainLosses()
      try StateDirectory.clear(state)
      swap.discard()
      try MigrationError.translatingFileErrors { try folder.keep(plan) }
    }
    migration.ofStep = state
    migration.keepsReceipt = true
    migration.sourceCopy = copy
    let monitor = Monitor(migration)
    migration.monitor = monitor
    defer { monitor.end() }
    events.planned(plan)
    Failpoint.reached(.planKept)
    let outcome = try migration.run(.resumeOrBegin)
    Failpoint.reached(.newStore)
    // Once the store is made, no request of another process applies any more.
    monitor.isControlled = false
    try swap.run(ifStill: identity) { migration.mustStop }
    return outcome
  }

  /// Removes everything of ours, and the folder if nothing else is in it.
  private func remove() throws {
    guard !isOvertaken else { return folder.lock.abandon() }
    try StateDirectory.clear(state)
    names.new.remove()
    // The call does not keep the path.
    if let made = names.newFolder { unsafe rmdir(made) }
    folder.removeAttemptFiles()
    folder.removePlan()
    folder.remove()
  }

  private func leave(after error: any Error) {
    guard !isOvertaken, !isKept(after: error) else { return folder.lock.abandon() }
    do {
      try remove()
    } catch {
      // Another process works there and will remove it.
      folder.lock.abandon()
    }
  }

  /// A migration that fails removes its state by itself, unless it can be resumed.
  private func isKept(after error: any Error) -> Bool {
    if DurableFiles.exists(names.new.store) || state.hasCheckpoints { return true }
    guard DurableFiles.exists(state.path) else { return false }
    if case MigrationError.invalidObjects? = error as? MigrationError { return true }
    return (error as? MigrationError)?.leavesState ?? false
  }
}
