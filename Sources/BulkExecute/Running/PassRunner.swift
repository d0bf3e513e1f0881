internal import BulkMapping
internal import BulkModel
internal import BulkPlan
internal import BulkStore

/// Writes the rows of all passes, and everything that a store has beside them, into a scratch file.
struct PassRunner {
  private let migration: Migration
  private let work: MigrationWork
  private let moves: VerbatimMoves
  private let pulse: Pulse
  private let writer: StoreWriter
  private let stage: InstanceStages
  private let state: StateDirectory
  private let violations: ViolationReport
  private let recorder: CheckpointRecorder?
  /// What SQLite holds as long as rows are written, and what reads the source beside it.
  private let reservations: [MemoryReservation]
  /// The rows that an interrupted run had written.
  private let rowsBefore: Int64
  /// The unique indexes against which rows stand, as an interrupted run found.
  private let knownConflicts: Set<String>
  private let associations: AssociationTables
  /// The indexes whose entries moved with their rows.
  private var madeIndexes: Set<String> = []
  /// How many links fell away.
  private var links = LinkLosses()
  private let tallies: RowTallies
  /// All of them, where an interrupted run has counted them.
  private let countedBefore: LinkLosses?
  /// The relationships that are set, and those that an interrupted run has set.
  private var linked: [Checkpoint.Linked] = []
  private let linkedBefore: [Checkpoint.Linked]

  init(
    _ migration: Migration,
    _ work: MigrationWork,
    _ moves: VerbatimMoves,
    state: StateDirectory,
    budget: MemoryBudget,
    reading source: SourceReading,
    after checkpoint: Checkpoint? = nil
  ) throws {
    self.migration = migration
    self.work = work
    self.moves = moves
    reservations = Self.heldThroughout.compactMap { budget.takeAll(for: $0) }
    let pulse = Pulse(migration)
    self.pulse = pulse
    self.state = state
    let isDurable = migration.isDurable
    try state.makeScratchStore()
    writer = try StoreWriter(
      path: state.scratchStore,
      readingFrom: work.store.path,
      pageSize: work.store.pageSize,
      encoding: try work.store.textEncoding(),
      caches: budget.caches,
      isDurable: isDurable
    )
    // The first checkpoint is older than the first batch and knows no size of it.
    let begun = checkpoint?.batchRows ?? 0
    writer.batchRows = begun > 0 ? begun : migration.batchRows
    writer.watch(pulse.beat)
    violations = try ViolationReport(
      path: state.violations,
      later: state.report,
      keeping: checkpoint?.violationBytes ?? 0
    )
    let associations = AssociationTables(
      in: state.path,
      attempt: state.attempt,
      isDurable: isDurable,
      budget: budget
    )
    self.associations = associations
    let tallies = RowTallies(checkpoint?.tallies ?? [:]) { [unowned writer] in
      writer.rowsWritten
    }
    self.tallies = tallies
    stage = try InstanceStages(
      work,
      writer,
      associations,
      policies: migration.policies,
      plan: migration.plan,
      budget: budget,
      violations: violations,
      tallies: tallies
    )
    rowsBefore = checkpoint?.rows ?? 0
    knownConflicts = Set(checkpoint?.conflicts ?? [])
    countedBefore = checkpoint?.counted
    linkedBefore = checkpoint?.linked ?? []
    if let checkpoint {
      associations.restore(checkpoint.associations)
      try stage.restore(checkpoint)
    }
    if isDurable {
      let recorder = CheckpointRecorder(
        plan: migration.plan.fingerprint,
        batchRows: writer.batchRows,
        in: state,
        moves: moves,
        associations: associations,
        violations: violations,
        tallies: tallies,
        source: source
      )
      writer.willCommit = { [stage, rowsBefore, unowned writer] number throws(StoreError) in
        try recorder.record(number, rows: rowsBefore + writer.rowsWritten, stage)
      }
      writer.mustStop = { migration.stopRequest() != nil }
      writer.didCommit = {
        Failpoint.step()
        migration.headway?.make()
      }
      self.recorder = recorder
    } else {
      recorder = nil
    }
  }

  private static let heldThroughout: [MemoryUse] = [
    .program, .models, .destinationCache, .sourceCache, .sorter, .temporaryTables, .log, .check,
    .largestRow,
  ]

  private var rowsDone: Int64 { rowsBefore + writer.rowsWritten }

