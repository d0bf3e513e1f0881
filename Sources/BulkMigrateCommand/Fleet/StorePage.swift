import BulkExecute
import BulkFleet
import BulkPlan
import BulkReport
import BulkVersions

/// The page of one store of a fleet, from its state directory and from the results of its attempts.
struct StorePage {
  let id: String
  let fleet: FleetPlan
  let arguments: FleetResultsArguments

  /// Writes the page.
  ///
  /// - Throws: ``Refusal`` if the fleet has no such store, or none that was begun.
  func write(_ context: CommandContext) throws -> ExitCode {
    let store = try store()
    let attempts = try arguments.resultTable(fleet).attempts(at: id)
    let location = StateLocation(destination: store.destination, stateDirectory: nil)
    let target = ReportTarget(path: arguments.pagePath)
    let plan: MigrationPlan
    do {
      plan = try MigrationStatus(location).plan ?? planned(store, after: attempts, location)
    } catch let error as PlanError where attempts.last?.error != nil {
      let page = ReportPage.failure(
        source: store.source,
        destination: store.destination,
        reason: "\(error)",
        attempts: attempts
      )
      return try target.publish(page, ofStore: store.source, besides: nil, context.output)
    }
    var facts = ReportFacts(of: MigrationStatus(location, of: plan), plan)
    facts.attempts = attempts
    if let error = attempts.last?.error, facts.state != .done { facts.state = .failed(error) }
    return try target.publish(facts, besides: plan, context.output)
  }

  /// The plan that the next attempt would have, of a store whose state directory keeps none.
  private func planned(
    _ store: FleetStore,
    after attempts: [AttemptFacts],
    _ location: StateLocation
  ) throws -> MigrationPlan {
    guard !attempts.isEmpty else {
      throw Refusal(.noInput, "\(id) was not begun, or nothing is kept of it in \(location.path)")
    }
    let planner = try FleetPlanner(fleet.request(knowsPolicy: nil, knowsTransformer: nil))
    let source = try planner.store(store.source)
    return try planner.plan(
      source,
      by: planner.template(of: source),
      into: store.destination,
      now: fleet.now
    )
  }

  private func store() throws -> FleetStore {
    var found: FleetStore?
    try FleetList(fleet.listPath(beside: arguments.path)).read { _, store throws(FleetError) in
      if store.id == id { found = store }
    }
    guard let found else { throw Refusal(.noInput, "the fleet has no store \(id)") }
    return found
  }
}
