import BulkExecute
import BulkFleet
import BulkPlan
import BulkPlatform
import BulkReport

/// The page of one store of a fleet, from what its state directory keeps.
struct StorePage {
  private let id: String
  private let fleet: FleetPlan
  private let arguments: FleetResultsArguments

  init(_ id: String, _ fleet: FleetPlan, _ arguments: FleetResultsArguments) {
    (self.id, self.fleet, self.arguments) = (id, fleet, arguments)
  }

  /// Writes the page.
  ///
  /// - Throws: ``UnknownStore`` if the fleet has no such store, or none that was begun.
  func write(_ context: CommandContext) throws -> ExitCode {
    let store = try store()
    let location = StateLocation(destination: store.destination, stateDirectory: nil)
    guard let plan = MigrationStatus(location).plan else {
      throw UnknownStore(
        description: "\(id) was not begun, or nothing is kept of it in \(location.path)"
      )
    }
    let facts = ReportFacts(of: MigrationStatus(location, of: plan), plan)
    for warning in facts.warnings { context.output.warning(warning) }
    guard arguments.pagePath != "-" else {
      try context.output.result(ReportPage(facts).text)
      return .done
    }
    let target = ReportTarget(arguments.pagePath)
    try target.refuse(besides: plan)
    try target.write(facts)
    return try WrittenFile(path: arguments.pagePath).tell("report", context.output)
  }

  private func store() throws -> FleetStore {
    var found: FleetStore?
    try FleetList(fleet.listPath(beside: arguments.path)).read { _, store throws(FleetError) in
      if store.id == id { found = store }
    }
    guard let found else { throw UnknownStore(description: "the fleet has no store \(id)") }
    return found
  }

  /// There is nothing to report of a store.
  private struct UnknownStore: ErrorWithExitCode, CustomStringConvertible {
    let exitCode = ExitCode.noInput
    let description: String
  }
}
