import BulkExecute
import BulkPlan
import BulkPlatform
import BulkReport

/// The file of a report.
struct ReportTarget {
  let path: String

  /// Refuses a file that cannot be made, or that is something else, before any work is done for it.
  func refuse(besides plan: MigrationPlan? = nil) throws(MigrationError) {
    try OwnFile(path: path, beginning: ReportPage.beginning, kind: "report").refuse(besides: plan)
  }

  /// Writes a report, in place of an earlier one.
  func write(_ facts: ReportFacts) throws(MigrationError) {
    try OwnFile.write(ReportPage(facts).text, to: path, ofStore: facts.plan.source.store)
  }
}

extension ReportTarget {
  /// Prints a page with its warnings for `-`, or writes it.
  func publish(
    _ facts: ReportFacts,
    besides plan: MigrationPlan?,
    _ output: Output
  ) throws -> ExitCode {
    for warning in facts.warnings { output.warning(warning) }
    let page = ReportPage(facts).text
    return try publish(page, ofStore: facts.plan.source.store, besides: plan, output)
  }

  /// Prints the text of a page for `-`, or writes it.
  func publish(
    _ page: String,
    ofStore source: String,
    besides plan: MigrationPlan?,
    _ output: Output
  ) throws -> ExitCode {
    guard path != "-" else {
      try output.result(page)
      return .done
    }
    try refuse(besides: plan)
    try OwnFile.write(page, to: path, ofStore: source)
    return try WrittenFile(path: path).report("report", output)
  }

  /// Writes a report of a run that is left with work to do; the outcome matters more than a report that fails.
  func leave(
    _ state: ReportFacts.State,
    _ plan: MigrationPlan,
    measured measures: MeasureRecorder?,
    at location: StateLocation,
    warning: (String) -> Void
  ) {
    var facts = ReportFacts(of: MigrationStatus(location), plan)
    facts.state = state
    facts.measures = measures?.record
    do {
      // A file of this name may have been made since the run began.
      try refuse(besides: plan)
      try write(facts)
    } catch {
      warning("\(error)")
    }
  }
}

extension ReportFacts {
  /// The facts in a state directory.
  init(of status: MigrationStatus, _ plan: MigrationPlan) {
    self.init(plan, State(status.state), tool: ToolVersion.withLibrary)
    measures = status.measures
    rows = status.rowsDone
    losses = status.losses
    tallies = status.tallies
    passes = status.passes
    rejects = try? RejectFolder(StateLocation(stateDirectory: status.stateDirectory))?.summary
    if losses == nil, let rejects {
      (rows, losses, tallies) = (rejects.rows, rejects.losses, rejects.tallies)
    }
    size = status.destinationSize
    control = status.control
    if status.state == .none, let path = status.violations {
      state = .failed(
        "objects break rules of the model, or cannot be computed; no destination was made; all of them are in \(path)"
      )
    }
    if status.isDamaged {
      warnings.append(
        "no checkpoint in \(status.stateDirectory) can be used, so this report knows little more than the plan"
      )
    }
  }

  /// The facts about a run that made its destination.
  init(
    of outcome: MigrationOutcome,
    _ plan: MigrationPlan,
    _ measures: MeasureRecorder?,
    _ location: StateLocation
  ) {
    self.init(plan, .done, tool: ToolVersion.withLibrary)
    self.measures = outcome.wasDone ? MigrationStatus(location).measures : measures?.record
    rows = outcome.rows
    size = outcome.size
    losses = outcome.losses
    tallies = outcome.tallies
    passes = outcome.passes
    warnings = outcome.uncheckedRules
    rejects = try? RejectFolder(location)?.summary
  }
}

extension ReportFacts.State {
  /// The state of a run that an error has ended.
  static func failed(by error: MigrationError) -> Self {
    guard case .invalidObjects(let violations) = error else { return .failed("\(error)") }
    return .failed("\(error)", violations: violations)
  }

  fileprivate init(_ state: MigrationStatus.State) {
    switch state {
    case .none: self = .planned
    case .running: self = .running
    case .interrupted, .abandoned: self = .interrupted
    case .done: self = .done
    }
  }
}
