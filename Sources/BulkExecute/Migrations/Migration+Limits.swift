internal import BulkPlan
internal import BulkStore

extension Migration {
  var limits: RunLimits {
    RunLimits(
      memory: settings.memoryLimit,
      losses: settings.lossLimit,
      rejects: settings.rejects
    )
  }

  /// Refuses a plan that certainly exceeds the limit of losses, before anything is made.
  ///
  /// Objects that are left out take their values and links with them, so that fewer may be lost than the plan
  /// counts: under quarantine, only lost objects are certain before they are validated.
  func refuseCertainLosses() throws(MigrationError) {
    let mayBeFewer = settings.rejects.action.leavesOut
    let certain = plan.losses.filter { !mayBeFewer || $0.kind == .objects }.certain
    try refuse(plan.losses, of: certain, .nothing)
  }

  /// Refuses a store that lacks more than is allowed.
  func refuse(_ losses: [MigrationPlan.Loss]) throws(MigrationError) {
    try refuse(losses, of: losses.most, .destination)
  }

  /// Those of the legs before count, too.
  private func refuse(
    _ losses: [MigrationPlan.Loss],
    of count: Int64,
    _ made: MadeBeforeLoss
  ) throws(MigrationError) {
    let limit = settings.lossLimit
    guard !limit.allows((leg?.losses.most ?? 0) + count) else { return }
    throw .tooMuchLost(leg?.losses(with: losses) ?? losses, limit: limit, leg?.kept(made) ?? made)
  }

  /// Refuses to leave out more than is allowed; a share is one of the rows that each leg reads.
  func refuse(rejects count: Int64, of work: MigrationWork) throws {
    guard count > 0 else { return }
    let objects = try work.layout.schema.entityTables.reduce(0) { sum, table in
      sum + (try work.store.rows(in: table.name))
    }
    let (limit, before) = (settings.rejects.limit, leg?.rejected ?? 0)
    let isShare = if case .share = limit { true } else { false }
    guard limit.allows(isShare ? count : before + count, of: objects) else {
      throw MigrationError.tooManyRejects(before + count, limit: limit, of: before + objects)
    }
  }

  func resuming(_ former: RunLimits?) -> Migration {
    guard let former, let limits = settings.limitsAfter?(former) else { return self }
    var migration = self
    (migration.lossLimit, migration.rejects) = limits
    return migration
  }
}

extension Checkpoint {
  /// Refuses to resume with another policy once objects were validated by that of the interrupted run.
  func refuse(_ policy: RejectPolicy, in folder: String) throws(MigrationError) {
    guard let asked = limits?.rejects, !asked.validates(like: policy) else { return }
    // Where all hold, every policy ends alike.
    guard isWhole ? state.rejected != nil : state.isJudging || state.rejected != nil else { return }
    throw .otherPolicy(asked, stateDirectory: folder)
  }
}

extension RejectPolicy {
  /// Limits do not count.
  fileprivate func validates(like other: RejectPolicy) -> Bool {
    action == other.action && (!action.leavesOut || dependants == other.dependants)
  }
}

/// A leg of a route of several, and what the legs before it have lost.
struct Leg {
  /// From 1.
  let number: Int
  /// The number of the steps before it.
  let steps: Int
  let isLast: Bool
  /// Whether the legs that are made stay where this one is refused.
  let isKept: Bool
  let losses: [MigrationPlan.Loss]
  let rejected: Int64

  /// The losses up to the end of this leg, numbered by the steps of the route.
  func losses(with own: [MigrationPlan.Loss]) -> [MigrationPlan.Loss] {
    losses
      + own.filter { $0.isAdded == nil }.map { loss in
        var loss = loss
        loss.step += steps
        return loss
      }
  }

  /// How much of the route stays when the leg would lose too much; `made` is the part that it has made.
  func kept(_ made: MadeBeforeLoss) -> MadeBeforeLoss {
    if made == .destination, isLast { return made }
    let legs = made == .nothing ? number - 1 : number
    return isKept && legs > 0 ? .legs(legs) : .nothing
  }
}
