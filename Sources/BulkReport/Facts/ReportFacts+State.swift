package import BulkExecute
package import BulkPlan

extension ReportFacts {
  /// The facts in a state directory.
  package init(of status: MigrationStatus, _ plan: MigrationPlan) {
    self.init(plan, State(status.state), tool: ToolVersion.withLibrary)
    measures = status.measures
    rows = status.rowsDone
    losses = status.losses
    tallies = status.tallies
    legs = status.legs
    passes = legs.flatMap(\.passes) + status.passes
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
  package init(
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
    legs = outcome.legs
    passes = outcome.passes
    warnings = outcome.uncheckedRules
    rejects = try? RejectFolder(location)?.summary
  }
}

extension ReportFacts.State {
  /// The state of a run that an error has ended.
  package static func failed(by error: MigrationError) -> Self {
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
