internal import BulkCoding
internal import BulkPlan
internal import BulkStore

/// One attempt to carry out a plan of several steps, each a migration of its own.
///
/// The stores between the steps lie in the state directory of the whole; one is removed when the next is
/// on the disk. Only the last one gets the destination's name.
struct RouteAttempt {
  private let migration: Migration
  /// What the process held before it began.
  private let base: ByteCount
  private var plan: MigrationPlan { migration.plan }
  /// Where the steps of every leg are; what is called a step here may be several, done as one.
  private var ranges: [Range<Int>] { plan.route?.ranges ?? [] }
  private var rowsByLeg: [Int64] { plan.route?.rowsByLeg ?? [] }

  init(_ migration: Migration, base: ByteCount) {
    self.migration = migration
    self.base = base
  }

  /// Makes the destination, or ends with a state directory that can be gone on with.
  func run(_ start: Migration.Start) throws -> MigrationOutcome {
    try migration.refuse(start)
    let state = try migration.state()
    do {
      if let done = try migration.outcomeMeanwhile(state, start) {
        state.tidy()
        return done
      }
      let done = try begin(state, start)
      let outcome = try run(after: done, state)
      try state.remove(keeping: migration.keepsReceipt ? receipt(outcome, state) : nil)
      return outcome
    } catch {
      throw migration.leave(state, after: error)
    }
  }

  /// Prepares the state directory.
  ///
  /// - Returns: The number of steps that are done.
  private func begin(_ state: StateDirectory, _ start: Migration.Start) throws -> Int {
    guard try migration.goesOn(in: state, start) else {
      try state.begin(migration.isDurable ? plan : nil)
      try state.nameOwner(memoryLimit: migration.memoryLimit)
      return 0
    }
    guard let newest = state.checkpoints.all(of: plan.fingerprint).first else {
      throw MigrationError.damagedCheckpoints(state.path)
    }
    guard newest.tool == Checkpoint.currentTool else {
      throw MigrationError.anotherTool(newest.tool, stateDirectory: state.path)
    }
    try refuseChangedSource()
    // An attempt that has not ended finds its next number taken.
    try publish(Int(newest.transaction), state)
    try state.nameOwner(memoryLimit: migration.memoryLimit)
    return Int(newest.transaction)
  }

  /// The source is read by the first step alone, but is asked for until the end.
  private func refuseChangedSource() throws {
    let path = plan.source.store
    let identity: StoreIdentity
    do throws(StoreError) {
      let store = try PersistentStore(path: path)
      identity = try store.identification.run { migration.mustStop }
    } catch {
      throw MigrationError.plan(.store(error, path: path))
    }
    guard identity.text == plan.source.identity else {
      throw MigrationError.stalePlan(["the source store \(path) has changed"])
    }
  }

  /// Does the steps that are left.
  private func run(after done: Int, _ state: StateDirectory) throws -> MigrationOutcome {
    var outcome: MigrationOutcome?
    var unasked: [String] = []
    for index in ranges.indices.dropFirst(done) {
      let step = try step(index, state)
      // A store that is made must be known as such, however small it is.
      if index + 1 == ranges.count, !migration.isDurable, done == 0 {
        try state.keep(plan)
        try publish(index, state)
      }
      let made = try step.run(.whereItStands)
      if index + 1 < ranges.count {
        if migration.isDurable { try publish(index + 1, state) }
        if index > 0 { DestinationFiles(state.store(ofStep: index - 1)).remove() }
      }
      unasked += made.unaskedRules.filter { !unasked.contains($0) }
      outcome = made
    }
    guard var outcome else { throw MigrationError.damagedCheckpoints(state.path) }
    outcome.stepsBefore = done
    outcome.unaskedRules = unasked
    return outcome
  }

  /// A step as a migration of its own.
  private func step(_ index: Int, _ state: StateDirectory) throws(MigrationError) -> Migration {
    let isLast = index + 1 == ranges.count
    let plan: MigrationPlan
    do throws(PlanError) {
      plan = try self.plan.plan(
        ofHops: ranges[index],
        source: index == 0 ? self.plan.source.store : state.store(ofStep: index - 1),
        destination: isLast ? self.plan.destination.store : state.store(ofStep: index)
      )
    } catch {
      throw .plan(error)
    }
    var step = Migration(plan)
    step.memoryLimit = migration.memoryLimit
    step.baseMemory = base
    step.policies = migration.policies
    step.stateDirectory = state.state(ofStep: index)
    step.isStep = true
    step.onDiskFull = migration.onDiskFull
    step.keepsCheckpoints = migration.keepsCheckpoints
    step.batchRows = migration.batchRows
    step.leastRowsForCheckpoints = migration.leastRowsForCheckpoints
    step.keepsReceipt = true
    step.stopRequest = migration.stopRequest
    step.report = { [migration] in migration.report($0.of(step: index, in: migration.plan)) }
    return step
  }

  private func publish(_ stepsDone: Int, _ state: StateDirectory) throws {
    let rows = rowsByLeg.prefix(stepsDone).reduce(0, +)
    do {
      try state.checkpoints.publish(
        Checkpoint(
          plan: plan.fingerprint,
          attempt: state.attempt,
          transaction: Int64(stepsDone),
          rows: rows
        )
      )
      Failpoint.reached("leg", Int64(stepsDone))
    } catch let error as FileError {
      throw error.asMigrationError
    }
  }

  private func receipt(_ outcome: MigrationOutcome, _ state: StateDirectory) -> Checkpoint {
    var receipt = Checkpoint(
      plan: plan.fingerprint,
      attempt: state.attempt,
      transaction: Int64(ranges.count),
      rows: outcome.rows
    )
    receipt.isFinished = true
    receipt.losses = outcome.losses
    return receipt
  }
}

extension MigrationProgress {
  /// The progress of a step as that of the whole plan.
  fileprivate func of(step index: Int, in plan: MigrationPlan) -> MigrationProgress {
    var progress = self
    let rows = plan.route?.rowsByLeg ?? []
    let rowsBefore = rows.prefix(index).reduce(0, +)
    let isLast = index + 1 == rows.count
    progress.step = index + 1
    progress.stepCount = rows.count
    progress.rowsDone += rowsBefore
    progress.rowsTotal += rowsBefore + rows.dropFirst(index + 1).reduce(0, +)
    progress.isUpperBound = isUpperBound || !isLast && plan.isUpperBound
    return progress
  }
}