  /// Writes the whole store.
  ///
  /// - Returns: What was written: the rows are those of the model's objects and of their many-to-many
  ///   pairs.
  func run() throws -> StoreMaking.Written {
    // The stage that these refer to holds the writer, which would stay open.
    defer {
      writer.willCommit = nil
      writer.mustStop = nil
    }
    var runner = self
    try runner.createTables()
    try runner.runPasses()
    try runner.countLosses()
    writer.countsRows = false
    try runner.finish()
    return StoreMaking.Written(
      rows: runner.rowsDone,
      transactions: writer.transactions,
      losses: try LossAccount(work, migration.plan, runner.tallies, links: runner.links).losses()
    )
  }

  private mutating func countLosses() throws {
    defer { recorder?.counted = links }
    if let countedBefore {
      links = countedBefore
      return
    }
    for loss in work.instances?.losses ?? [] {
      let count = try writer.count(loss.rows)
      let others = try count > 0 ? loss.overlooked.map { try writer.count($0) } : nil
      links.add(loss.relationship, count, overlooked: others ?? 0)
      try report(.rows)
    }
  }

  private var hasPolicies: Bool {
    work.instances != nil
      && work.mapping.entityMappings.contains { $0.entityMigrationPolicyClassName != nil }
  }

  private func createTables() throws {
    if hasPolicies { try writer.makeMemory() }
    for sql in work.destination.tableStatements(work.carriage, work.indexStyle) {
      try writer.create(sql)
    }
  }

  private mutating func runPasses() throws {
    if work.instances != nil {
      try stage.createWithoutSource { try report(.rows, pass: 1) }
    }
    for pass in migration.plan.passes {
      let tables = work.tables(of: pass)
      if let instances = work.instances {
        let creations = instances.creations.filter {
          tables.contains($0.transfer.destination)
        }
        for creation in creations {
          try stage.create(creation) { try report(.rows, pass: pass.number) }
        }
        try setLinks(instances.links.filter { tables.isSuperset(of: $0.tables) }, pass: pass.number)
        // Rows that are filled in are there already.
        writer.countsRows = false
        for creation in creations {
          try stage.relate(creation) { try report(.rows, pass: pass.number) }
        }
        writer.countsRows = true
      } else {
        for transfer in work.transfers.entityRows where tables.contains(transfer.destination) {
          try run(transfer, pass: pass.number)
        }
      }
      for transfer in work.transfers.joinRows where tables.contains(transfer.destination) {
        try run(transfer, pass: pass.number)
      }
    }
  }

  /// Sets the relationships that follow from all assignments to them.
  private mutating func setLinks(_ relationships: [LinkedRelationship], pass: Int) throws {
    let runner = self
    let stage = LinkStage(work, writer, associations: associations) {
      try runner.report(.rows, pass: pass)
    }
    for relationship in relationships {
      let done: Checkpoint.Linked
      if linked.count < linkedBefore.count {
        done = linkedBefore[linked.count]
        writer.passOver(to: done.transaction)
      } else {
        let losses = try stage.set(relationship)
        done = Checkpoint.Linked(transaction: writer.transactions, losses: losses)
      }
      links.add(done.losses)
      linked.append(done)
      recorder?.linked = linked
    }
  }

  private mutating func run(_ transfer: RowTransfer, pass: Int) throws {
    let rows = try work.store.rows(in: transfer.source)
    tallies.begin(transfer.destination)
    if let move = moves[transfer.destination] {
      try moveWhole(move, rows: rows, pass: pass)
    } else {
      let prepared = try writer.prepare(
        transfer,
        streamsLargeValues: migration.plan.memory.streamedTables.contains(transfer.source)
      )
      var ranges = try writer.ranges(of: transfer.source, rows: rows)
      while true {
        let group = try ranges.nextRanges()
        if group.isEmpty { break }
        try writer.batch {
          for range in group {
            _ = try writer.run(prepared, range: range)
            try report(.rows, pass: pass)
          }
        }
      }
    }
    tallies.end()
    let written = tallies[transfer.destination].written
    let counted = expectedRows(of: transfer, in: pass) ?? rows
    let isWhole = expectedRows(of: transfer, in: pass) != nil || transfer.movesAllRows
    guard !isWhole || written == counted else {
      throw MigrationError.wrongRowCount(
        table: transfer.source,
        expected: counted,
        written: written,
        path: work.store.path
      )
    }
  }

