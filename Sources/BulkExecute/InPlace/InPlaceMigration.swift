package import BulkPlan

/// Migrates a store in place: plans, migrates beside the store, and replaces it.
///
/// The old store is kept, with a `~` before its extension.
package struct InPlaceMigration {
  private let names: KeptStore
  private let request: PlanRequest
  private let settings: MigrationSettings
  private let events: MigrationEvents

  package init(
    of store: String,
    _ request: PlanRequest,
    _ settings: MigrationSettings,
    events: MigrationEvents = MigrationEvents()
  ) {
    names = KeptStore(resolving: store)
    self.request = names.request(request)
    (self.settings, self.events) = (settings, events)
  }

  /// However it is interrupted, the old or the new store is in place, complete, and another call resumes it.
  package func run() throws -> MigrationRecord {
    // What an interrupted swap left behind is removed even if the store is current by now.
    if try isCurrent() && !StateFolder.isLeft(names.location) {
      removeEmptyLog()
      return .nothing
    }
    let folder = try InPlaceFolder(names)
    do {
      // Another process may have migrated the store or rolled it back before this one had the folder.
      let isCurrent = try isCurrent()
      if isCurrent {
        try folder.swap.abandon()
        removeEmptyLog()
      }
      var outcome = isCurrent ? .nothing : try migrate(in: folder)
      try remove(folder)
      if !isCurrent { outcome.kept = names.kept.store }
      return outcome
    } catch {
      let isOvertaken = folder.isOvertaken
      folder.leave(after: error)
      throw isOvertaken ? MigrationError.fenced(stateDirectory: names.folder) : error
    }
  }

  /// Removes an empty log that a killed attempt may have left beside the store: SQLite does so where no process has
  /// the store open.
  private func removeEmptyLog() {
    if (try? DurableFiles.size(of: names.store + "-wal")) == 0 { try? names.refuseInUse() }
  }

  private func remove(_ folder: InPlaceFolder) throws {
    do {
      try folder.remove()
    } catch let error as MigrationError {
      throw error.whileTidying(names.folder, of: names.store)
    }
  }

  /// Whether the store is current: it has the wanted version, or a rebuilt one is in place.
  private func isCurrent() throws(PlanError) -> Bool {
    if try Planner.isOfVersion(request) { return true }
    guard request.rebuilds, let former = try? InPlaceFolder.plan(of: names), wasSwapped(former)
    else { return false }
    let plan = try Planner.plan(request(after: former))
    return plan.destination.model.digest == former.destination.model.digest
      && plan.mappings == former.mappings
  }

  private func wasSwapped(_ plan: MigrationPlan) -> Bool {
    // Its receipt counts although the store that it names has moved.
    !DurableFiles.exists(names.new.store) && DurableFiles.exists(names.kept.store)
      && !DurableFiles.isSameFile(names.kept.store, names.store)
      && Receipt.finished(in: InPlaceFolder.state(of: names))?.plan == plan.fingerprint
  }

  /// The store may be named by a link to it.
  package static func stateLocation(of store: String) -> StateLocation {
    InPlaceFolder.state(of: KeptStore(resolving: store))
  }

  /// The name under which a store is kept that was replaced.
  package static func keptStore(of store: String) -> String {
    KeptStore(resolving: store).kept.store
  }

  package static func hasMade(_ plan: MigrationPlan) -> Bool {
    KeptStore(plan.source.store).new.store == plan.destination.store
  }

  private func request(after former: MigrationPlan?) -> PlanRequest {
    var request = request
    request.now = former?.now
    return request
  }

  private func migrate(in folder: InPlaceFolder) throws -> MigrationRecord {
    let swap = folder.swap
    try swap.refuseExisting()
    try names.refuseInUse()
    // The plan of an interrupted migration counts if it still describes the request.
    let former = try InPlaceFolder.plan(of: names)
    let plan = try Planner.plan(request(after: former))
    let migration = try folder.migration(by: plan, after: former, settings, events)
    defer { migration.monitor?.end() }
    events.planned(plan)
    Failpoint.reached(.planKept)
    let outcome = try migration.run(.resumeOrBegin)
    Failpoint.reached(.newStore)
    // Once the store is made, no request of another process applies any more.
    migration.monitor?.isControlled = false
    try swap.run(ifStill: plan.source.identity) { migration.mustStop }
    return outcome
  }
}
