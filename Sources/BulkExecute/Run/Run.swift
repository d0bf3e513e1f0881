internal import BulkSupport
internal import BulkPlan
internal import BulkStore
internal import Synchronization

/// One run that writes a scratch store, item by item of its work list.
///
/// All that a later run needs to go on with it is in ``state``, which every checkpoint holds.
final class Run {
  let migration: Migration
  let work: MigrationWork
  let directory: StateDirectory
  let session: StoreSession
  let definition: StoreDefinition
  let sink: any RowSink
  /// How a copy of the source is changed; `nil` if all rows are rewritten.
  let changes: StoreChanges?
  let list: WorkList
  let isResumed: Bool
  let rowsBefore: Int64
  var state: RunState
  let tallies: RowTallies
  let violations: ViolationReport
  /// Who made which object, where keys do not tell.
  let associations: AssociationTables
  /// The objects of the source; rows of one mapping are evaluated at a time.
  let objects: ObjectSource
  let meter: WorkMeter
  let lookup: RowLookup
  let builder: StoreBuilder
  let rules: ModelValidation
  let trace: LossTrace
  /// `nil` if no losses depend on objects that are made, or they are not counted.
  let ledger: MadeLedger?
  let mappings: [Int64: InstanceMapping]
  let ancillary: [AncillaryChange]
  /// The item that is done now; `nil` before the first.
  var entry: WorkList.Entry?
  /// The unique indexes that objects violate; they are not made.
  var conflicts: [SchemaIndex] = []
  /// The relationships whose links are set, by this run or an interrupted one.
  var linked = 0
  private let source: SourceReading
  private var published: (number: Int64, rows: Int64)?

  private(set) lazy var rowLinks = RowLinks(in: self)
  private(set) lazy var manager = MigrationManager(
    work,
    DestinationRows(work, session, sink) { [weak self] in self?.newKeys(in: $0) },
    associations,
    reporting: violations,
    transformers: migration.policies.transformers
  )

  private init(
    _ migration: Migration,
    _ work: MigrationWork,
    _ source: SourceReading,
    _ budget: MemoryBudget,
    in directory: StateDirectory,
    after checkpoint: Checkpoint?
  ) throws {
    (self.migration, self.work, self.directory, self.source) = (migration, work, directory, source)
    (isResumed, state) = (checkpoint != nil, checkpoint?.state ?? RunState())
    rowsBefore = state.rows
    changes = try Self.makeStore(migration, work, in: directory, isCopied: checkpoint?.isCopied)
    session = try StoreSession(
      path: directory.scratchStore,
      readingFrom: work.store.file,
      pageSize: work.store.pageSize,
      encoding: try work.store.textEncoding(),
      caches: budget.caches,
      isDurable: migration.isDurable,
      threads: migration.threads
    )
    // The first checkpoint is older than the first batch and does not know its size.
    if state.batchRows == 0 { state.batchRows = migration.batchRows }
    session.transactions.batchRows = state.batchRows
    state.isCopied = changes != nil
    session.sample = migration.sample
    let plan = migration.plan
    objects = ObjectSource(
      work.layout.schema,
      session,
      memory: budget.share(of: .rows) / 4,
      constants: plan.constants(migration.policies.transformers, reading: work.store.metadata)
    )
    meter = WorkMeter(reading: work.store, session.position, part: migration.shareOfRows)
    session.watch { [meter] in
      if let repeated = meter.repeated() { migration.note(repeated) }
      return migration.mustStop
    }
    definition = work.definition
    list = plan.list(work.step, changing: changes)
    // A source that cannot be copied after all is read row by row.
    let isPlanned = (changes != nil) == plan.isCopying
    guard !isPlanned || plan.workList == list.digest else {
      throw MigrationError.stalePlan([
        "the work that follows from its inputs is not the planned one"
      ])
    }
    session.streamed = Set(plan.memory.streamedTables)
    sink = migration.rowSink(
      session,
      changes != nil ? nil : work.step.pageFills(streaming: session.streamed)
    )
    migration.monitor?.passes = PassUses(state.passes, of: migration.leg?.number)
    tallies = RowTallies(state.tallies) { [counted = sink.counted] in counted.rows }
    violations = try ViolationReport(
      path: directory.violations,
      later: directory.report,
      keeping: state.violationBytes
    )
    associations = AssociationTables(
      in: directory.path,
      attempt: directory.attempt,
      isDurable: migration.isDurable,
      memory: budget.share(of: .associations),
      after: state.associations
    ) { [session] in session.work.isStopped(after: Self.blockSteps) }
    (lookup, builder) = (RowLookup(session), StoreBuilder(session))
    let lacksFiles = plan.source.externalFiles.map { $0.missing > 0 } ?? false
    rules = ModelValidation(work.destination, session, files: lacksFiles ? work.store.path : nil)
    trace = migration.shared?.losses(of: plan, in: work) ?? LossTrace(of: work)
    let countsLosses = migration.countsLosses && migration.sample == nil
    ledger = countsLosses && work.made != nil ? MadeLedger(work, trace) : nil
    mappings = work.instances.mappingsByIndex
    ancillary = try work.ancillaryChanges()
    state.lastKeys = work.instances.highestKeys.merging(state.lastKeys) { _, last in last }
    try migration.policies.refuseMissingTransformers(of: work.mapping)
    try session.find(rowLinks)
    try beginPolicies()
    if migration.isDurable { recordTransactions() }
  }

