public import BulkVersions
internal import BulkMapping
internal import BulkModel
package import BulkStore
internal import BulkPlatform

/// Plans the migrations of many stores, one after another, to the requested version.
///
/// Models and mappings are read once, and the route of a version is found once; one store at a time is open. Nothing is
/// written.
public final class FleetPlanner {
  private let request: PlanRequest
  private let search: RouteSearch
  private var templates: [[String: VersionHash]: VersionTemplate] = [:]

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

  /// The names of the versions among the models.
  package var versionNames: [String] { search.versionNames }

  /// Opens a store.
  ///
  /// - Throws: ``PlanError/badStore(path:reason:isMissing:)``.
  package func store(_ path: String) throws(PlanError) -> PersistentStore {
    try PlanInputs.store(path)
  }

  /// What all stores of a store's version share.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - tell: Receives the name of the store's version, even if no route leads from it.
  /// - Returns: The template; the same one for all stores with the same version hashes.
  /// - Throws: ``PlanError`` if the version is unknown, if there is no route, or if the program lacks a policy.
  package func template(
    of store: PersistentStore,
    tell: (String) -> Void = { _ in }
  ) throws(PlanError) -> VersionTemplate {
    let hashes = store.metadata.versionHashes
    if let known = templates[hashes] {
      tell(known.version)
      return known
    }
    let route = try search.route(of: store) { tell($0.name) }
    let template = VersionTemplate(route, knowsTransformer: request.knowsTransformer)
    try template.steps.refuseMissingPolicies(request.knowsPolicy)
    if !route.version.isOfOneStore { templates[hashes] = template }
    return template
  }

  /// The plan of a store's migration.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - template: The template of its version.
  ///   - destination: The store to make.
  ///   - now: The value of `now()`, in seconds since 2001-01-01 00:00:00 UTC.
  /// - Returns: The plan; that of equal stores is the same, byte for byte.
  /// - Throws: ``PlanError`` if the store is corrupt, or cannot be migrated.
  package func plan(
    _ store: PersistentStore,
    by template: VersionTemplate,
    into destination: String,
    now: Double
  ) throws(PlanError) -> MigrationPlan {
    try RoutePlan(store, template.steps, destination: destination, now: now, request).plan()
  }

  private func complete(_ forecast: inout StoreForecast) throws(PlanError) {
    let store = try PlanInputs.store(forecast.store)
    let template = try template(of: store) { forecast.version = $0 }
    forecast.destinationVersion = template.destinationVersion
    let cost = try RoutePlan(
      store,
      template.steps,
      // No file of this name is made.
      destination: store.path + ".forecast",
      now: Date().wholeSeconds,
      request
    ).forecast()
    forecast.rows = cost.rows
    forecast.estimatedBytes = cost.bytes
    forecast.estimatedSeconds = cost.seconds
    if !template.isOfVersion { forecast.steps = template.route }
  }
}
