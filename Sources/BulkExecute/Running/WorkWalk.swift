internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// Walks the work list of a store, item by item, and so writes a scratch file.
struct WorkWalk {
  private let run: StoreRun
  private let recorder: CheckpointRecorder?
  private let changes: ChangeStage
  private let transfers: TransferStage
  private let instances: InstanceStages
  private let links: LinkStage
  private let untaken: UntakenStage
  private let indexes: IndexStage
  private let judging: JudgingStage
  private let parts: PartStage
  private let losses: LossStage
  /// `nil` if no losses depend on objects that are made, or they are not counted.
  private let ledger: MadeLedger?

  init(
    _ migration: Migration,
    _ check: PlanCheck,
    state: StateDirectory,
    budget: MemoryBudget,
    after checkpoint: Checkpoint?
  ) throws {
    let run = try StoreRun(migration, check.work, budget: budget, in: state, after: checkpoint)
    self.run = run
    instances = try InstanceStages(run) { try run.report(.rows) }
    if let checkpoint { try instances.policies.restore(checkpoint) }
    changes = ChangeStage(run: run)
    transfers = TransferStage(run)
    links = LinkStage(run, after: checkpoint)
    untaken = UntakenStage(run, after: checkpoint)
    let validation = ValidationStage(run, in: state)
    let rejects: RejectStage? =
      switch migration.rejects.action {
      case .stop: nil
      case .quarantine: RejectStage(run, validation, after: checkpoint)
      }
    indexes = IndexStage(run, after: checkpoint)
    judging = JudgingStage(
      run: run,
      indexes: indexes,
      validation: validation,
      rejects: rejects,
      instances: instances
    )
    parts = try PartStage(run)
    losses = LossStage(run, after: checkpoint)
    let countsLosses = migration.countsLosses && migration.sample == nil
    ledger = countsLosses && run.work.made != nil ? MadeLedger(run.work, run.trace) : nil
    let states: [(any StageState)?] = [
      run.tallies, run.uses, instances.policies, links, untaken, indexes, rejects, losses,
    ]
    recorder =
      migration.isDurable
      ? CheckpointRecorder(run, in: state, states.compactMap(\.self), check.reading) : nil
    recorder?.follow(run)
  }

  /// The rows of the result are those of the model's objects and of their many-to-many pairs.
  ///
  /// Throws ``MigrationError/invalidObjects(_:)`` if objects violate rules of the model.
  func write(_ attempt: String) throws -> Checkpoint {
    defer { recorder?.release(run) }
    let rejected = try walk(run.list.entries)
    // These read the rows that were made, which would open a log.
    let losses = try account(rejected).losses(self.losses)
    if run.work.store.isInWriteAheadMode { try StoreBuilder(run.session).useWriteAheadMode() }
    var written = Checkpoint(
      plan: run.migration.plan.fingerprint,
      attempt: attempt,
      transaction: run.session.transactions.count,
      rows: run.rowsDone - (rejected?.removed ?? 0)
    )
    written.isCopied = run.changes != nil
    written.losses = losses
    written.rejected = rejected
    if rejected != nil {
      (written.violationBytes, written.violationDigest) = try run.violations.synchronize()
    }
    written.tallies = run.tallies.all
    written.passes = run.uses.all
    return written
  }

  /// Does the work that decides which objects are left out, and which losses there are.
  ///
  /// The findings of a sample are only the values that violate rules.
  func rehearse() throws -> Rehearsed {
    defer { recorder?.release(run) }
    let isSample = run.migration.sample != nil
    let rejected = try walk(run.list.entries.filter { $0.item.isRehearsed(ofSample: isSample) })
    guard !isSample else {
      try judging.validation.findViolations(.values)
      return Rehearsed(violations: try run.violations.summary())
    }
    // A run keeps what violates other rules than uniqueness where rows keep their keys.
    if !run.work.isJudged { try judging.validation.findViolations(.all) }
    let account = account(rejected)
    return Rehearsed(
      violations: try run.violations.summary(),
      rejected: rejected?.count ?? 0,
      losses: try account.losses(losses),
      lostLinks: try account.firstLinks()
    )
  }

