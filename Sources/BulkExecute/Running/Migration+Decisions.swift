internal import BulkCoding
internal import BulkPlan

extension Migration {
  /// Tells how memory is divided, and what follows from the size of the migration.
  func tellDecisions(_ budget: MemoryBudget, base: ByteCount) {
    let uses = MemoryUse.allCases.map { ($0, ByteCount(bytes: budget.share(of: $0))) }
      .filter { $0.1 > .zero }.map { "\($0.0.rawValue) \($0.1)" }
    decided(
      "memory: of \(memoryLimit), \(base) were held at the beginning; at most "
        + uses.joined(separator: ", ")
    )
    let most = plan.steps.map(\.rows).max() ?? 0
    if !keepsCheckpoints {
      decided("no checkpoints, as was asked for")
    } else if !isDurable {
      decided(
        "no checkpoints: \(most.grouped) rows, fewer than \(minimumRowsForCheckpoints.grouped), are as quickly "
          + "written again"
      )
    } else {
      decided("a checkpoint after every \(batchRows.grouped) rows, and after every stage")
    }
    decided(
      threads > 1
        ? "two threads: one makes pages, the other writes them"
        : "one thread: pages are written as they are made"
    )
    decided(
      plan.source.knownReading == nil
        ? "the source is read through meanwhile, to see that it is the one that was planned for"
        : "the source has the attributes that it had when it was planned for, so it is not read for its identity"
    )
  }
}
