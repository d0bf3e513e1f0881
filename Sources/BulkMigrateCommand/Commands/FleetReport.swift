internal import BulkVersions
import BulkPlan

/// Tells of many stores which version each is, how it gets to the one that it shall be, and what that
/// costs.
struct FleetReport {
  private let arguments: PlanArguments
  private let request: PlanRequest
  private let context: CommandContext

  init(_ arguments: PlanArguments, _ request: PlanRequest, _ context: CommandContext) {
    self.arguments = arguments
    self.request = request
    self.context = context
  }

  /// Looks at one store after another.
  ///
  /// - Returns: ``ExitCode/done`` if all have a way, or else the code of the first that has none.
  func run() throws -> ExitCode {
    guard request.destination == nil else {
      throw UsageError.contradiction("--destination names one store, but there are several to read")
    }
    guard arguments.maxLoss == .all else {
      throw UsageError.contradiction(
        "--max-loss asks for the plan of one store, but there are several, whose rows are not counted"
      )
    }
    let planner = try FleetPlanner(request)
    var forecasts: [StoreForecast] = []
    var code: ExitCode?
    for path in try SourceList(arguments.sources, list: arguments.sourceList) {
      let (forecast, fault) = planner.forecast(of: path)
      if let fault, code == nil { code = fault.exitCode }
      forecasts.append(forecast)
    }
    if arguments.output.isJSON {
      try context.output.json(forecasts)
    } else {
      try context.output.result(FleetText(forecasts).lines)
    }
    if let code { return code }
    let hasWork = forecasts.contains { !$0.steps.isEmpty }
    return arguments.hasDetailedExitCode && hasWork ? .workFound : .done
  }
}