  /// The work of sorting a block, for ``WorkWatch/isStopped(after:)``.
  private static let blockSteps = 1 << 12

  /// Makes the scratch store, as a copy or empty, unless an interrupted run has made it already.
  ///
  /// Returns how the copy is changed; `nil` if all rows are rewritten.
  private static func makeStore(
    _ migration: Migration,
    _ work: MigrationWork,
    in directory: StateDirectory,
    isCopied: Bool?
  ) throws -> StoreChanges? {
    try directory.makeScratchStore()
    guard migration.plan.isCopying else { return nil }
    let changes: StoreChanges
    do throws(CopyObstacle) {
      changes = try work.step.changes()
    } catch {
      throw MigrationError.stalePlan(["the store cannot be copied: \(error.reason)"])
    }
    if try isCopied ?? copy(migration, work, to: directory, for: changes) { return changes }
    // Reading all rows shows the corruption of the source.
    try work.store.refuseEndlessPages { migration.mustStop }
    return nil
  }

  /// Copies the source and checks it in the same reading, unless that is done; without a copy the scratch store is
  /// empty.
  private static func copy(
    _ migration: Migration,
    _ work: MigrationWork,
    to directory: StateDirectory,
    for changes: StoreChanges
  ) throws -> Bool {
    let isSound: Bool
    if migration.plan.isChecked && work.store.loggedPages == 0 {
      try work.store.copy(to: directory.scratchStore) { migration.mustStop }
      isSound = true
    } else {
      isSound = try work.store.copyIfSound(
        to: directory.scratchStore,
        except: changes.removedIndexes
      ) { migration.mustStop }
    }
    if isSound, migration.isDurable { try DurableFiles.synchronize(directory.scratchStore) }
    Failpoint.reached(.copied)
    if !isSound { try directory.remakeScratchStore() }
    return isSound
  }

  /// The rows of objects and of many-to-many pairs so far.
  var rowsDone: Int64 { rowsBefore + sink.counted.rows }

  func report(_ stage: MigrationProgress.Stage = .rows) throws {
    let pass = stage == .rows ? entry?.pass : nil
    let progress = meter.complete(migration.progress(stage, pass: pass, rows: rowsDone))
    migration.monitor?.passes.note(rows: rowsDone, memory: progress.memory)
    migration.note(progress)
    try migration.stopIfRequested()
  }

  /// The first of some new keys of a table; `nil` if fewer are left.
  func newKeys(_ count: Int64 = 1, in table: String) -> Int64? {
    guard let next = nextKey(in: table) else { return nil }
    let (key, overflow) = (next - 1).addingReportingOverflow(count)
    guard !overflow else { return nil }
    state.lastKeys[table] = key
    return next
  }

  /// The key that a new row of a table is given next; `nil` if none is left.
  func nextKey(in table: String) -> Int64? {
    let (key, overflow) = (state.lastKeys[table] ?? 0).addingReportingOverflow(1)
    return overflow ? nil : key
  }
}

// MARK: Checkpoints

