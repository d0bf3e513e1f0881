internal import BulkLowering
internal import BulkStore

/// Checks the rules of the destination's model when all rows are there: objects that violate them are left out, or
/// nothing is made.
struct JudgingStage {
  let run: StoreRun
  let indexes: IndexStage
  let validation: ValidationStage
  /// `nil` where an object that violates a rule ends the run.
  let rejects: RejectStage?
  let instances: InstanceStages

  func judge() throws -> Checkpoint.Rejected? {
    guard let rejects else {
      try refuse()
      return nil
    }
    let rejected = try rejects.leaveOut(conflicts: indexes.conflicts)
    try validateByPolicies()
    return rejected.rounds.isEmpty ? nil : rejected
  }

  /// Lets policies validate objects that satisfy the model's rules (formats/migration.md 8.6);
  /// objects that they change must still satisfy them.
  private func validateByPolicies() throws {
    guard run.hasPolicies else { return }
    // An interrupted run may have changed rows, and validated them unless it wrote anything after it.
    let wasReplaying = run.session.transactions.isReplaying
    let known = try run.violations.flushedBytes()
    let changes = try instances.policies.validate()
    if changes || wasReplaying, !run.session.transactions.isReplaying {
      try validation.refuseFurther(after: known)
    }
    try FoundKeys(run.session).dropTable()
  }

  private func refuse() throws {
    let conflicts = indexes.conflicts
    if run.work.isJudged {
      // If an interrupted run wrote anything after it, nothing was found.
      if !run.session.transactions.isReplaying {
        try validation.findViolations(.all)
        try validation.refuse(conflicts)
      }
      try validateByPolicies()
    } else if !conflicts.isEmpty {
      try validation.refuse(conflicts)
    }
  }
}
