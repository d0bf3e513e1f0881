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
    )
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
        source: source
      ) : nil
    recorder?.follow(run, instances)
    transfers = TransferStage(run, tallies)
    relationships = RelationshipStage(run, associations, recorder, after: checkpoint)
    let validation = ValidationStage(work, run.session, in: state, violations: violations)
    completion = StoreCompletion(
      run,
      instances,
      validation,
      rejects: migration.rejects.action == .quarantine
        ? RejectStage(run, validation, violations, recorder, after: checkpoint) : nil,
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
      try runner.relationships.countLosses()
    }
    run.sink.counted.isPaused = true
    let rejected = try completion.finish()
    let losses = LossAccount(
      run.work,
      run.migration.plan,
      tallies,
      links: runner.relationships.losses
    )
    return ScratchStoreWriter.Written(
      rows: run.rowsDone - (rejected?.count ?? 0),
      transactions: run.session.transactions.count,
      isCopied: run.changes != nil,
      losses: try losses.losses(),
      rejected: rejected,
      violationBytes: rejected == nil ? 0 : try violations.synchronize()
    )
  }

  private func createTables() throws {
    if run.hasPolicies {
      try FoundKeys(run.session).makeTable()
      try InvertedAssociations(run.session).makeTable()
    }
    try StoreBuilder(run.session).createTables(run.definition)
    try run.sink.begin()
  }

  private mutating func writePasses() throws {
    if !run.work.keepsKeys {
      try instances.createWithoutSource { try run.report(.rows, pass: 1) }
    }
    for pass in run.migration.plan.passes {
      let tables = run.work.step.tables(of: pass)
      if run.work.keepsKeys {
        for transfer in run.work.transfers.entityRows where tables.contains(transfer.destination) {
          try transfers.write(transfer, pass: pass.number)
        }
      } else {
        try write(run.work.instances, tables, pass: pass.number)
      }
      for transfer in run.work.transfers.joinRows where tables.contains(transfer.destination) {
        try transfers.write(transfer, pass: pass.number)
      }
    }
  }

  /// Creates the objects of a pass, and sets their relationships.
  private mutating func write(_ work: InstanceWork, _ tables: Set<String>, pass: Int) throws {
    let creations = work.creations.filter { tables.contains($0.transfer.destination) }
    for creation in creations {
      try instances.create(creation) { try run.report(.rows, pass: pass) }
    }
    try relationships.set(work.links.filter { tables.isSuperset(of: $0.tables) }, pass: pass)
    // Rows that are filled in exist already.
    run.sink.counted.isPaused = true
    for creation in creations {
      try instances.relate(creation) { try run.report(.rows, pass: pass) }
    }
    run.sink.counted.isPaused = false
  }
}

extension StepWork {
  /// The destination tables of a pass.
  fileprivate func tables(of pass: MigrationPlan.Pass) -> Set<String> {
    // A removed entity may have the name of an existing one.
    let entities = pass.entities.filter { $0.change != .removed }
      .compactMap { destination.model.entity(named: $0.entity) }
    let roots = Set(entities.map { destination.model.root(of: $0).name })
    let names = destination.entityTables.filter { roots.contains($0.root) }.map(\.name)
    return Set(names + joinTables(ofRoots: Array(roots)).map(\.name))
  }
}
