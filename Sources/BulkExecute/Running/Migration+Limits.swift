internal import BulkPlan

extension Migration {
  var limits: RunLimits {
    RunLimits(
      memory: controller?.memoryLimit ?? memoryLimit,
      leastMemory: controller?.leastMemory,
      losses: lossLimit,
      rejects: rejects
    )
  }

  /// The migration with the limits that hold after an interrupted run.
  func resuming(_ former: RunLimits?) -> Migration {
    guard let former, let limits = limitsAfter?(former) else { return self }
    var migration = self
    (migration.lossLimit, migration.rejects) = limits
    return migration
  }
}

extension Checkpoint {
  /// Refuses to go on by another policy once objects were judged by that of the interrupted run.
  ///
  /// - Parameters:
  ///   - policy: The policy of the run that resumes.
  ///   - folder: The state directory.
  /// - Throws: ``MigrationError/otherPolicy(_:stateDirectory:)``.
  func refuse(_ policy: RejectPolicy, in folder: String) throws(MigrationError) {
    guard let asked = limits?.rejects, !asked.judges(like: policy) else { return }
    // Where all hold, every policy ends alike.
    guard isWhole ? rejected != nil : isJudging || rejected != nil else { return }
    throw .otherPolicy(asked, stateDirectory: folder)
  }
}

extension RejectPolicy {
  /// Whether it leaves out what another one does, whatever their limits are.
  fileprivate func judges(like other: RejectPolicy) -> Bool {
    action == other.action && (action == .stop || dependants == other.dependants)
  }
}
