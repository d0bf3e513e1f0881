internal import BulkPlan
internal import BulkCoding

extension Migration {
  /// The number of the pass after which the run ends; `nil` to run to the end.
  var lastPass: Int? {
    settings.lastPassName.flatMap { name in
      plan.passes.first { $0.name == name || "\($0.number)" == name }?.number
    }
  }

  /// Whether checkpoints are written however small the migration is, so that it can be done pass by pass.
  var keepsPasses: Bool {
    settings.lastPassName != nil
      || stateLocation.hasCheckpoints && !MigrationStatus(stateLocation).isFinished
  }

  /// Refuses a pass that the plan does not have.
  func refuseUnknownPass() throws(MigrationError) {
    guard let lastPassName = settings.lastPassName, !plan.isUpToDate else { return }
    if plan.route != nil {
      throw .noPasses("the plan's legs each make a store of their own")
    }
    if plan.isCopying { throw .noPasses("the plan copies the store and changes the copy") }
    guard settings.keepsCheckpoints else {
      throw .noPasses("without checkpoints nothing is kept of a pass")
    }
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

extension Migration {
  /// Reports the division of memory, and the decisions that follow from the size of the migration.
  func reportDecisions(_ budget: MemoryBudget, base: ByteCount) {
    let uses = MemoryUse.allCases.map { ($0, ByteCount(bytes: budget.share(of: $0))) }
      .filter { $0.1 > .zero }.map { "\($0.0.rawValue) \($0.1)" }
    events.decided(
      "memory: of \(settings.memoryLimit), \(base) were held at the beginning; at most "
        + uses.joined(separator: ", ")
    )
    let most = plan.steps.map(\.rows).max() ?? 0
    if !settings.keepsCheckpoints {
      events.decided("no checkpoints, as requested")
    } else if !isDurable {
      events.decided(
        "no checkpoints: \(most.grouped) rows, fewer than \(minimumRowsForCheckpoints.grouped), are as quickly "
          + "written again"
      )
    } else {
      events.decided(
        "a checkpoint after every \(settings.batchRows.grouped) rows, and after every stage"
      )
    }
    events.decided(
      settings.threads > 1
        ? "two threads: one makes pages, the other writes them"
        : "one thread: pages are written as they are made"
    )
    events.decided(
      plan.source.knownReading == nil
        ? "the source is verified at the same time, to ensure that it is the planned one"
        : "the source has the attributes that it had when it was planned for, so it is not read for its identity"
    )
  }
}
