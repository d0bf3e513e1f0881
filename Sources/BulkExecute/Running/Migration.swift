public import BulkCoding
public import BulkPlan
internal import BulkLowering
internal import BulkPlatform
internal import BulkVersions
package import BulkStore

/// Carries out a plan.
public struct Migration {
  /// What to do if an earlier run of the same plan was interrupted.
  public enum Start: Hashable, Sendable {
    /// Throw an error, and leave it as it is; begin if there is none.
    case begin
    /// Discard it, and begin again.
    case restart
    /// Resume it; begin if there is none.
    case resumeOrBegin
    /// Resume it; throw an error if there is none.
    case resume
  }

  /// The plan.
  public private(set) var plan: MigrationPlan
  /// The memory limit of the process.
  public var memoryLimit = ByteCount.mebibytes(256)
  /// The threads that work at the same time, at least 1, on which the outcome does not depend.
  ///
  /// More than two are of no use.
  public var threads = Migration.usualThreads
  /// Two threads, or one where there is one processor.
  public static var usualThreads: Int { min(ProcessInfo.processInfo.activeProcessorCount, 2) }
  /// What the process held before it began to work on the migration, if that is earlier than the run; `nil`
  /// to measure it at the beginning of the run.
  public var baseMemory: ByteCount?
  /// The policies that the plan's mapping model may use.
  public var policies = PolicyRegistry()
  /// The folder for everything that must survive an interruption; `nil` for one beside the destination.
  public var stateDirectory: String?
  /// How long to wait for the lock of another process.
  public var lockWait = Duration.zero
  /// What to do when the disk is full.
  public var onDiskFull = DiskFullAction.stop
  /// How much may be lost; a plan that counts more is refused, and a store that lacks more is not
  /// published.
  public var lossLimit = LossLimit.all
  /// What to do with objects that cannot be migrated as they are.
  public var rejects = RejectPolicy()
  /// The limits after an interrupted run with the given ones; `nil` if they are the same as without one.
  public var limitsAfter: ((RunLimits) -> (losses: LossLimit, rejects: RejectPolicy))?
  /// Whether the state directory keeps a receipt, so that a run of the same plan finds that it is done.
  public var keepsReceipt = false
  /// Whether to write checkpoints, from which an interrupted run can be resumed.
  public var keepsCheckpoints = true
  /// The rows in a batch, at least ``minimumBatchRows``; a resumed run uses those of the interrupted one.
  public var batchRows: Int64 = TransactionLog.defaultBatchRows
  /// The fewest rows that a batch may have.
  public static let minimumBatchRows: Int64 = 1_000
  /// Called regularly; returns whether to stop, and how.
  public var stopRequest: () -> StopRequest? = { nil }
  /// The time after which ``stopRequest`` requests a stop, if there is one; a limit far below the longest
  /// indivisible part is refused before anything is made.
  public var timeLimit: Duration?
  /// The name or number of the pass after which the run ends, with the state kept; `nil` to run to the end.
  public var lastPassName: String?
  /// Called with every pass that is done, where there are several.
  public var passDone: (PassUse) -> Void = { _ in }
  /// Called when the run takes another memory limit, as requested (``RunControl``).
  public var memoryLimitChanged: (ByteCount) throws -> Void = { _ in }
  /// The memory limit that the caller requests while the run works; `nil` for none.
  ///
  /// One that is too small is not taken.
  package var requestedMemoryLimit: @Sendable () -> ByteCount? = { nil }
  /// Called with the progress after every batch.
  public var report: (MigrationProgress) -> Void = { _ in }
  /// Called with the number of every checkpoint that counts from now on, and the rows that it keeps.
  public var checkpointWritten: (Int64, Int64) -> Void = { _, _ in }
  /// Called with what is decided and why, a sentence each.
  public var decided: (String) -> Void = { _ in }
  /// The least number of rows with which a migration can be resumed; smaller ones are done again as quickly
  /// as a checkpoint is read.
  package var minimumRowsForCheckpoints: Int64 = min(25_000, TransactionLog.defaultBatchRows)

