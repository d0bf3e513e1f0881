public import BulkCoding
public import BulkPlan
package import BulkStore
internal import Foundation

/// Carries out a plan.
public struct Migration {
  /// What is done where an earlier run of the same plan was interrupted.
  public enum Start: Hashable, Sendable {
    /// It is left as it is, and an error.
    case anew
    /// It is given up.
    case overAgain
    /// It is gone on with; without one the migration begins.
    case whereItStands
    /// It is gone on with; without one there is nothing to do, and an error.
    case onlyWhereItStands
  }

  /// The plan.
  public private(set) var plan: MigrationPlan
  /// The memory that the process may hold.
  public var memoryLimit = ByteCount.mebibytes(256)
  /// What the process held before it began to work on the migration, where that is earlier than the
  /// run; `nil` to measure it at the beginning of the run.
  public var baseMemory: ByteCount?
  /// The policies that the plan's mapping model may use.
  public var policies = PolicyRegistry()
  /// The folder for everything that must survive an interruption; beside the destination without one.
  public var stateDirectory: String?
  /// How long the lock of another process is waited for.
  public var lockWait = Duration.zero
  /// What is done when the disk is full.
  public var onDiskFull = DiskFullAction.stop
  /// How much may be lost; beyond it nothing is started where the plan counts it, and nothing published
  /// otherwise.
  public var lossLimit = LossLimit.all
  /// Whether the state directory keeps a receipt, so that a run of the same plan finds that it is done.
  public var keepsReceipt = false
  /// Whether checkpoints are written, by which an interrupted run can be gone on with.
  public var keepsCheckpoints = true
  /// The rows of a batch, from ``leastBatchRows``; a run that goes on has those of the interrupted one.
  public var batchRows: Int64 = TransactionLog.usualBatchRows
  /// The fewest rows that a batch may have.
  public static let leastBatchRows: Int64 = 1_000
  /// Is asked every now and then whether to stop, and how.
  public var stopRequest: () -> StopRequest? = { nil }
  /// The time after which ``stopRequest`` asks to stop, where there is one; one in which the longest part
  /// that cannot be divided is not done by far is refused before anything is made.
  public var timeLimit: Duration?
  /// Is told after every batch where the migration stands.
  public var report: (MigrationProgress) -> Void = { _ in }
  /// The least number of rows with which a migration can be gone on with; one that is as quick as to
  /// read a checkpoint again has none.
  package var leastRowsForCheckpoints: Int64 = min(25_000, TransactionLog.usualBatchRows)

  /// What the attempt that runs has made; a step of a route shares that of the whole.
  var headway: Headway?

  /// Whether it is a step of another migration, whose state directory holds that of this one.
  var isStep = false

  /// Whether tables whose rows stay as they are move whole; a test that compares files lets all move row
  /// by row, since that decides in which order pages lie.
  package var movesWholeTables = true

  /// Makes what writes the rows of a store.
  package var rowSink: (StoreSession, StoreDefinition) -> any RowSink = { session, _ in
    SQLRowSink(session)
  }

  /// A migration by a plan.
  public init(_ plan: MigrationPlan) { self.plan = plan }

  /// Makes the destination.
  ///
  /// The destination appears under its name when it is whole and synced, or not at all. The source is
  /// only read. What goes on where an earlier run was interrupted ends with the same bytes as if it had
  /// not been.
  ///
  /// - Throws: ``MigrationError``.
  public func run(_ start: Start = .anew) throws -> MigrationOutcome {
    guard headway == nil else { return try attempt(start) }
    var migration = self
    migration.headway = Headway()
    return try migration.attempt(start)
  }

  private func attempt(_ start: Start) throws -> MigrationOutcome {
    let base = baseMemory ?? ProcessMemory.resident ?? .mebibytes(24)
    guard !plan.isUpToDate else { return MigrationOutcome(destination: nil, rows: 0, size: .zero) }
    if let done = Receipt(of: plan, in: stateLocation).outcome {
      StateDirectory.tidy(stateLocation)
      return done
    }
    guard lossLimit.allows(plan.losses.certain) else {
      throw MigrationError.tooMuchLost(plan.losses, limit: lossLimit, isMade: false)
    }
    try refuseShortTime()
    let budget = try MemoryBudget(limit: memoryLimit, base: base, for: plan)
    if plan.route != nil { return try RouteAttempt(self, base: base).run(start) }
    let check = try PlanCheck(plan, reading: stateLocation.sourceReading(for: plan))
    defer { check.identity.stop() }
    try check.refuseSharedPages(isStopped: { mustStop })
    var start = start
    while true {
      do {
        return try MigrationAttempt(self, check, budget).run(start)
      } catch MigrationError.diskFull(let path) where onDiskFull == .wait {
        try DiskSpace(path).waitForRoom(telling: self)
        start = isDurable ? .whereItStands : start
      } catch let error as MigrationError where error.isOfFiles {
        throw error
      } catch {
        // A source that is not the one that was planned for explains everything else.
        try check.confirm(stopIfAsked)
        throw error
      }
    }
  }

  /// A step of this migration: the same but for its plan, and with a receipt.
  ///
  /// Whether the time suffices was asked for all steps together.
  func step(by plan: MigrationPlan) -> Migration {
    var step = self
    step.plan = plan
    step.timeLimit = nil
    step.isStep = true
    step.keepsReceipt = true
    return step
  }

  var limits: RunLimits { RunLimits(memory: memoryLimit, losses: lossLimit) }

  /// Refuses to publish a store that lacks more than is allowed.
  func refuse(_ losses: [MigrationPlan.Loss]) throws(MigrationError) {
    guard lossLimit.allows(losses.most) else {
      throw .tooMuchLost(losses, limit: lossLimit, isMade: isDurable)
    }
  }

  /// Whether the migration can be gone on with after an interruption.
  var isDurable: Bool {
    keepsCheckpoints && plan.hops.contains { $0.rows >= leastRowsForCheckpoints }
  }

  /// Where the state directory lies.
  public var stateLocation: StateLocation {
    if isStep, let stateDirectory {
      return StateLocation(stateDirectory: stateDirectory, isNamed: false)
    }
    return StateLocation(destination: plan.destination.store, stateDirectory: stateDirectory)
  }

  /// Whether what is going on, which is no end of a transaction, is to be ended.
  var mustStop: Bool {
    guard let request = stopRequest() else { return false }
    // Without checkpoints there is no headway to wait for.
    if request.waitsForHeadway, keepsCheckpoints, headway?.isMade == false { return false }
    switch request.moment {
    case .atOnce: return true
    case .afterTransaction: return !isDurable
    }
  }

  /// Ends waiting for somebody else, which is no work, if the migration is to be ended in whatever way.
  func endWaitIfAsked() throws {
    if stopRequest() != nil { throw MigrationError.cancelled }
  }

  /// Ends what is going on, which is no end of a transaction, if it is to be ended.
  func stopIfAsked() throws {
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
      passCount: plan.passes.count,
      stage: stage,
      rowsDone: rows,
      rowsTotal: areAllMade ? rows : plan.rows,
      isUpperBound: !areAllMade && plan.isUpperBound,
      memory: ProcessMemory.resident,
      memoryLimit: memoryLimit
    )
  }

  /// The steps of SQLite's machine between two questions whether to stop.
  static var stepsBetweenQuestions: Int64 { StoreSession.stepsBetweenQuestions }
}
