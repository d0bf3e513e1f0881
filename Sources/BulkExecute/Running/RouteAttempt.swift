internal import BulkPlan
internal import BulkSupport
internal import BulkStore

/// One attempt to carry out a route, each leg as a migration of its own.
///
/// The stores between the steps are kept in the state directory of the whole; one is removed when the next
/// is synced. Only the last one gets the destination's name.
struct RouteAttempt {
  let migration: Migration
  /// Before the route began.
  let base: ByteCount
  private var plan: MigrationPlan { migration.plan }
  /// The steps of every leg; a step here is a leg, which may be several steps done as one.
  private var ranges: [Range<Int>] { plan.ranges }

  private struct Done {
    var steps = 0
    /// The rows of the legs that are done.
    var rows: Int64 = 0
    var losses: [MigrationPlan.Loss] = []
    var rejected: Int64 = 0
    /// In order.
    var legs: [LegRecord] = []
    var sourceReading: StoreReading?
    /// The rows that this attempt has written.
    var rowsOfAttempt: Int64 = 0

    mutating func add(_ made: MigrationRecord, of leg: Leg) {
      steps += 1
      rows += made.rows
      rejected += made.rejected
      // A leg may have been finished without the route's checkpoint of it.
      rowsOfAttempt += made.outcome == .already ? 0 : max(0, made.rows - (made.rowsBefore ?? 0))
      legs.append(LegRecord(tallies: made.tallies, passes: made.passes))
      losses = leg.losses(with: made.losses)
    }
  }

  /// `newest` is the checkpoint to resume from; `nil` to begin.
  func run(in state: StateDirectory, after newest: Checkpoint?) throws -> MigrationRecord {
    let done = try begin(state, after: newest)
    Failpoint.reached(.routeBegun)
    migration.monitor?.isControlled = true
    var outcome = try run(after: done, state)
    state.isPublished = true
    if let made = try RejectFolder.complete(in: state, for: plan) {
      (outcome.rejected, outcome.rejectFolderPath) = (made.summary.count, made.path)
    } else {
      let rejects = try rejects(of: ranges.indices, outcome.rejected, state)
      outcome.rejectFolderPath = try rejects.write(to: state, migration, outcome)
    }
    try state.remove(keeping: migration.keepsReceipt ? receipt(outcome, state) : nil)
    return outcome
  }

  /// Throws ``MigrationError/damagedState(_:)`` if objects that finished legs left out are lost.
  private func rejects(
    of legs: Range<Int>,
    _ count: Int64,
    _ state: StateDirectory
  ) throws(MigrationError) -> RouteRejects {
    let rejects = try RouteRejects(of: legs, in: state)
    guard rejects.count == count else {
      throw .damagedState("what the legs in \(state.path) have left out")
    }
    return rejects
  }

  private func begin(_ state: StateDirectory, after newest: Checkpoint?) throws -> Done {
    guard let newest else {
      try migration.begin(in: state)
      return Done()
    }
    let steps = Int(newest.transaction)
    // A policy that the next leg refuses must not be recorded; the receipt of one that is done has no limits of its own.
    var next = state.state(ofStep: steps).newest
    if next?.limits == nil { next?.limits = newest.limits }
    try next?.refuse(migration.rejects, in: state.path)
    // When the last store is published, those between are removed.
    if steps > 0, !DurableFiles.exists(plan.destination.store) {
      try refuseDamage(of: state.store(ofStep: steps - 1))
    }
    migration.monitor?.resume(after: newest.measures)
    let reading = try refuseChangedSource(after: newest.sourceReading)
    let done = Done(
      steps: steps,
      rows: newest.rows,
      losses: newest.losses,
      rejected: newest.rejected?.count ?? 0,
      legs: newest.legs ?? [],
      sourceReading: reading
    )
    _ = try rejects(of: 0..<done.steps, done.rejected, state)
    // An attempt that is still running finds its next number taken.
    try publish(done, state)
    try state.recordOwner(migration.limits)
    return done
  }

  /// Refuses a store between two legs that is lost or truncated; other corruption is found when it
  /// is read.
  private func refuseDamage(of store: String) throws(MigrationError) {
    do {
      _ = try PersistentStore(path: store)
    } catch {
      let found = MigrationError.unusable(error, store)
      if case .plan = found { throw .damagedState(store) }
      throw found
    }
  }

  /// Only the first step reads the source, but the source must be unchanged until the end.
  ///
  /// `former` and the result are how much of it is read.
  private func refuseChangedSource(after former: StoreReading?) throws -> StoreReading? {
    let path = plan.source.store
    let identity: StoreIdentity
    let former = plan.source.knownReading ?? former
    var reading = former
    do throws(StoreError) {
      let store = try PersistentStore(path: path)
      identity = try store.identification.run(after: former) {
        migration.mustStop
      } _: {
        reading = $0
      }
    } catch {
      if error.cause == .interruption { throw MigrationError.cancelled }
      throw MigrationError.plan(.store(error, path: path))
    }
    guard identity.text == plan.source.identity else {
      throw MigrationError.stalePlan(["the source store \(path) has changed"])
    }
    return reading
  }