  /// The rows of the source that are read, for a rehearsal; `nil` for all.
  var sample: KeySample?
  /// What takes the measures of an attempt; a step of a route shares that of the whole.
  package var measures: MeasureRecorder?
  /// What applies the requests of other processes; a step of a route shares that of the whole.
  var controller: RunController?
  /// How often the run reads these requests.
  var controlInterval = RunController.usualInterval
  /// Whether the caller requests the stop, not only another memory limit.
  var stopsForCaller: () -> Bool = { false }
  /// The steps of the plan, where other stores share them; `nil` to read models and mappings again.
  package var shared: SharedSteps?

  /// Whether the running attempt has made headway; a step of a route shares that of the whole.
  var headway: Headway?

  /// Whether it is a step of another migration, whose state directory contains this one's.
  var isStep = false
  /// The number of the leg that this is of a route, from 1.
  var leg = 1

  /// Makes the row sink of a store, which may write the given rows as pages; `nil` if rows are also inserted
  /// one by one.
  package var rowSink: (StoreSession, PageFills?) -> any RowSink = { session, fills in
    fills.map { PageRowSink(session, $0) } ?? SQLRowSink(session)
  }

  /// A migration by a plan.
  public init(_ plan: MigrationPlan) { self.plan = plan }

  /// Makes the destination.
  ///
  /// The destination appears under its name when it is complete and synced, or not at all. The source is
  /// only read. A resumed run ends with the same bytes as an uninterrupted one.
  ///
  /// - Throws: ``MigrationError``.
  public func run(_ start: Start = .begin) throws -> MigrationOutcome {
    var migration = start == .restart ? self : resuming(stateLocation.newest(of: plan)?.limits)
    let skipped = try migration.skippingDamage(start)
    defer { withExtendedLifetime(skipped) {} }
    guard headway == nil else { return try migration.attempt(start) }
    try refuseUnknownPass()
    if keepsPasses { migration.minimumRowsForCheckpoints = 0 }
    migration.headway = Headway()
    migration.takeMeasures()
    migration.followControl()
    return try migration.attempt(start)
  }

  /// Takes measures whenever progress is reported, and at every check whether to stop.
  mutating func takeMeasures() {
    let measures = measures ?? MeasureRecorder(memoryLimit: memoryLimit)
    self.measures = measures
    let live = LiveProgressFile(stateLocation)
    report = { [report] progress in
      measures.note(progress)
      live.note(progress)
      report(progress)
    }
    stopRequest = { [stopRequest] in
      measures.tick()
      return stopRequest()
    }
  }

  /// Applies the requests of other processes at every check whether to stop.
  mutating func followControl() {
    let base = base
    baseMemory = base
    let controller = RunController(
      stateLocation,
      memoryLimit: memoryLimit,
      leastMemory: keepsCheckpoints ? plan.smallestMemoryLimit(base: base) : nil,
      interval: controlInterval,
      requested: requestedMemoryLimit
    )
    self.controller = controller
    stopsForCaller = { [stopRequest] in stopRequest() != nil }
    stopRequest = { [stopRequest] in
      controller.wait { stopRequest() != nil }
      return stopRequest() ?? controller.request
    }
  }

  private var base: ByteCount { baseMemory ?? ProcessMemory.resident ?? .mebibytes(24) }

  /// Carries out the plan, from the last checkpoint again whenever another memory limit is requested.
  private func attempt(_ start: Start) throws -> MigrationOutcome {
    var migration = self
    var start = start
    while true {
      do {
        var outcome = try migration.attemptOnce(start)
        outcome.hasWaited = controller?.hasWaited ?? false
        return outcome
      } catch MigrationError.cancelled {
        guard !stopsForCaller(), let limit = controller?.takeMemoryLimit() else {
          throw MigrationError.cancelled
        }
        migration.memoryLimit = limit
        StoreSession.giveBackMemory()
        measures?.begin(with: limit)
        try memoryLimitChanged(limit)
        start = isDurable ? .resumeOrBegin : start
      }
    }
  }

