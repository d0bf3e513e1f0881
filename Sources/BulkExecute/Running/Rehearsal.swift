package import BulkPlan
internal import BulkSupport
package import BulkStore

/// Carries a plan out as far as it decides which objects are left out, and publishes nothing.
///
/// It runs the same stages as a run, but writes only the columns that rules refer to, into a store
/// in a temporary folder, which is removed with everything in it.
package struct Rehearsal {
  private let migration: Migration
  private let parent: String
  private let check: PlanCheck
  package var work: MigrationWork { check.work }

  package init(_ migration: Migration, in parent: String) throws {
    self.parent = parent
    self.migration = migration
    // A limit that is too small for a run is reported here too.
    _ = try Self.budget(of: migration)
    check = try PlanCheck(migration.plan, copy: migration.sourceCopy)
  }

  private static func budget(of migration: Migration) throws(MigrationError) -> MemoryBudget {
    try MemoryBudget(limit: migration.memoryLimit, base: migration.base, for: migration.plan)
  }

  /// Throws for every obstacle to a run except rules; without a sample all rows are tried.
  package func run(_ sample: KeySample?) throws -> Rehearsed {
    defer { check.identity.stop() }
    if migration.threads == 1 { try check.confirm(migration.stopIfRequested) }
    let isKnown = migration.plan.source.knownReading != nil && check.store.loggedPages == 0
    if !isKnown { try check.store.refuseEndlessPages { migration.mustStop } }
    do {
      let found = try rehearse(sample)
      try check.confirm(migration.stopIfRequested)
      guard !check.store.hasChanged else { throw MigrationError.changedSource(check.store.path) }
      return found
    } catch let error as MigrationError where error.isIndependentOfSource {
      throw error
    } catch {
      // If the source is not the planned one, that explains every other error.
      try check.confirm(migration.stopIfRequested)
      throw error
    }
  }

  private func rehearse(_ sample: KeySample?) throws -> Rehearsed {
    let work = check.work
    // Single rows cannot show whether values are repeated.
    let isChecked = work.destination.hasRules || sample == nil && work.step.mayRepeatValues
    if !work.isJudged, !isChecked {
      return Rehearsed(losses: sample == nil ? migration.plan.losses : [])
    }
    guard migration.plan.isCopying else { return try rehearsed(migration.plan, check, sample) }
    let policies = migration.policies
    let plan = try MigrationError.planning(
      // Each row that is written again can be followed.
      try migration.plan.plannedAgain { request in
        request.strategy = .rebuild
        request.sourceCopy = migration.sourceCopy
        request.knowsPolicy = { policies.policy(named: $0) != nil }
      }
    )
    guard plan.source.identity == migration.plan.source.identity else {
      throw MigrationError.changedSource(plan.source.store)
    }
    let other = try PlanCheck(plan, copy: migration.sourceCopy)
    defer { other.identity.stop() }
    return try rehearsed(plan, other, sample)
  }

  private func rehearsed(
    _ plan: MigrationPlan,
    _ check: PlanCheck,
    _ sample: KeySample?
  ) throws -> Rehearsed {
    removeLeftovers()
    let path = "\(parent)/\(Self.prefix)\(SystemHost.current.identifier())"
    var step = migration.step(by: plan, in: StateLocation(stateDirectory: path, isNamed: false))
    step.keepsReceipt = false
    step.keepsCheckpoints = false
    step.rejects = RejectPolicy(.quarantine, dependants: migration.rejects.dependants)
    step.sample = sample
    let work = check.work
    // The reads of policies in existing objects are unknown.
    if !work.step.hasPolicies {
      let columns = RuledColumns(
        work.destination,
        work.indexStyle.indexes,
        whole: Set(work.indexStyle.constraints.keys)
      )
      step.rowSink = { [sink = migration.rowSink] session, fills in
        let ruled = fills.map { PageFills($0.rows, indexes: $0.indexes.filter(columns.contain)) }
        return RuledRowSink(sink(session, ruled), columns)
      }
    }
    let state = try step.state()
    defer {
      state.keepsReport = false
      try? state.remove(keeping: nil)
    }
    try state.hold(step.limits, after: nil)
    try state.begin(nil)
    do {
      let budget = try Self.budget(of: step)
      return try Run.make(step, work, check.reading, budget, in: state) { try $0.rehearse() }
    } catch MigrationError.invalidObjects(let violations) {
      return Rehearsed(violations: violations, losses: plan.losses, isRefused: true)
    }
  }

  private static let prefix = "bulkmigrate-preflight-"

  /// Removes the folders of rehearsals that were killed; one whose process works is locked.
  private func removeLeftovers() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(Self.prefix) {
      let location = StateLocation(stateDirectory: "\(parent)/\(name)", isNamed: false)
      if location.isOfThisUser { try? StateDirectory.clear(location) }
    }
  }
}
