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

  /// Whether an interrupted migration of the same destination is given up and begun anew.
  public var restarts = false
  /// The least number of rows with which a migration can be gone on with; one that is as quick as to
  /// read a checkpoint again has none.
  package var leastRowsForCheckpoints: Int64 = 25_000

  /// A migration by a plan.
  public init(_ plan: MigrationPlan) { self.plan = plan }

  /// Makes the destination.
  ///
  /// The destination appears under its name when it is whole and synced, or not at all. The source is
  /// only read.
  ///
  /// - Throws: ``MigrationError``.
  public func run() throws -> MigrationOutcome { try run(goesOn: false) }

  /// Goes on with a migration that was interrupted, and ends with the same bytes as if it had not been.
  ///
  /// - Throws: ``MigrationError``; ``MigrationError/nothingToResume(_:)`` if nothing is left of one.
  public func resume() throws -> MigrationOutcome { try run(goesOn: true) }

  private func run(goesOn: Bool) throws -> MigrationOutcome {
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
      return try run(check, goesOn: goesOn)
    } catch MigrationError.cancelled {
      throw MigrationError.cancelled
    } catch {
      // A source that is not the one that was planned for explains everything else.
      try check.confirm(stopIfAsked)
      throw error
    }
  }

  /// Whether the migration can be gone on with after an interruption.
  var isDurable: Bool { plan.rows >= leastRowsForCheckpoints }

  private func run(_ check: PlanCheck, goesOn: Bool) throws -> MigrationOutcome {
    let destination = plan.destination.store
    let budget = try MemoryBudget(
      limit: memoryLimit,
      base: ProcessMemory.resident ?? .mebibytes(24)
    )
    if !goesOn { try DestinationFiles(destination).refuseExisting() }
    let state = try StateDirectory(for: destination)
    if goesOn, let done = published(state) { return done }
    do {
      let checkpoint = try begin(state, goesOn: goesOn)
      let outcome = try run(check, state, budget, after: checkpoint)
      state.remove()
      return outcome
    } catch let error as MigrationError where isDurable && error.leavesState {
      state.leave()
      throw error
    } catch {
      state.remove()
      throw error
    }
  }

  /// The outcome of a migration whose last step was done before the interruption.
  private func published(_ state: StateDirectory) -> MigrationOutcome? {
    let destination = plan.destination.store
    guard
      let last = state.checkpoints.all(of: plan.fingerprint).first, last.isFinished,
      DurableFiles.isSameFile(state.scratchStore(of: last.attempt), destination)
    else { return nil }
    try? DurableFiles.synchronize(DestinationFiles(destination).directory)
    state.remove()
    return MigrationOutcome(
      destination: destination,
      rows: last.rows,
      losses: last.losses,
      size: ByteCount(bytes: (try? DurableFiles.size(of: destination)) ?? 0),
      peakMemory: ProcessMemory.peak
    )
  }

  /// Prepares the state directory.
  ///
  /// - Returns: The checkpoint to go on from; `nil` to begin.
  private func begin(_ state: StateDirectory, goesOn: Bool) throws -> Checkpoint? {
    guard goesOn else {
      guard restarts || !state.checkpoints.areThere else {
        throw MigrationError.unfinished(stateDirectory: state.path)
      }
      try state.begin(isDurable ? plan.fingerprint : nil)
      return nil
    }
    return try Resumption(state, plan.fingerprint).begin()
  }

  private func run(
    _ check: PlanCheck,
    _ state: StateDirectory,
    _ budget: MemoryBudget,
    after checkpoint: Checkpoint?
  ) throws -> MigrationOutcome {
    let (rows, losses) = try whole(check, state, budget, after: checkpoint)
    report(progress(.publishing, rows: rows))
    try check.confirm(stopIfAsked)
    try Publication(self, check.store, state: state).publish()
    let destination = plan.destination.store
    return MigrationOutcome(
      destination: destination,
      rows: rows,
      losses: losses,
      size: ByteCount(bytes: (try? DurableFiles.size(of: destination)) ?? 0),
      peakMemory: ProcessMemory.peak
    )
  }

  /// Makes the scratch file whole, unless it is already.
  private func whole(
    _ check: PlanCheck,
    _ state: StateDirectory,
    _ budget: MemoryBudget,
    after checkpoint: Checkpoint?
  ) throws -> (rows: Int64, losses: [String: Int64]) {
    if let checkpoint, checkpoint.isFinished { return (checkpoint.rows, checkpoint.losses) }
    let (rows, losses) = try write(check, state, budget, after: checkpoint)
    guard isDurable else { return (rows, losses) }
    var finished = Checkpoint(
      plan: plan.fingerprint,
      attempt: state.attempt,
      transaction: state.checkpoints.last + 1,
      rows: rows
    )
    finished.isFinished = true
    finished.losses = losses
    do {
      try DurableFiles.synchronize(state.scratchStore)
      try state.checkpoints.publish(finished)
    } catch let error as FileError {
      throw error.asMigrationError
    }
    return (rows, losses)
  }

  /// Writes everything into a scratch file; again if tables were moved whole that may not be.
  private func write(
    _ check: PlanCheck,
    _ state: StateDirectory,
    _ budget: MemoryBudget,
    after checkpoint: Checkpoint?
  ) throws -> (rows: Int64, losses: [String: Int64]) {
    var moves = VerbatimMoves(check.work)
    if let given = checkpoint?.rowByRow, !given.isEmpty { moves.giveUp(Set(given)) }
    var checkpoint = checkpoint
    while true {
      let unsound = moves.check(after: check.identity)
      defer { unsound.stop() }
      do {
        let written = try translated(state.scratchStore, check.store) {
          let passes = try PassRunner(
            self,
            check.work,
            moves,
            state: state,
            budget: budget,
            after: checkpoint
          )
          return try passes.run()
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
      checkpoint = nil
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
