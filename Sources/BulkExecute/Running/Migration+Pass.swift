internal import BulkPlan

extension Migration {
  /// The number of the pass after which the run ends; `nil` to go on to the end.
  var lastPass: Int? {
    lastPassName.flatMap { name in
      plan.passes.first { $0.name == name || "\($0.number)" == name }?.number
    }
  }

  /// Whether checkpoints are written however small the migration is, so that it can be done pass by pass.
  var keepsPasses: Bool {
    lastPassName != nil
      || stateLocation.hasCheckpoints && !MigrationStatus(stateLocation).isFinished
  }

  /// Refuses a pass that the plan does not have.
  func refuseUnknownPass() throws(MigrationError) {
    guard let lastPassName, !plan.isUpToDate else { return }
    if plan.route != nil {
      throw .noPasses("the plan's legs each make a store of their own")
    }
    if plan.isCopying { throw .noPasses("the plan copies the store and changes the copy") }
    guard keepsCheckpoints else { throw .noPasses("without checkpoints nothing is kept of a pass") }
    guard lastPass == nil else { return }
    throw .unknownPass(lastPassName, known: plan.passes.map(\.name))
  }

  /// Refuses a pass that is done, or whose predecessors are not.
  ///
  /// Passes are carried out in the order of the plan, on which the bytes of the destination depend.
  func refusePass(after uses: [PassUse]) throws(MigrationError) {
    guard let lastPass else { return }
    let done = Set(uses.filter(\.isDone).map(\.number))
    let name = plan.passes[lastPass - 1].name
    // After the last pass the store is still to be completed.
    guard !done.contains(lastPass) || lastPass == plan.passes.count else {
      throw .stoppedAfterPass(name)
    }
    let missing = plan.passes.filter { $0.number < lastPass && !done.contains($0.number) }
    guard let first = missing.first else { return }
    throw .passNotDue(name, after: first.name)
  }
}
