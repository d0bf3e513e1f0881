public import BulkCoding
public import BulkPlan
internal import BulkStore

/// Carries out a plan.
public struct Migration {
  /// The plan.
  public let plan: MigrationPlan
  /// The memory that the process may hold.
  public var memoryLimit = ByteCount.mebibytes(256)
  /// The policies that the plan's mapping model may use.
  public var policies = PolicyRegistry()
  /// Is asked at the end of every batch whether to stop.
  public var isCancelled: () -> Bool = { false }
  /// Is told after every batch where the migration stands.
  public var report: (MigrationProgress) -> Void = { _ in }

  /// A migration by a plan.
  public init(_ plan: MigrationPlan) { self.plan = plan }

  /// Makes the destination.
  ///
  /// The destination appears under its name when it is whole and synced, or not at all. The source is
  /// only read.
  ///
  /// - Throws: ``MigrationError``.
  public func run() throws -> MigrationOutcome {
    guard !plan.isUpToDate else {
      return MigrationOutcome(
        destination: nil,
        rows: 0,
        size: .zero,
        peakMemory: ProcessMemory.peak
      )
    }
    let check = try PlanCheck(plan)
    defer { check.identity.stop() }
    do {
      return try run(check)
    } catch MigrationError.cancelled {
      throw MigrationError.cancelled
    } catch {
      // A source that is not the one that was planned for explains everything else.
      try check.confirm(stopIfAsked)
      throw error
    }
  }

  private func run(_ check: PlanCheck) throws -> MigrationOutcome {
    let destination = plan.destination.store
    let budget = try MemoryBudget(
      limit: memoryLimit,
      base: ProcessMemory.resident ?? .mebibytes(24)
    )
    try DestinationFiles(destination).refuseExisting()
    let state = try StateDirectory(for: destination)
    defer { state.remove() }
    let (rows, losses) = try write(check, state, budget)
    report(progress(.publishing, rows: rows))
    try check.confirm(stopIfAsked)
    try Publication(self, check.store, state: state).publish()
    return MigrationOutcome(
      destination: destination,
      rows: rows,
      losses: losses,
      size: ByteCount(bytes: (try? DurableFiles.size(of: destination)) ?? 0),
      peakMemory: ProcessMemory.peak
    )
  }

  /// Writes everything into a scratch file; again if tables were moved whole that may not be.
  private func write(
    _ check: PlanCheck,
    _ state: StateDirectory,
    _ budget: MemoryBudget
  ) throws -> (rows: Int64, losses: [String: Int64]) {
    var moves = VerbatimMoves(check.work)
    while true {
      let unsound = moves.check(after: check.identity)
      defer { unsound.stop() }
      do {
        let written = try translated(state.scratchStore, check.store) {
          try PassRunner(self, check.work, moves, state: state, budget: budget).run()
        }
        let found = try unsound.value(stopIfAsked)
        if found.isEmpty { return written }
        moves.giveUp(found)
      } catch let error as MigrationError {
        guard !moves.isEmpty, error.maySpeakOfDamage else { throw error }
        moves.giveUp(try unsound.value(stopIfAsked))
      }
      try check.confirm(stopIfAsked)
      state.removeScratch()
    }
  }

  private func stopIfAsked() throws {
    if isCancelled() { throw MigrationError.cancelled }
  }

  func progress(
    _ stage: MigrationProgress.Stage,
    pass: Int? = nil,
    rows: Int64
  ) -> MigrationProgress {
    MigrationProgress(
      pass: pass ?? plan.passes.count,
      passCount: plan.passes.count,
      stage: stage,
      rowsDone: rows,
      rowsTotal: plan.rows,
      memory: ProcessMemory.resident,
      memoryLimit: memoryLimit
    )
  }

  /// The steps of SQLite's machine between two questions whether to stop.
  static var stepsBetweenQuestions: Int64 { StoreWriter.stepsBetweenQuestions }

  /// Turns errors of lower layers into those of a migration.
  ///
  /// What was read while somebody wrote may look damaged, so a change of the source comes first.
  private func translated<T>(
    _ scratch: String,
    _ source: PersistentStore,
    _ body: () throws -> T
  ) throws(MigrationError) -> T {
    do {
      return try body()
    } catch let error as StoreError {
      let found = MigrationError(error, source: plan.source.store, scratch: scratch)
      if case .diskFull = found { throw found }
      if case .cancelled = found { throw found }
      throw source.hasChanged ? .changedSource(source.path) : found
    } catch let error as MigrationError {
      guard case .wrongRowCount = error, source.hasChanged else { throw error }
      throw .changedSource(source.path)
    } catch let error as FileError {
      throw error.asMigrationError
    } catch {
      throw .inputOutput(path: scratch, reason: "\(error)")
    }
  }
}