  /// `nil` if no objects were left out.
  private func walk(_ entries: [WorkList.Entry]) throws -> Checkpoint.Rejected? {
    var rejected: Checkpoint.Rejected?
    // Objects that are left out make more counts.
    let mayReject = run.migration.rejects.action.leavesOut
    let counts = account(mayReject ? Checkpoint.Rejected() : nil).counts()
    try run.meter.expect(entries, countingIn: counts.tables)
    var rest = entries[...]
    while let entry = rest.first {
      begin(entry)
      if case .objects = entry.item {
        let objects = rest.prefix { $0.item.creation != nil && $0.pass == entry.pass }
        for scan in try instances.scans(of: objects.compactMap(\.item.creation)) {
          run.meter.begin(scan.map { .objects($0) }, scans: instances.readings(of: scan))
          try instances.create(scan) { try run.report(.rows, pass: entry.pass) }
        }
        rest = rest[objects.endIndex...]
      } else {
        run.meter.begin([entry.item])
        try perform(entry, &rejected)
        rest.removeFirst()
      }
    }
    return rejected
  }

  private func begin(_ entry: WorkList.Entry) {
    recorder?.entry = entry
    run.sink.counted.setPaused(to: entry.followsRows)
    guard let pass = run.migration.plan.passes.first(where: { $0.number == entry.pass }),
      !run.uses.isRunning(pass.number)
    else { return }
    run.uses.begin(pass, rows: run.rowsDone)
  }

  private func perform(_ entry: WorkList.Entry, _ rejected: inout Checkpoint.Rejected?) throws {
    let (session, pass) = (run.session, entry.pass)
    let report = { [run] in try run.report(.rows, pass: pass) }
    switch entry.item {
    case .copy: try changes.count(run.changes?.tables ?? [])
    case .statement(let sql): try changes.execute(sql)
    case .update(let table): try changes.update(table)
    case .ancillary: try changes.changeAncillaryTables()
    case .tables: try createTables()
    case .objectsOfNothing: try instances.policies.createWithoutSource(report)
    case .rows(let transfer), .pairs(let transfer): try transfers.write(transfer, pass: pass)
    case .objects(let creation): try instances.create(creation, report)
    case .links(let relationship): try links.set(relationship, report)
    case .relations(let creation):
      // Rows that get further values exist already.
      run.sink.counted.setPaused(to: true)
      try instances.policies.relate(creation, report)
    case .endOfPass: try endPass(entry.pass)
    case .untaken: try untaken.count()
    case .index(let index): try indexes.make(index)
    case .reference(let check):
      try check.repair(session, isKnownToHold: run.sink.knowsToHold(check))
      try run.report(.indexes)
    case .places(let ordering):
      try run.report(.indexes)
      try ordering.assignPlaces(session)
    case .derived(let attribute): try derive(attribute)
    case .judging: rejected = try judging.judge()
    case .settling: if rejected != nil { try settle() }
    case .part(let part): try parts.make(part, reserving: rejected?.highestKeys ?? [:])
    }
  }

  private func derive(_ attribute: DerivedAttribute) throws {
    try attribute.compute(run.session, now: run.migration.plan.valueOfNow)
    try run.report(.indexes)
  }

  /// Does what objects that are left out kept from being done, or changed.
  private func settle() throws {
    try indexes.makeOthers()
    for case .derived(let attribute) in run.list.entries.map(\.item) { try derive(attribute) }
  }

  private func account(_ rejected: Checkpoint.Rejected?) -> LossAccount {
    LossAccount(run, ledger, untaken: untaken.counts ?? [:], rejected: rejected)
  }

  private func createTables() throws {
    if run.hasPolicies {
      try FoundKeys(run.session).makeTable()
      try ListedAssociations(run.session, by: .object).makeTable()
    }
    try run.session.transactions.batch {
      try StoreBuilder(run.session).createTables(run.definition)
    }
    try run.sink.begin()
  }

  /// Ends a pass with a transaction, whose checkpoint says that it is done.
  private func endPass(_ number: Int?) throws {
    let migration = run.migration
    let use = run.uses.end(rows: run.rowsDone)
    let passes = migration.plan.passes
    guard number != nil, passes.count > 1 else { return }
    try run.session.transactions.batch {}
    if let use { migration.passDone(use, passes.count) }
  }
}
