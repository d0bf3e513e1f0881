internal import BulkPlan

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
    guard !settings.lossLimit.allows(certain) else { return }
    throw .tooMuchLost(plan.losses, limit: settings.lossLimit, .nothing)
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
