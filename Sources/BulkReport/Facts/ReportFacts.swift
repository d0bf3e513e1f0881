package import BulkCoding
package import BulkExecute
package import BulkPlan
package import BulkVerify

/// Everything that a report shows of a migration.
package struct ReportFacts {
  /// How far the migration is.
  package enum State: Hashable {
    case planned
    case running
    /// It was interrupted, or stopped, and can be resumed.
    case interrupted
    /// It has failed, for this reason; with the objects that broke rules, if these were it.
    case failed(String, violations: ViolationSummary? = nil)
    case done
  }

  package var plan: MigrationPlan
  package var state: State
  /// The measurements; `nil` if there are none.
  package var measures: MeasureRecord?
  /// The rows written so far; `nil` where nothing was begun.
  package var rows: Int64?
  /// The size of the destination; `nil` while there is none.
  package var size: ByteCount?
  /// The counted losses; `nil` before they are counted.
  package var losses: [MigrationPlan.Loss]?
  /// The counted fates of source rows, by entity mapping; empty before they are counted, and of a route.
  package var tallies: [String: RowTally] = [:]
  package var passes: [PassUse] = []
  /// The counts of the finished legs of a route, in their order.
  package var legs: [LegRecord] = []
  /// The objects that were left out because they violate rules.
  package var rejects: RejectSummary?
  /// The requests that the running process follows; `nil` if there are none.
  package var control: RunControl?
  /// A record of a verification.
  package var proof: Proof?
  /// The most important messages, besides the plan's warnings.
  package var warnings: [String] = []
  /// The program and its libraries that make the report.
  package var tool: String

  /// The facts of a plan without anything else.
  package init(_ plan: MigrationPlan, _ state: State, tool: String) {
    self.plan = plan
    self.state = state
    self.tool = tool
  }
}

extension ReportFacts {
  /// The counted fates of source rows that the passes of the plan read.
  var talliesOfPasses: [String: RowTally] {
    plan.hasSeveralLegs ? legs.first?.tallies ?? [:] : tallies
  }

  /// The rows that a leg of a route wrote; `nil` unless it is done.
  func written(byLeg index: Int) -> Int64? {
    guard index < legs.count, !legs[index].passes.isEmpty else { return nil }
    return legs[index].passes.reduce(0) { $0 + $1.rows }
  }

  /// The rows that a pass wrote; `nil` unless it is done.
  func written(by pass: MigrationPlan.Pass) -> Int64? {
    if let use = passes.first(where: { $0.number == pass.number && $0.step ?? 1 == 1 }) {
      return use.isDone ? use.rows : nil
    }
    return state == .done && plan.passes.count == 1 && !plan.hasSeveralLegs ? rows : nil
  }

  /// Whether figures of the plan tell nothing more, because the run is over.
  var isDone: Bool { state == .done && !plan.isUpToDate }

  /// The violations that ended the run; `nil` unless they did.
  var violations: ViolationSummary? {
    guard case .failed(_, let violations) = state else { return nil }
    return violations
  }

  /// The losses, as counted or as planned.
  var knownLosses: [MigrationPlan.Loss] { losses ?? plan.losses }

  /// The memory limit of the last attempt.
  var memoryLimit: ByteCount? {
    measures?.attempts.last.map { ByteCount(bytes: $0.memoryLimit) }
  }
}
