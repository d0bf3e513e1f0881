internal import BulkLowering
package import BulkMapping
internal import BulkPlan
package import BulkStore

/// The shared state of the stages of a run that writes a scratch store.
struct StoreRun {
  let migration: Migration
  let work: MigrationWork
  let session: StoreSession
  let definition: StoreDefinition
  let sink: any RowSink
  /// How a copy of the source is changed; `nil` if all rows are rewritten.
  let changes: StoreChanges?
  let list: WorkList
  let isResumed: Bool
  let rowsBefore: Int64
  let uses: PassUses
  let tallies: RowTallies
  let violations: ViolationReport
  /// Who made which object, where keys do not tell.
  let associations: AssociationTables
  /// The objects of the source; rows of one mapping are evaluated at a time.
  let objects: ObjectSource
  let meter: WorkMeter

  init(
    _ migration: Migration,
    _ work: MigrationWork,
    budget: MemoryBudget,
    in state: StateDirectory,
    after checkpoint: Checkpoint?
  ) throws {
    self.migration = migration
    self.work = work
    changes = try StoreCopy(migration: migration, work: work, state: state).make(after: checkpoint)
    isResumed = checkpoint != nil
    session = try StoreSession(
      path: state.scratchStore,
      readingFrom: work.store.file,
      pageSize: work.store.pageSize,
      encoding: try work.store.textEncoding(),
      caches: budget.caches,
      isDurable: migration.isDurable,
      threads: migration.threads
    )
    // The first checkpoint is older than the first batch and does not know its size.
    let begun = checkpoint?.batchRows ?? 0
    session.transactions.batchRows = begun > 0 ? begun : migration.batchRows
    session.sample = migration.sample
    objects = ObjectSource(
      work.layout.schema,
      session,
      memory: budget.share(of: .rows) / 4,
      constants: migration.plan.constants(
        migration.policies.transformers,
        reading: work.store.metadata
      )
    )
    meter = WorkMeter(reading: work.store, session.position, part: migration.shareOfRows)
    session.watch { [meter] in
      if let repeated = meter.repeated() { migration.report(repeated) }
      return migration.mustStop
    }
    definition = work.definition
    list = migration.plan.list(work.step, changing: changes)
    // A source that cannot be copied after all is read row by row.
    let isPlanned = (changes != nil) == migration.plan.isCopying
    guard !isPlanned || migration.plan.workList == list.digest else {
      throw MigrationError.stalePlan([
        "the work that follows from its inputs is not the planned one"
      ])
    }
    let isChanging = changes != nil
    session.streamed = Set(migration.plan.memory.streamedTables)
    let fills = work.step.pageFills(streaming: session.streamed)
    sink = migration.rowSink(session, isChanging ? nil : fills)
    rowsBefore = checkpoint?.rows ?? 0
    uses = PassUses(checkpoint?.passes ?? [], of: migration.leg)
    tallies = RowTallies(checkpoint?.tallies ?? [:]) { [counted = sink.counted] in counted.rows }
    violations = try ViolationReport(
      path: state.violations,
      later: state.report,
      keeping: checkpoint?.violationBytes ?? 0
    )
    associations = AssociationTables(
      in: state.path,
      attempt: state.attempt,
      isDurable: migration.isDurable,
      memory: budget.share(of: .associations),
      after: checkpoint?.associations ?? []
    )
  }

  /// The rows of objects and of many-to-many pairs so far.
  var rowsDone: Int64 { rowsBefore + sink.counted.rows }

  var trace: LossTrace {
    migration.shared?.losses(of: migration.plan, in: work) ?? LossTrace(of: work)
  }

  var hasPolicies: Bool { work.step.hasPolicies }

  func report(_ stage: MigrationProgress.Stage, pass: Int? = nil) throws {
    let progress = meter.complete(migration.progress(stage, pass: pass, rows: rowsDone))
    uses.note(rows: rowsDone, memory: progress.memory)
    migration.report(progress)
    try migration.stopIfRequested()
  }
}

extension StoreRun {
  /// The ranges of keys in which the source objects of entity mappings are read, in ascending order; they end with
  /// blocks where several tables are filled.
  func ranges(of table: String, endsWithBlocks: Bool = false) throws -> KeyRanges {
    let store = work.store
    let rows = try session.sample == nil ? store.rowsAmongKeys(in: table) : store.rows(in: table)
    return try KeyRanges(of: table, rows: rows, session, endsWithBlocks: endsWithBlocks)
  }

  func eachRange(of table: String, _ body: (ClosedRange<Int64>) throws -> Void) throws {
    var ranges = try ranges(of: table)
    while let range = try ranges.nextRange() {
      try body(range)
      session.position.reach(range.upperBound)
    }
  }

  /// Fills tables range by range; a group of ranges is one transaction.
  ///
  /// `appended` gets each range and the number of rows that each transfer has written.
  func fill(
    by transfers: [RowTransfer],
    in ranges: () throws -> KeyRanges,
    _ appended: (ClosedRange<Int64>, [Int64]) throws -> Void
  ) throws {
    try sink.fill(by: transfers) { append in
      var ranges = try ranges()
      while case let group = try ranges.nextRanges(), !group.isEmpty {
        try session.transactions.batch {
          for range in group {
            let rows = try append(range)
            session.position.reach(range.upperBound)
            try appended(range, rows)
          }
        }
      }
    }
  }
}

/// The store whose objects are evaluated or tested, and the means to do so.
package struct ObjectSource {
  package let schema: StoreSchema
  package let session: StoreSession
  /// The bytes that the rows that are read at once may hold; related objects take as many, and values and results
  /// the rest: a row's results of methods as many, those of all rows half as many.
  package let memory: Int64
  package let constants: RunConstants

  package init(
    _ schema: StoreSchema,
    _ session: StoreSession,
    memory: Int64,
    constants: RunConstants
  ) {
    (self.schema, self.session, self.memory) = (schema, session, memory)
    self.constants = constants
  }
}

/// Copies the source into the scratch store, where the plan says so and the source is sound.
struct StoreCopy {
  let migration: Migration
  let work: MigrationWork
  let state: StateDirectory

  /// Makes the scratch store, as a copy or empty; an interrupted run has made it already.
  ///
  /// Returns how the copy is changed; `nil` if all rows are rewritten.
  func make(after checkpoint: Checkpoint?) throws -> StoreChanges? {
    try state.makeScratchStore()
    guard migration.plan.isCopying else { return nil }
    let changes: StoreChanges
    do throws(CopyObstacle) {
      changes = try work.step.changes()
    } catch {
      throw MigrationError.stalePlan(["the store cannot be copied: \(error.reason)"])
    }
    if try checkpoint?.isCopied ?? copy(for: changes) { return changes }
    // Reading all rows shows the corruption of the source.
    try work.store.refuseEndlessPages { migration.mustStop }
    return nil
  }

  /// Copies the source and checks it in the same reading, unless that is done; without a copy the scratch store is
  /// empty.
  private func copy(for changes: StoreChanges) throws -> Bool {
    let isSound: Bool
    if migration.plan.isChecked && work.store.loggedPages == 0 {
      try work.store.copy(to: state.scratchStore) { migration.mustStop }
      isSound = true
    } else {
      isSound = try work.store.copyIfSound(
        to: state.scratchStore,
        besides: changes.removedIndexes
      ) { migration.mustStop }
    }
    if isSound, migration.isDurable { try DurableFiles.synchronize(state.scratchStore) }
    Failpoint.reached(.copied)
    if !isSound { try state.remakeScratchStore() }
    return isSound
  }
}
