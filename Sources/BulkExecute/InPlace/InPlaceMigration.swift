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
    return try InPlaceFolder.hold(names) { folder in
      // Another process may have migrated the store or rolled it back before this one had the folder.
      guard try isCurrent() else { return try migrate(in: folder) }
      try folder.swap.abandon()
      removeEmptyLog()
      return .nothing
    }
  }

  /// Removes an empty log that a killed attempt may have left beside the store: SQLite does so where no process has
  /// the store open.
  private func removeEmptyLog() {
    if (try? DurableFiles.size(of: names.store + "-wal")) == 0 { try? names.refuseInUse() }
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
    try folder.swap.refuseExisting()
    try names.refuseInUse()
    // The plan of an interrupted migration counts if it still describes the request.
    let former = try InPlaceFolder.plan(of: names)
    let plan = try Planner.plan(request(after: former))
    var outcome = try folder.replace(
      by: plan,
      after: former,
      ifStill: plan.source.identity,
      settings,
      events
    )
    outcome.kept = names.kept.store
    return outcome
  }
}
