internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Writes the rows of all passes, and everything else that a store has, into a scratch file.
struct PassRunner {
  private let run: StoreRun
  private let instances: InstanceStages
  private var transfers: TransferStage
  private var relationships: RelationshipStage
  private let completion: StoreCompletion
  private let recorder: CheckpointRecorder?
  private let tallies: RowTallies
  private let violations: ViolationReport
  private let associations: AssociationTables
  /// The source objects that no mapping took, once they are counted.
  private var untaken: [String: Int64]?

  init(
    _ migration: Migration,
    _ work: MigrationWork,
    state: StateDirectory,
    budget: MemoryBudget,
    reading source: SourceReading,
    after checkpoint: Checkpoint? = nil
  ) throws {
    let run = try StoreRun(migration, work, budget: budget, in: state, after: checkpoint)
    self.run = run
    let violations = try ViolationReport(
      path: state.violations,
      later: state.report,
      keeping: checkpoint?.violationBytes ?? 0
    )
    self.violations = violations
    let associations = AssociationTables(
      in: state.path,
      attempt: state.attempt,
      isDurable: migration.isDurable,
      budget: budget
    )
    self.associations = associations
    untaken = checkpoint?.untaken
    tallies = RowTallies(checkpoint?.tallies ?? [:]) { [counted = run.sink.counted] in
      counted.rows
    }
    instances = try InstanceStages(
      work,
      run.session,
      into: run.sink,
      associations: associations,
      policies: migration.policies,
      plan: migration.plan,
      budget: budget,
      violations: violations,
      tallies: tallies
    ) {
      try run.report(.rows)
    }
    if let checkpoint {
      associations.restore(checkpoint.associations)
      try instances.restore(checkpoint)
    }
    recorder =
      migration.isDurable
      ? CheckpointRecorder(
        plan: migration.plan.fingerprint,
        batchRows: run.session.transactions.batchRows,
        isCopied: run.changes != nil,
        in: state,
        associations: associations,
        violations: violations,
        tallies: tallies,
        source: source,
        uses: run.uses
      ) : nil
    recorder?.follow(run, instances)
    transfers = TransferStage(run, tallies)
    relationships = RelationshipStage(
      run,
      associations,
      violations: violations,
      recorder,
      after: checkpoint
    )
    let validation = ValidationStage(work, run.session, in: state, violations: violations)
    completion = StoreCompletion(
      run,
      instances,
      validation,
      rejects: migration.rejects.action == .quarantine
        ? RejectStage(
          run,
          validation,
          violations,
          tallies: tallies,
          recorder: recorder,
          after: checkpoint
        ) : nil,
      recorder: recorder,
      after: checkpoint
    )
  }

  /// Writes the whole store.
  ///
  /// - Returns: What was written; its rows are those of the model's objects and of their many-to-many
  ///   pairs.
  func write() throws -> ScratchStoreWriter.Written {
    defer { recorder?.release(run) }
    var runner = self
    if let changes = run.changes {
      try ChangeStage(run, tallies).change(by: changes)
    } else {
      try runner.createTables()
      try runner.writePasses()
      try runner.countUntaken()
    }
    run.sink.counted.isPaused = true
    let rejected = try completion.finish()
    return ScratchStoreWriter.Written(
      rows: run.rowsDone - (rejected?.removed ?? 0),
      transactions: run.session.transactions.count,
      isCopied: run.changes != nil,
      losses: try runner.losses(rejected),
      rejected: rejected,
      report: rejected == nil ? (0, nil) : try violations.synchronize(),
      tallies: tallies.all,
      passes: run.uses.all
    )
  }

  /// Does what decides which objects are left out, and what is lost.
  ///
  /// - Returns: What was found; of a sample no more than the values that violate rules.
  func rehearse() throws -> Rehearsed {
    defer { recorder?.release(run) }
    var runner = self
    try runner.createTables()
    guard run.migration.sample == nil else {
      for creation in run.work.instances.creations {
        try instances.create(creation) { try run.report(.rows, pass: 1) }
      }
      if run.work.keepsKeys {
        for transfer in run.work.transfers.entityRows { try transfers.write(transfer, pass: 1) }
      }
      try completion.findBroken(.values)
      return Rehearsed(violations: try violations.summary())
    }
    try runner.writePasses()
    try runner.countUntaken()
    run.sink.counted.isPaused = true
    let rejected = try completion.judge()
    // A run keeps what breaks other rules than uniqueness where rows keep their keys.
    if run.work.keepsKeys { try completion.findBroken(.all) }
    return Rehearsed(
      violations: try violations.summary(),
      rejected: rejected?.count ?? 0,
      losses: try runner.losses(rejected),
      lostLinks: try runner.account(rejected).firstLinks()
    )
  }

  /// Counts the source objects that no mapping took, unless an interrupted run has done so.
  private mutating func countUntaken() throws {
    untaken = try untaken ?? UntakenObjects(run.work, run.session).count()
    recorder?.untaken = untaken
  }

  /// What the store lacks of the source.
  private func losses(_ rejected: Checkpoint.Rejected?) throws -> [MigrationPlan.Loss] {
    try account(rejected).losses()
  }

  private func account(_ rejected: Checkpoint.Rejected?) -> LossAccount {
    LossAccount(
      run.work,
      by: run.migration.plan,
      in: run.session,
      tallies: tallies,
      associations: associations,
      untaken: untaken ?? [:],
      rejected: rejected
    )
  }

  private func createTables() throws {
    if run.hasPolicies {
      try FoundKeys(run.session).makeTable()
      try ListedAssociations(run.session, by: .object).makeTable()
    }
    try StoreBuilder(run.session).createTables(run.definition)
    try run.sink.begin()
  }

  private mutating func writePasses() throws {
    if !run.work.keepsKeys {
      try instances.createWithoutSource { try run.report(.rows, pass: 1) }
    }
    let plan = run.migration.plan
    let schedule = PassSchedule(plan.passes.map(\.entities), run.work.step)
    for (pass, work) in zip(plan.passes, schedule.passes) {
      run.uses.begin(pass, rows: run.rowsDone)
      try write(work, pass: pass.number)
      try end(pass)
    }
  }

  /// Writes the rows of a pass, and sets the relationships whose objects are all there.
  private mutating func write(_ work: PassSchedule.Pass, pass: Int) throws {
    for transfer in work.entityRows { try transfers.write(transfer, pass: pass) }
    for scan in try instances.scans(of: work.creations) {
      try instances.create(scan) { try run.report(.rows, pass: pass) }
    }
    try relationships.set(work.links.filter { $0.rowNumber == nil }, pass: pass)
    // Rows that are filled in exist already.
    run.sink.counted.isPaused = true
    for creation in work.relations {
      try instances.relate(creation) { try run.report(.rows, pass: pass) }
    }
    run.sink.counted.isPaused = false
    for transfer in work.joinRows { try transfers.write(transfer, pass: pass) }
  }

  /// Ends a pass with a transaction, whose checkpoint says that it is done.
  private func end(_ pass: MigrationPlan.Pass) throws {
    let migration = run.migration
    let use = run.uses.end(rows: run.rowsDone)
    guard migration.plan.passes.count > 1 else { return }
    try run.session.transactions.batch {}
    if let use { migration.passDone(use) }
    if migration.lastPass == pass.number, pass.number < migration.plan.passes.count {
      throw MigrationError.stoppedAfterPass(pass.name)
    }
  }
}
