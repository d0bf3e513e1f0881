public import BulkVersions
internal import BulkMapping
internal import BulkStore
internal import Foundation

/// Tells of many stores, one after another, how each gets to the version that it shall be.
///
/// Models and mappings are read once; of the stores one at a time is open. Nothing is written.
public final class FleetPlanner {
  private let request: PlanRequest
  private let search: RouteSearch

  /// Reads what a request names, apart from stores.
  ///
  /// - Throws: ``PlanError`` if models or mappings are not to be found, or cannot be read.
  public init(_ request: PlanRequest) throws(PlanError) {
    let file = try request.mapping.map { path throws(PlanError) in
      try MappingFile.planned(path)
    }
    self.request = request
    search = try RouteSearch(request, file)
  }

  /// What the migration of a store would be.
  ///
  /// - Returns: What is known of it, and what is in the way if something is.
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
    let way = try search.way(of: store) { forecast.version = $0.name }
    forecast.destinationVersion = way.destinationName
    let cost = try RoutePlan(
      store,
      way.steps,
      // Nothing is made under this name.
      destination: store.path + ".forecast",
      now: Date().wholeSeconds,
      request
    ).forecast()
    forecast.rows = cost.rows
    forecast.estimatedBytes = cost.bytes
    forecast.estimatedSeconds = cost.seconds
    guard let first = way.steps.first, !ModelLocator.fits(first.destination.model, store) else {
      return
    }
    forecast.steps = way.steps.map { step in
      StoreForecast.Step(
        source: step.source.input.path,
        destination: step.destination.input.path,
        mapping: step.file?.path
      )
    }
  }
}
