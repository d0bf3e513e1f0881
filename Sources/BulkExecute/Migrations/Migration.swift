internal import BulkSupport
package import BulkPlan
package import BulkStore

/// Carries out a plan.
@dynamicMemberLookup
package struct Migration {
  /// The treatment of an interrupted run of the same plan.
  package enum Start: Hashable, Sendable {
    /// Throw an error, and leave it as it is; begin if there is none.
    case begin
    case restart
    /// Resume it; begin if there is none.
    case resumeOrBegin
    /// Resume it; throw an error if there is none.
    case resume
  }

  package private(set) var plan: MigrationPlan
  package var settings: MigrationSettings
  package var events: MigrationEvents
  /// Makes the row sink of a store, which may write the given rows as pages; `nil` if rows are also inserted
  /// one by one.
  package var rowSink: (StoreSession, PageFills?) -> any RowSink = { session, fills in
    fills.map { PageRowSink(session, $0) } ?? SQLRowSink(session)
  }
  /// The minimum number of rows with which a migration can be resumed; smaller ones are restarted
  /// as quickly as a checkpoint is read.
  package var minimumRowsForCheckpoints: Int64 = min(25_000, TransactionLog.defaultBatchRows)

  /// The copy that is read in place of the source, where the caller has it already or the run has begun.
  package var sourceCopy: SourceCopy?
  /// The rows of the source that are read, for a rehearsal; `nil` for all.
  var sample: KeySample?
  /// The monitor of the running attempt, which a step of a route shares; `nil` where nobody follows, as in a rehearsal.
  var monitor: Monitor?
  /// The steps of the plan, where other stores share them; `nil` to read models and mappings again.
  package var shared: SharedSteps?

  /// The state directory of a step of another migration, in that one's; `nil` for the one that the settings name.
  var ofStep: StateLocation?
  /// The leg that this is of a route of several; `nil` without one.
  var leg: Leg?

  package init(
    _ plan: MigrationPlan,
    _ settings: MigrationSettings = MigrationSettings(),
    events: MigrationEvents = MigrationEvents()
  ) {
    (self.plan, self.settings, self.events) = (plan, settings, events)
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<MigrationSettings, Value>) -> Value {
    get { settings[keyPath: path] }
    set { settings[keyPath: path] = newValue }
  }

  package subscript<Value>(dynamicMember path: WritableKeyPath<MigrationEvents, Value>) -> Value {
    get { events[keyPath: path] }
    set { events[keyPath: path] = newValue }
  }

  /// Two threads, or one where there is one processor.
  package static var usualThreads: Int { min(SystemHost.current.processors(), 2) }

  var base: ByteCount { settings.baseMemory ?? BaseMemory.now }

  /// A step of this migration: the same but for its plan and its state directory, and with a receipt.
  ///
  /// The time limit was checked for all steps together.
  func step(
    by plan: MigrationPlan,
    in location: StateLocation,
    _ shared: SharedSteps? = nil
  ) -> Migration {
    var step = self
    step.plan = plan
    step.timeLimit = nil
    step.shared = shared
    step.ofStep = location
    step.keepsReceipt = true
    step.limitsAfter = nil
    return step
  }

  var isDurable: Bool {
    settings.keepsCheckpoints && plan.rows >= minimumRowsForCheckpoints
  }

  package var stateLocation: StateLocation {
    ofStep
      ?? StateLocation(
        destination: plan.destination.store,
        stateDirectory: settings.stateDirectory
      )
  }

  func note(_ progress: MigrationProgress) {
    guard let monitor else { return events.report(progress) }
    monitor.note(progress)
  }

  var requestedStop: StopRequest? {
    guard let monitor else { return events.stopRequest() }
    return monitor.tick()
  }

  /// Whether to stop now, in the middle of a transaction.
  var mustStop: Bool {
    guard let request = requestedStop else { return false }
    // Without checkpoints a run makes no progress that could be waited for.
    if request.waitsForProgress, settings.keepsCheckpoints, monitor?.hasProgress == false {
      return false
    }
    switch request.moment {
    case .atOnce: return true
    case .afterTransaction: return !isDurable
    }
  }

  /// Ends a wait for another process at any request to stop; no work is lost.
  func endWaitIfRequested() throws {
    if requestedStop != nil { throw MigrationError.cancelled }
  }

  func stopIfRequested() throws {
    if mustStop { throw MigrationError.cancelled }
  }

  /// The files of the store of an earlier leg are ours.
  var isLaterLeg: Bool { leg.map { $0.number > 1 } ?? false }

  /// The share of the work that is not that of copying files, as estimated.
  var shareOfRows: Double {
    guard let files = plan.source.externalFiles?.estimatedSeconds, files > 0 else { return 1 }
    return 1 - files / max(plan.estimatedSeconds, files)
  }

  func progress(files: Int64, rows: Int64) -> MigrationProgress {
    let total = max(plan.source.externalFiles?.count ?? 0, files)
    var progress = progress(.files, rows: rows)
    (progress.filesDone, progress.filesTotal) = (files, total)
    progress.share = shareOfRows + (1 - shareOfRows) * Double(files) / Double(max(total, 1))
    return progress
  }

  func progress(
    _ stage: MigrationProgress.Stage,
    pass: Int? = nil,
    rows: Int64
  ) -> MigrationProgress {
    let areAllMade = stage.followsRows
    return MigrationProgress(
      pass: pass ?? plan.passes.count,
      passName: pass.flatMap { number in
        plan.passes.count > 1 ? plan.passes.first { $0.number == number }?.name : nil
      },
      passCount: plan.passes.count,
      stage: stage,
      rowsDone: rows,
      rowsTotal: areAllMade ? rows : plan.rows,
      isUpperBound: !areAllMade && plan.isUpperBound,
      share: stage == .publishing ? shareOfRows : nil,
      memory: ProcessMemory.resident,
      memoryLimit: settings.memoryLimit
    )
  }
}
