internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// What all stages of a run share that writes a scratch store.
struct StoreRun {
  let migration: Migration
  let work: MigrationWork
  let session: StoreSession
  /// The definition of the store.
  let definition: StoreDefinition
  let sink: any RowSink
  /// How a copy of the source is changed; `nil` if all rows are written anew.
  let changes: StoreChanges?
  /// Whether an interrupted run has begun.
  let isResumed: Bool
  /// The rows that an interrupted run had written.
  let rowsBefore: Int64
  /// What the passes took so far.
  let uses: PassUses
  /// The memory of SQLite while rows are written, and of what reads the source meanwhile.
  private let reservations: [MemoryReservation]

  /// Opens the scratch store.
  ///
  /// - Throws: ``StoreError`` if it cannot be made or the source cannot be read.
  init(
    _ migration: Migration,
    _ work: MigrationWork,
    budget: MemoryBudget,
    in state: StateDirectory,
    after checkpoint: Checkpoint?
  ) throws {
    self.migration = migration
    self.work = work
    reservations = Self.heldThroughout.compactMap { budget.takeAll(for: $0) }
    changes = try StoreCopy(migration, work, in: state).make(after: checkpoint)
    isResumed = checkpoint != nil
    session = try StoreSession(
      path: state.scratchStore,
      readingFrom: work.store.path,
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
    session.watch { migration.mustStop }
    definition = work.definition
    let isChanging = changes != nil
    let streamed = Set(migration.plan.memory.streamedTables)
    sink = migration.rowSink(session, isChanging ? nil : work.step.pageFills(streaming: streamed))
    rowsBefore = checkpoint?.rows ?? 0
    uses = PassUses(checkpoint?.passes ?? [])
  }

  private static let heldThroughout: [MemoryUse] = [
    .program, .models, .destinationCache, .sourceCache, .sorter, .temporaryTables, .log, .check,
    .largestRow,
  ]

  /// The rows of objects and of many-to-many pairs so far.
  var rowsDone: Int64 { rowsBefore + sink.counted.rows }

  /// Whether policies make objects.
  var hasPolicies: Bool { work.step.hasPolicies }

  /// Reports progress, and stops the migration if it is asked to.
  func report(_ stage: MigrationProgress.Stage, pass: Int? = nil) throws {
    let progress = migration.progress(stage, pass: pass, rows: rowsDone)
    uses.note(rows: rowsDone, memory: progress.memory)
    migration.report(progress)
    try migration.stopIfAsked()
  }
}