extension Run {
  /// Writes a checkpoint for every transaction, just before it is committed, and ends the run after the transaction in
  /// which it was requested to stop.
  ///
  /// After an interruption the checkpoint counts whose number is that of the scratch store's last transaction; a
  /// checkpoint without its transaction is ignored.
  private func recordTransactions() {
    let transactions = session.transactions
    transactions.willCommit = { [unowned self] number throws(StoreError) in try record(number) }
    transactions.mustStop = { [migration] in migration.requestedStop != nil }
    transactions.didSynchronize = { Failpoint.step(.commitSynced) }
    transactions.didCommit = { [unowned self] in
      Failpoint.step(.committed)
      migration.monitor?.noteProgress(published)
      published = nil
    }
  }

  /// Makes everything durable that belongs to a transaction, and publishes its checkpoint.
  private func record(_ transaction: Int64) throws(StoreError) {
    do {
      state.isJudging = entry?.followsRows ?? false
      migration.monitor?.passes.note(rows: rowsDone, memory: nil)
      (state.rows, state.tallies) = (rowsDone, tallies.all)
      state.passes = migration.monitor?.passes.all ?? []
      state.programs = migration.policies.programs(of: work.mapping)
      // What the run holds anyway is archived for as long as it is written.
      var saved = state
      saved.userInfo = archivedUserInfo()
      saved.associations = try associations.saved()
      Failpoint.step(.segmentsSaved)
      let segments = saved.associations.flatMap(\.segments)
      let bytes = segments.reduce(0) { $0 + Int64($1.length) }
      migration.monitor?.note(segments: Int64(segments.count), bytes: bytes)
      var checkpoint = checkpoint(transaction)
      checkpoint.sourceReading = source.reading
      checkpoint.measures = migration.monitor?.measure(
        state.isJudging ? nil : .rows,
        pass: state.isJudging ? nil : entry?.pass,
        rows: rowsDone
      )
      (state.violationBytes, state.violationDigest) = try violations.synchronize()
      (saved.violationBytes, saved.violationDigest) = (state.violationBytes, state.violationDigest)
      Failpoint.step(.violationsSaved)
      checkpoint.state = saved
      Failpoint.reached(.checkpoint, transaction)
      published = (try directory.checkpoints.publish(checkpoint), state.rows)
      Failpoint.reached(.commit, transaction)
    } catch {
      let fault = FileError(error)
      throw .checkpoint(
        path: fault?.path ?? directory.path,
        reason: fault?.reason ?? "\(error)",
        isDiskFull: fault?.isDiskFull ?? false
      )
    }
  }

  func checkpoint(_ transaction: Int64) -> Checkpoint {
    Checkpoint(
      plan: migration.plan.fingerprint,
      attempt: directory.attempt,
      transaction: transaction,
      state: state
    )
  }

  /// Makes a run and lets it work.
  ///
  /// Rows read during a concurrent write may look corrupt, so a change of the source takes precedence.
  static func make<T>(
    _ migration: Migration,
    _ work: MigrationWork,
    _ source: SourceReading,
    _ budget: MemoryBudget,
    in directory: StateDirectory,
    after checkpoint: Checkpoint? = nil,
    _ body: (Run) throws -> T
  ) throws(MigrationError) -> T {
    let store = work.store
    do {
      return try body(Run(migration, work, source, budget, in: directory, after: checkpoint))
    } catch let error as StoreError {
      let found = MigrationError(error, source: store.path, scratch: directory.scratchStore)
      if case .diskFull = found { throw found }
      if case .cancelled = found { throw found }
      guard !store.hasChanged else { throw .changedSource(store.path) }
      // Corruption that seems to be the source's may not be there.
      if case .damagedSource = found,
        (try? store.isSound { migration.mustStop }) ?? false
      {
        throw .contradictoryStore(["\(error)"], destination: directory.scratchStore)
      }
      throw found
    } catch AssociationError.stopped {
      throw .cancelled
    } catch let error as MigrationError {
      guard case .wrongRowCount = error, store.hasChanged else { throw error }
      throw .changedSource(store.path)
    } catch {
      throw .failure(error, at: directory.scratchStore)
    }
  }
}

/// How much of the source is read to check that it is the planned one.
///
/// One thread reads; another records the position in every checkpoint, so that a resumed attempt does not
/// start again.
final class SourceReading: Sendable {
  private let state: Mutex<StoreReading?>

  init(_ former: StoreReading?) { state = Mutex(former) }

  var reading: StoreReading? { state.withLock { $0 } }

  func note(_ reading: StoreReading) { state.withLock { $0 = reading } }
}
