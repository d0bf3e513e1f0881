internal import BulkPlan
internal import BulkStore

extension Migration {
  /// Makes the destination.
  ///
  /// It appears under its name when it is complete and synced, or not at all. The source is only read. A
  /// resumed run ends with the same bytes as an uninterrupted one.
  package func run(_ start: Start = .begin) throws -> MigrationRecord {
    let location = stateLocation
    var migration = start == .restart ? self : resuming(location.newest(of: plan)?.limits)
    migration.knownLocation = location
    migration.sourceCopy = try migration.copyOfSource(start)
    guard monitor == nil else { return try migration.attempt(start) }
    let monitor = Monitor(migration)
    migration.monitor = monitor
    migration.baseMemory = base
    defer {
      monitor.end()
      BaseMemory.end(plan, since: migration.base)
    }
    var record = try migration.attempt(start)
    let written = record.outcome == .already ? 0 : record.rows - (record.rowsBefore ?? 0)
    record.rowsOfAttempt = record.rowsOfAttempt ?? max(0, written)
    return record
  }

  /// The copy that is read in place of a source with rows of no entity; `nil` without any, or once all is done.
  private func copyOfSource(_ start: Start) throws -> SourceCopy? {
    guard Receipt.outcome(of: plan, in: stateLocation) == nil else { return sourceCopy }
    if plan.source.corrections != nil, sourceCopy == nil {
      throw MigrationError.stalePlan([
        "it brings in corrected objects, whose values only a replay reads; type the rejects replay again"
      ])
    }
    guard plan.strays != nil else { return sourceCopy }
    try refuse(start)
    return try sourceCopy ?? MigrationError.planning(try plan.sourceCopy())
  }

  private func attempt(_ start: Start) throws -> MigrationRecord {
    let base = base
    guard !plan.isUpToDate else {
      try plan.refuseUnreadableSource()
      return .nothing
    }
    if let done = Receipt.outcome(of: plan, in: stateLocation) {
      StateDirectory.tidy(stateLocation, of: plan)
      return done
    }
    // Where nothing is kept, nothing else matters.
    if start == .resume, !stateLocation.hasCheckpoints { try refuse(start) }
    try refuseCertainLosses()
    try refuseShortTime()
    let budget = try MemoryBudget(limit: settings.memoryLimit, base: base, for: plan)
    if plan.hasSeveralLegs { return try RouteAttempt(migration: self, base: base).run(start) }
    reportDecisions(budget, base: base)
    let check = try PlanCheck(
      plan,
      copy: sourceCopy,
      reading: stateLocation.newest(of: plan)?.sourceReading,
      sharing: shared
    )
    defer { check.identity.stop() }
    // With a single thread no other work is delayed, and a file with other attributes may have
    // other contents.
    if settings.threads == 1 || plan.source.seemsChanged { try check.confirm(stopIfRequested) }
    // The planner has walked the trees of a file that is still the same; of one that is copied, all pages are
    // checked.
    let isKnown = plan.source.knownReading != nil && check.store.loggedPages == 0
    if !isKnown, !plan.isCopying { try check.store.refuseEndlessPages { mustStop } }
    do {
      return try MigrationAttempt(migration: self, check: check, budget: budget).run(start)
    } catch let error as MigrationError where error.isIndependentOfSource {
      throw error
    } catch {
      // If the source is not the planned one, that explains every other error.
      try check.confirm(stopIfRequested)
      throw error
    }
  }
}
