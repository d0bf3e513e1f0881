internal import BulkSupport
internal import BulkExecute
internal import BulkPlan
internal import BulkStore

/// The store that a destination should be equal to, made in another way.
struct ExpectedStore {
  private let verification: Verification
  private let folder: ScratchFolder

  init(_ verification: Verification) throws {
    self.verification = verification
    folder = try ScratchFolder(
      verification.scratchFolder ?? verification.path + ".verification",
      isNamed: verification.scratchFolder != nil
    )
  }

  private var path: String { folder.path("expected.sqlite") }

  /// Makes the store, or resumes where an interrupted verification stopped.
  ///
  /// A check that runs at the same time ends first if memory does not suffice for both. Throws also
  /// if the source is not the one that the plan was made for, or if the check fails.
  func make(beside: CheckBeside?) throws -> String {
    do {
      return try makeStore(beside: beside)
    } catch MigrationError.invalidObjects(let violations) {
      throw MigrationError.noExpectedStore(violations, of: verification.path)
    }
  }

  private func makeStore(beside: CheckBeside?) throws -> String {
    let policies = verification.policies
    let copy = try correctedSource() ?? verification.sourceCopy
    // It is made in another way: all rows are written again, and mapping models are evaluated row by row.
    let plan = try verification.plan.plannedAgain { request in
      request.strategy = .rebuild
      request.sourceCopy = copy
      request.destination = path
      request.evaluates = true
      request.knowsPolicy = { policies.policy(named: $0) != nil }
    }
    guard plan.source.identity == verification.plan.source.identity else {
      throw MigrationError.stalePlan([
        "the source store \(verification.plan.source.store) has changed"
      ])
    }
    // What a verification of another plan has left would be in the way.
    if left.planFingerprint != plan.fingerprint { folder.remove("expected") }
    var migration = Migration(plan, verification.settings)
    migration.stateDirectory = nil
    // The check of the destination looks each key up.
    let knowsKeys = try !plan.hasSeveralLegs && !plan.isInferred()
    migration.rowSink = { session, fills in
      guard let fills else { return SQLRowSink(session) }
      return PageRowSink(session, fills, reading: .statements(knowsKeys: knowsKeys))
    }
    migration.sourceCopy = copy
    migration.baseMemory = try base(for: plan, beside: beside)
    migration.keepsReceipt = true
    // The run that made the destination was held to its limit.
    migration.lossLimit = .all
    migration.countsLosses = false
    migration.rejects = try rejects()
    migration.stopRequest = { [stop = verification.stopRequest] in
      beside?.failure == nil ? stop() : .atOnce
    }
    migration.report = { verification.tell(.evaluating, $0.rowsDone, of: $0.rowsTotal) }
    _ = try migration.run(.resumeOrBegin)
    return path
  }

  /// Of the process, as far as it does not serve the migration.
  private func base(for plan: MigrationPlan, beside: CheckBeside?) throws -> ByteCount {
    // Memory from earlier work of the verification counts as well.
    func measureMemory() -> ByteCount { max(verification.baseMemory ?? .zero, BaseMemory.now) }
    guard let beside else { return measureMemory() }
    let base = measureMemory()
    let both = ByteCount(bytes: base.bytes + beside.bytes)
    if plan.smallestMemoryLimit(base: both) <= verification.memoryLimit { return both }
    _ = try beside.report(verification.stopIfRequested)
    return measureMemory()
  }

  /// A copy of the source with the values with which a replay has brought objects in; `nil` if none has.
  private func correctedSource() throws -> SourceCopy? {
    guard let rejects = try RejectFolder.replayed(verification.stateLocation),
      try rejects.plan().source.identity == verification.plan.source.identity
    else { return nil }
    return try CorrectedSource(rejects, of: verification.plan)
      .copy(as: folder.path("corrected-source.sqlite"))
  }

  /// The policy by which objects were left out of the destination; to stop if none were.
  private func rejects() throws -> RejectPolicy {
    let folder = try RejectFolder(verification.stateLocation)
    guard let summary = folder?.summary, summary.plan == verification.plan.fingerprint else {
      return RejectPolicy(.stop)
    }
    return RejectPolicy(summary.policy.action, dependants: summary.policy.dependants)
  }

  /// What cannot be removed stays.
  func remove() { folder.remove() }

  /// Leaves to the next verification what it can use, and removes the rest.
  func leave() {
    if [.interrupted, .done].contains(left.state) { folder.leave() } else { folder.remove() }
  }

  private var left: MigrationRecord {
    MigrationRecord(StateLocation(destination: path, stateDirectory: nil), of: nil)
  }
}
