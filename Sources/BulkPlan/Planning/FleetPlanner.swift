public import BulkVersions
internal import BulkMapping
internal import BulkStore
internal import BulkPlatform

/// Forecasts the migrations of many stores, one after another, to the requested version.
///
/// Models and mappings are read once; one store at a time is open. Nothing is written.
public final class FleetPlanner {
  private let request: PlanRequest
  private let search: RouteSearch

  /// Reads what a request names, except stores.
  ///
  /// - Throws: ``PlanError`` if models or mappings are not found, or cannot be read.
  public init(_ request: PlanRequest) throws(PlanError) {
    let file = request.mappingFiles.isEmpty ? nil : try MappingFile.planned(request.mappingFiles)
    self.request = request
    search = try RouteSearch(request, file)
  }

  /// The forecast for a store.
  ///
  /// - Returns: The forecast, with the obstacle if there is one.
  public func forecast(of path: String) -> (forecast: StoreForecast, fault: PlanError?) {
    var forecast = StoreForecast(path)
    do throws(PlanError) {
      try complete(&forecast)
      return (forecast, nil)
    } catch {
      forecast.fault = error.description
      return (forecast, error)
    }
  }

  private func complete(_ forecast: inout StoreForecast) throws(PlanError) {
    let store = try PlanInputs.store(forecast.store)
    let route = try search.route(of: store) { forecast.version = $0.name }
    forecast.destinationVersion = route.destinationName
    let cost = try RoutePlan(
      store,
      route.steps,
      // No file of this name is made.
      destination: store.path + ".forecast",
      now: Date().wholeSeconds,
      request
    ).forecast()
    forecast.rows = cost.rows
    forecast.estimatedBytes = cost.bytes
    forecast.estimatedSeconds = cost.seconds
    guard let first = route.steps.first, !ModelLocator.fits(first.destination.model, store) else {
      return
    }
    forecast.steps = route.steps.map { step in
      StoreForecast.Step(
        source: step.source.input.path,
        destination: step.destination.input.path,
        mapping: step.file?.path
      )
    }
  }
}
