internal import BulkSupport
internal import BulkPlan

extension Migration {
  func reportDecisions(_ budget: MemoryBudget, base: ByteCount) {
    let uses = MemoryUse.allCases.map { ($0, ByteCount(bytes: budget.share(of: $0))) }
      .filter { $0.1 > .zero }.map { "\($0.0.rawValue) \($0.1)" }
    events.decided(
      "memory: of \(settings.memoryLimit), \(base) were held at the beginning; at most "
        + uses.joined(separator: ", ")
    )
    if !isDurable {
      events.decided(
        "no checkpoints: \(plan.rows.grouped) rows, fewer than \(minimumRowsForCheckpoints.grouped), are as quickly "
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
