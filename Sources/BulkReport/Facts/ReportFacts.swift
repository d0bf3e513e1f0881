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
    /// It has failed, for this reason.
    case failed(String)
    case done
  }

  package var plan: MigrationPlan
  package var state: State
  /// What was measured; `nil` where nothing was.
  package var measures: MeasureRecord?
  /// The rows written so far; `nil` where nothing was begun.
  package var rows: Int64?
  /// The size of the destination; `nil` while there is none.
  package var size: ByteCount?
  /// What the destination lacks of the source, as counted; `nil` before that.
  package var losses: [MigrationPlan.Loss]?
  /// What became of source rows, by entity mapping, as counted; empty before that.
  package var tallies: [String: RowTally] = [:]
  package var passes: [PassUse] = []
  /// The objects that were left out because they break rules.
  package var rejects: RejectSummary?
  /// A record of a verification.
  package var proof: Proof?
  /// What is to be read before all else, beside the warnings of the plan.
  package var warnings: [String] = []
  /// The program and its libraries that make the report.
  package var tool: String

  /// The facts of a plan of which nothing else is known.
  package init(_ plan: MigrationPlan, _ state: State, tool: String) {
    self.plan = plan
    self.state = state
    self.tool = tool
  }
}

extension ReportFacts {
  /// What is lost: as counted, or as the plan says.
  var knownLosses: [MigrationPlan.Loss] { losses ?? plan.losses }

  /// The memory limit of the last attempt.
  var memoryLimit: ByteCount? {
    measures?.attempts.last.map { ByteCount(bytes: $0.memoryLimit) }
  }
}