  private func attemptOnce(_ start: Start) throws -> MigrationOutcome {
    let base = base
    guard !plan.isUpToDate else { return MigrationOutcome(destination: nil, rows: 0, size: .zero) }
    if let done = Receipt(of: plan, in: stateLocation).outcome {
      StateDirectory.tidy(stateLocation)
      return done
    }
    try refuseCertainLosses()
    try refuseShortTime()
    let budget = try MemoryBudget(limit: memoryLimit, base: base, for: plan)
    if plan.route != nil, plan.damage != nil {
      let reason =
        "it takes several legs, and pages that cannot be read are passed over in one only; plan them one by one"
      throw MigrationError.plan(.badPlan("the plan of \(plan.destination.store)", reason: reason))
    }
    if plan.route != nil { return try RouteAttempt(self, base: base).run(start) }
    reportDecisions(budget, base: base)
    let check = try PlanCheck(
      plan,
      reading: stateLocation.newest(of: plan)?.sourceReading,
      sharing: shared
    )
    defer { check.identity.stop() }
    try refuseDependantsOfDamage(check)
    // With a single thread nothing else is done meanwhile, and a file with other attributes may have other contents.
    if threads == 1 || plan.source.seemsChanged { try check.confirm(stopIfRequested) }
    // The planner has walked the trees of a file that is still the same; of one that is copied, all pages are
    // checked.
    let isKnown = plan.source.knownReading != nil && check.store.loggedPages == 0
    if !isKnown, !plan.isCopying { try check.store.refuseEndlessPages { mustStop } }
    var start = start
    while true {
      do {
        return try MigrationAttempt(self, check, budget).run(start)
      } catch MigrationError.diskFull(let path) where onDiskFull == .wait {
        try DiskSpace(path).waitForRoom(telling: self)
        start = isDurable ? .resumeOrBegin : start
      } catch let error as MigrationError where error.isIndependentOfSource {
        throw error
      } catch {
        // If the source is not the one that was planned for, that explains every other error.
        try check.confirm(stopIfRequested)
        throw error
      }
    }
  }

  /// A step of this migration: the same but for its plan, and with a receipt.
  ///
  /// The time limit was checked for all steps together.
  func step(by plan: MigrationPlan, _ shared: SharedSteps? = nil) -> Migration {
    var step = self
    step.plan = plan
    step.memoryLimit = controller?.memoryLimit ?? memoryLimit
    step.timeLimit = nil
    step.shared = shared
    step.isStep = true
    step.keepsReceipt = true
    step.limitsAfter = nil
    return step
  }

  /// Refuses to publish a store that lacks more than is allowed.
  func refuse(_ losses: [MigrationPlan.Loss]) throws(MigrationError) {
    guard lossLimit.allows(losses.most) else {
      throw .tooMuchLost(losses, limit: lossLimit, isMade: true)
    }
  }

  /// Refuses to leave out more objects than are allowed.
  func refuse(rejects count: Int64, of work: MigrationWork) throws {
    let objects = try work.layout.schema.entityTables.reduce(0) { sum, table in
      sum + (try work.store.rows(in: table.name))
    }
    guard rejects.limit.allows(count, of: objects) else {
      throw MigrationError.tooManyRejects(count, limit: rejects.limit, of: objects)
    }
  }

  /// Whether the migration can be resumed after an interruption.
  var isDurable: Bool {
    keepsCheckpoints && plan.steps.contains { $0.rows >= minimumRowsForCheckpoints }
  }

  /// The location of the state directory.
  public var stateLocation: StateLocation {
    if isStep, let stateDirectory {
      return StateLocation(stateDirectory: stateDirectory, isNamed: false)
    }
    return StateLocation(destination: plan.destination.store, stateDirectory: stateDirectory)
  }

  /// Whether to stop now, in the middle of a transaction.
  var mustStop: Bool {
    guard let request = stopRequest() else { return false }
    // Without checkpoints there is no headway to wait for.
    if request.waitsForHeadway, keepsCheckpoints, headway?.isMade == false { return false }
    switch request.moment {
    case .atOnce: return true
    case .afterTransaction: return !isDurable
    }
  }

  /// Ends a wait for another process, which is no work, if there is any request to stop.
  func endWaitIfRequested() throws {
    if stopRequest() != nil { throw MigrationError.cancelled }
  }

  /// Throws if the migration must stop now, in the middle of a transaction.
  func stopIfRequested() throws {
    if mustStop { throw MigrationError.cancelled }
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
      memory: ProcessMemory.resident,
      memoryLimit: memoryLimit
    )
  }

  /// The virtual machine instructions of SQLite between two checks whether to stop.
  static var stepsBetweenChecks: Int64 { StoreSession.stepsBetweenChecks }
}
