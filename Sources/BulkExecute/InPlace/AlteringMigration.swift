internal import BulkSupport
package import BulkPlan
internal import BulkStore

/// Migrates a store by changing the file itself, in one transaction of SQLite.
///
/// The old store is not kept and cannot be restored. Only changes that a copy allows are possible,
/// and only where all values follow from the rows themselves.
package struct AlteringMigration {
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
    // No file has the name of the new store.
    var request = names.request(request)
    request.strategy = .copy
    request.altersSource = true
    self.request = request
    (self.settings, self.events) = (settings, events)
  }

  /// If the process is killed, SQLite restores the old store when it is opened the next time.
  ///
  /// Returns `nil` if the store had the wanted version already.
  package func run() throws -> MigrationRecord? {
    guard try !Planner.isOfVersion(request) else {
      // Transactions of a killed attempt may lie in the log alone; a process that has the store
      // open writes it into the file.
      if DurableFiles.exists(names.store + "-wal") { try? names.refuseInUse() }
      return nil
    }
    try names.refuseInUse()
    let plan = try Planner.plan(request)
    if let rows = plan.strays?.first {
      let reason = "table \(rows.table): \(rows); a migration into another file leaves it out"
      throw MigrationError.damagedSource(path: names.store, reason: reason)
    }
    events.planned(plan)
    var migration = Migration(plan, settings, events: events)
    let monitor = Monitor(migration, awaitsProgress: false)
    migration.monitor = monitor
    defer { monitor.end() }
    guard migration.lossLimit.allows(plan.losses.certain) else {
      throw MigrationError.tooMuchLost(plan.losses, limit: migration.lossLimit, .nothing)
    }
    let budget = try MemoryBudget(limit: migration.memoryLimit, base: migration.base, for: plan)
    let check = try PlanCheck(plan)
    defer { check.identity.stop() }
    do {
      return try alter(migration, check, budget)
    } catch let error as StoreError {
      if error.cause == .busy { throw MigrationError.storeInUse(names.store) }
      throw MigrationError(error, source: names.store, scratch: names.store)
    }
  }

  private func alter(
    _ migration: Migration,
    _ check: PlanCheck,
    _ budget: MemoryBudget
  ) throws -> MigrationRecord {
    let (work, plan) = (check.work, migration.plan)
    let changes: StoreChanges
    do throws(CopyObstacle) {
      changes = try work.step.changes()
    } catch {
      throw MigrationError.plan(.cannotCopy(error.reason))
    }
    let isUnread = plan.source.isUnread
    let unaccounted =
      isUnread ? [] : try Ledger.unaccounted(by: plan.losses, in: work, LossTrace(of: work))
    guard unaccounted.isEmpty else {
      throw MigrationError.unaccountedRows(unaccounted, path: names.store)
    }
    // All of this closes the file, and so would release a lock on it.
    try check.confirm(migration.stopIfRequested)
    let isSound = try work.store.isSound(
      except: isUnread ? [] : changes.removedIndexes,
      only: isUnread ? StoreChanges.ownTables : nil,
      isStopped: { migration.mustStop }
    )
    guard isSound else {
      throw MigrationError.plan(.cannotCopy("the file is not as SQLite leaves it"))
    }
    let keys = try keys(of: work, refusing: changes) { migration.mustStop }
    let ancillary = try work.ancillaryChanges()
    Failpoint.reached(.read)
    guard let session = try work.store.sessionInPlace(budget.caches) else {
      throw MigrationError.changedSource(names.store)
    }
    let builder = StoreBuilder(session)
    session.watch { migration.mustStop }
    try session.transactions.batch {
      for entry in WorkList(changing: work.step, by: changes).entries {
        try migration.stopIfRequested()
        switch entry.item {
        case .statement(let sql): try builder.create(sql)
        case .update(let change):
          if let sql = change.ownUpdateSQL { try builder.create(sql) }
        case .ancillary: try session.change(ancillary)
        case .index(let index): try builder.create(index.sql)
        case .positions(let ordering): try ordering.assignPositions(session)
        case .derived(let attribute): try attribute.compute(session, now: plan.valueOfNow)
        case .part(.primaryKeys): try builder.insert(keys)
        case .part(.metadata): try builder.insert(work.metadata, of: work.definition)
        case .part(let part): try builder.make(part, of: work.definition)
        // The file is there, and no rule is checked. Only a new one is filled.
        case .copy, .validation, .repair, .tables, .objectsOfNothing, .rows, .objects, .links,
          .relations, .pairs, .endOfPass, .reference:
          break
        }
      }
      Failpoint.reached(.altered)
    }
    Failpoint.step(.alterationCommitted)
    try session.endChanging()
    var outcome = MigrationRecord(destinationPath: names.store, rows: plan.rows, size: size)
    outcome.losses = plan.losses
    return outcome
  }

  /// The rows of `Z_PRIMARYKEY`; throws if values follow from more than their own rows.
  private func keys(
    of work: MigrationWork,
    refusing changes: StoreChanges,
    isStopped: @escaping () -> Bool
  ) throws -> [PrimaryKeyEntry] {
    let session = try work.store.sessionInMemory(named: names.store)
    session.watch(isStopped)
    if let table = try changes.obstacleInPlace(session) {
      throw MigrationError.plan(
        .cannotCopy("values of \(table) follow from other rows, which change in the same file")
      )
    }
    return try work.primaryKeys(RowLookup(session))
  }

  private var size: ByteCount { ByteCount(bytes: (try? DurableFiles.size(of: names.store)) ?? 0) }
}
