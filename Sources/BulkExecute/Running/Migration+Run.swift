internal import BulkPlan
internal import BulkSupport
internal import BulkStore

extension Migration {
  /// Makes the destination.
  ///
  /// It appears under its name when it is complete and synced, or not at all. The source is only read. A
  /// resumed run ends with the same bytes as an uninterrupted one.
  package func run(_ start: Start = .begin) throws -> MigrationRecord {
    guard monitor == nil else { return try attempt(start) }
    var migration = self
    let monitor = Monitor(self)
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

  /// Decides under the lock, and once, what is done with what is found.
  private func attempt(_ start: Start) throws -> MigrationRecord {
    guard !plan.isUpToDate else {
      try plan.refuseUnreadableSource()
      return .nothing
    }
    let state = try state()
    var (isResumed, hasBegun) = (false, false)
    do {
      let found = state.checkpoints.all(of: plan.fingerprint)
      if let done = Receipt.outcome(of: plan, in: state.location) {
        state.tidy()
        return done
      }
      var migration = start == .restart ? self : resuming(found.first?.limits)
      let newest = try migration.resumed(found, start, in: state)
      isResumed = newest != nil
      try migration.refuseCertainLosses()
      try refuseShortTime()
      let budget = try MemoryBudget(limit: settings.memoryLimit, base: base, for: plan)
      if state.checkpoints.isEmpty { try refuseLackingFiles(in: state.location) }
      // What is refused by then asks nothing of the next attempt.
      try state.hold(migration.limits, after: found.first)
      // Requests to an earlier attempt; this one keeps its own when it begins again.
      if monitor?.isControlled != true { state.discardControl() }
      migration.sourceCopy = try copyOfSource()
      if plan.hasSeveralLegs {
        hasBegun = true
        return try RouteAttempt(migration: migration, base: base).run(in: state, after: newest)
      }
      reportDecisions(budget, base: base)
      let check = try PlanCheck(
        plan,
        copy: migration.sourceCopy,
        reading: found.first?.sourceReading,
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
      hasBegun = true
      do {
        return try MigrationAttempt(migration: migration, check: check, budget: budget)
          .run(in: state, after: newest, of: found)
      } catch {
        let error = (error as? FileError)?.asMigrationError ?? error
        // If the source is not the planned one, that explains every other error.
        if (error as? MigrationError)?.isIndependentOfSource != true, !state.isOvertaken {
          try check.confirm(stopIfRequested)
        }
        throw error
      }
    } catch {
      throw leave(state, isResumed: isResumed, hasBegun: hasBegun, after: error)
    }
  }

  /// The copy that is read in place of a source with rows of no entity; `nil` without any.
  private func copyOfSource() throws -> SourceCopy? {
    if plan.source.corrections != nil, sourceCopy == nil {
      throw MigrationError.stalePlan([
        "it brings in corrected objects, whose values only a replay reads; type the rejects replay again"
      ])
    }
    guard plan.strays != nil else { return sourceCopy }
    return try sourceCopy ?? MigrationError.planning(try plan.sourceCopy())
  }
}