  private func run(after begun: Done, _ state: StateDirectory) throws -> MigrationRecord {
    var outcome: MigrationRecord?
    var rowsBefore: Int64? = begun.steps > 0 ? 0 : nil
    var done = begun
    var unchecked: [String] = []
    for index in ranges.indices.dropFirst(begun.steps) {
      let leg = Leg(
        number: index + 1,
        steps: ranges[index].lowerBound,
        isLast: index + 1 == ranges.count,
        isKept: migration.isDurable || begun.steps > 0,
        losses: done.losses,
        rejected: done.rejected
      )
      let step = try step(leg, after: done, state)
      // A published store must be recognizable, however small it is.
      if leg.isLast, !leg.isKept {
        try state.folder.keep(plan)
        try publish(done, state)
      }
      var made = try step.run(.resumeOrBegin)
      if index == begun.steps {
        rowsBefore = made.outcome == .already ? made.rows : made.rowsBefore ?? rowsBefore
      }
      done.add(made, of: leg)
      (made.losses, made.rejected) = (done.losses, done.rejected)
      if !leg.isLast {
        if migration.isDurable {
          try publish(done, state)
          migration.monitor?.noteProgress()
        }
        if index > 0 { DestinationFiles(state.store(ofStep: index - 1)).remove() }
      }
      unchecked += made.uncheckedRules.filter { !unchecked.contains($0) }
      outcome = made
    }
    guard var outcome else { throw MigrationError.damagedCheckpoints(state.path) }
    outcome.stepsBefore = begun.steps
    outcome.rowsBefore = rowsBefore.map { begun.rows + $0 }
    outcome.rowsOfAttempt = done.rowsOfAttempt
    outcome.legs = done.legs
    outcome.passes = done.legs.flatMap(\.passes)
    outcome.uncheckedRules = unchecked
    return outcome
  }

  private func step(
    _ leg: Leg,
    after done: Done,
    _ state: StateDirectory
  ) throws(MigrationError) -> Migration {
    let index = leg.number - 1
    let copy = index == 0 ? migration.sourceCopy : nil
    var plan: MigrationPlan
    let shared: SharedSteps
    do throws(PlanError) {
      shared = try steps(ranges[index])
      plan = try self.plan.plan(
        ofSteps: ranges[index],
        of: PersistentStore.planned(
          at: index == 0 ? self.plan.source.store : state.store(ofStep: index - 1),
          copy: copy
        ),
        destination: leg.isLast ? self.plan.destination.store : state.store(ofStep: index),
        by: shared
      )
      if index > 0 { try plan.markAdded(by: steps(0..<ranges[index].lowerBound)) }
    } catch {
      if case .stale(let changed) = error { throw .stalePlan(changed) }
      throw .plan(error)
    }
    var step = migration.step(by: plan, in: state.state(ofStep: index), shared)
    step.sourceCopy = copy
    step.baseMemory = base
    step.leg = leg
    migration.monitor?.begin(leg: index, by: plan, after: done.rows)
    return step
  }

  /// Those that other stores share, or read again.
  private func steps(_ range: Range<Int>) throws(PlanError) -> SharedSteps {
    if let shared = migration.shared, try shared.describe(plan) { return shared.part(range) }
    return try plan.steps(range)
  }

  private func publish(_ done: Done, _ state: StateDirectory) throws {
    try state.checkpoints.publish(checkpoint(done, rows: done.rows, state))
    Failpoint.reached(.leg, Int64(done.steps))
  }

  private func checkpoint(_ done: Done, rows: Int64, _ state: StateDirectory) -> Checkpoint {
    var checkpoint = Checkpoint(
      plan: plan.fingerprint,
      attempt: state.attempt,
      transaction: Int64(done.steps),
      state: RunState(rows: rows)
    )
    checkpoint.losses = done.losses
    checkpoint.legs = done.legs
    if done.rejected > 0 { checkpoint.rejected = RunState.Rejected(count: done.rejected) }
    checkpoint.sourceReading = done.sourceReading
    checkpoint.measures = migration.monitor?.measure()
    return checkpoint
  }

  private func receipt(_ outcome: MigrationRecord, _ state: StateDirectory) -> Checkpoint {
    let done = Done(
      steps: ranges.count,
      losses: outcome.losses,
      rejected: outcome.rejected,
      legs: outcome.legs
    )
    var receipt = checkpoint(done, rows: outcome.rows, state)
    receipt.isFinished = true
    return receipt
  }
}