  /// Moves a table as it is, with the entries of its indexes.
  private mutating func moveWhole(_ move: VerbatimMove, rows: Int64, pass: Int) throws {
    for index in move.indexes {
      try writer.create(index.sql)
      madeIndexes.insert(index.name)
    }
    pulse.begin(rows: rows, indexes: move.source.indexes.count, after: rowsDone, pass: pass)
    _ = try writer.moveRows(of: move.source.name, to: move.destination)
    pulse.end()
    try report(.rows, pass: pass)
  }

  /// The rows that the plan promises for an entity table; `nil` for a join table.
  private func expectedRows(of transfer: RowTransfer, in number: Int) -> Int64? {
    guard
      work.transfers.entityRows.contains(where: { $0.destination == transfer.destination }),
      let pass = migration.plan.passes.first(where: { $0.number == number })
    else { return nil }
    return pass.entities.filter { change in
      guard change.change != .removed,
        let entity = work.destination.model.entity(named: change.entity)
      else { return false }
      return work.destination.table(of: entity).name == transfer.destination
    }.reduce(0) { $0 &+ $1.rows }
  }

  /// Tells where the migration stands, and stops it if it is asked to.
  private func report(_ stage: MigrationProgress.Stage, pass: Int? = nil) throws {
    migration.report(migration.progress(stage, pass: pass, rows: rowsDone))
    try migration.stopIfAsked()
  }

  /// Makes the indexes.
  ///
  /// - Returns: The unique ones that objects stand against; validation will name these.
  private func makeIndexes() throws -> [SchemaIndex] {
    var conflicts: [SchemaIndex] = []
    for index in work.indexStyle.indexes where !madeIndexes.contains(index.name) {
      guard index.isUnique else {
        try writer.create(index.sql)
        try report(.indexes)
        continue
      }
      let isKnown = knownConflicts.contains(index.name)
      if try !writer.createIfPossible(index, isKnownToConflict: isKnown) {
        conflicts.append(index)
        recorder?.conflicts.append(index.name)
      }
      try report(.indexes)
    }
    return conflicts
  }

  private func finish() throws {
    let conflicts = try makeIndexes()
    for check in work.instances?.checks ?? [] {
      try writer.mend(check)
      try report(.indexes)
    }
    for ordering in work.transfers.orderings { try writer.assignPlaces(ordering) }
    for derived in work.transfers.derivations { try writer.compute(derived) }
    if work.instances != nil {
      try stage.validate()
      // What an interrupted run has written after it shows that nothing was found.
      if !writer.isPassingOver {
        try ValidationStage(work, writer, in: state, violations: violations).run(
          conflicts: conflicts
        ) {
          try report(.validation)
        }
      }
      if hasPolicies { try writer.forget() }
    } else if !conflicts.isEmpty {
      try ValidationStage(work, writer, in: state, violations: violations).refuse(conflicts) {
        try report(.validation)
      }
    }
    try writer.create(SchemaSQL.primaryKeyTable)
    try writer.create(SchemaSQL.metadataTable)
    try writer.create(SchemaSQL.modelCacheTable)
    try CarriageRunner(work, writer).run()
    try writer.insert(PrimaryKeys(work, writer).entries())
    let model = work.destination.model
    try writer.insert(
      work.store.metadata.migrated(to: model),
      modelCache: ModelCache.bytes(of: model)
    )
    for trigger in work.destination.derivedAttributes.flatMap(\.triggers) {
      try writer.create(trigger.sql)
    }
    // From here on nothing is written to any table: no trigger of the source may ever fire.
    try work.objects.makeTriggers(with: writer)
    if work.store.isInWriteAheadMode { try writer.useWriteAheadMode() }
  }
}

extension MigrationWork {
  /// The destination tables of a pass.
  fileprivate func tables(of pass: MigrationPlan.Pass) -> Set<String> {
    // An entity that is removed may have the name of one that is there.
    let entities = pass.entities.filter { $0.change != .removed }
      .compactMap { destination.model.entity(named: $0.entity) }
    let roots = Set(entities.map { destination.model.root(of: $0).name })
    let names = destination.entityTables.filter { roots.contains($0.root) }.map(\.name)
    return Set(names + joinTables(ofRoots: Array(roots)).map(\.name))
  }
}
