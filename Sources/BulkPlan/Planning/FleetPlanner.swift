package import BulkVersions
internal import BulkMapping
internal import BulkModel
package import BulkStore
internal import BulkPlatform

/// Plans the migrations of many stores, one after another, to the requested version.
///
/// Models and mappings are read once, and the route of a version is found once; one store at a time is open. Nothing is
/// written.
package final class FleetPlanner {
  private let request: PlanRequest
  private let search: RouteSearch
  private var templates: [[String: VersionHash]: VersionTemplate] = [:]

  /// Reads what a request names, except stores.
  ///
  /// - Throws: ``PlanError`` if models or mappings are not found, or cannot be read.
  package init(_ request: PlanRequest) throws(PlanError) {
    let file = request.mappingFiles.isEmpty ? nil : try MappingFile.planned(request.mappingFiles)
    self.request = request
    search = try RouteSearch(request, file)
  }

  /// The forecast for a store.
  ///
  /// - Returns: The forecast, with the obstacle if there is one.
  package func forecast(of path: String) -> (forecast: StoreForecast, fault: PlanError?) {
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
    try PersistentStore.planned(at: path)
  }

  /// The template of a store, the same one for all stores with the same version hashes.
  ///
  /// The name of the version is received even if no route leads from it.
  ///
  /// - Throws: ``PlanError`` if the version is unknown, if a route is missing, or if the program lacks a policy.
  package func template(
    of store: PersistentStore,
    versionFound: (String) -> Void = { _ in }
  ) throws(PlanError) -> VersionTemplate {
    let hashes = store.metadata.versionHashes
    if let known = templates[hashes] {
      versionFound(known.version)
      return known
    }
    let route = try search.route(of: store) { versionFound($0.name) }
    let template = VersionTemplate(route, request)
    try template.steps.refuseMissingPolicies(request.knowsPolicy)
    try template.steps.refuseReplacement(unless: request.allowed)
    if request.isLikeCoreData { try template.steps.refuseDifferences() }
    if !route.version.isOfOneStore { templates[hashes] = template }
    return template
  }

  /// The plan of a store's migration; that of equal stores is the same, byte for byte.
  ///
  /// - Throws: ``PlanError`` if the store is corrupt, or cannot be migrated.
  package func plan(
    _ store: PersistentStore,
    by template: VersionTemplate,
    into destination: String,
    now: Double
  ) throws(PlanError) -> MigrationPlan {
    try RoutePlan(
      store: store,
      shared: template.steps,
      destination: destination,
      now: now,
      request: request
    ).plan()
  }

  private func complete(_ forecast: inout StoreForecast) throws(PlanError) {
    let store = try PersistentStore.planned(at: forecast.store)
    let template = try template(of: store) { forecast.version = $0 }
    forecast.destinationVersion = template.destinationVersion
    let cost = try RoutePlan(
      store: store,
      shared: template.steps,
      // No file of this name is made.
      destination: store.path + ".forecast",
      now: SystemHost.current.now().wholeSeconds,
      request: request
    ).forecast()
    forecast.rows = cost.rows
    forecast.estimatedBytes = cost.bytes
    forecast.estimatedSeconds = cost.seconds
    if !template.isOfVersion { forecast.steps = template.route }
  }
}

/// The template of a version: its route and the steps on it, which all its stores share.
package final class VersionTemplate {
  package let version: String
  /// The name of the version at the end of the route.
  package let destinationVersion: String
  package let steps: SharedSteps

  /// A template of a route that a request asks for.
  init(_ route: StoreRoute, _ request: PlanRequest) {
    version = route.version.name
    destinationVersion = route.destinationName
    steps = SharedSteps(route.steps.map { $0.following(request) })
  }

  /// Whether stores of the version have the requested version already.
  package var isOfVersion: Bool {
    steps.files.first.map {
      $0.source.model.entityVersionHashesByName == $0.destination.model.entityVersionHashesByName
    } ?? false
  }

  /// The files of the route, step by step; none where ``isOfVersion``.
  package var route: [StoreForecast.Step] {
    guard !isOfVersion else { return [] }
    return steps.files.map { step in
      StoreForecast.Step(
        source: step.source.input.path,
        destination: step.destination.input.path,
        mapping: step.file?.path
      )
    }
  }
}

/// A forecast of the migration of one store of many.
package struct StoreForecast: Codable, Hashable, Sendable {
  /// One step of the route.
  package struct Step: Codable, Hashable, Sendable {
    /// The file of the version before the step.
    package var source: String
    /// The file of the version after the step.
    package var destination: String
    /// The mapping file; absent where everything is inferred.
    package var mapping: String?
  }

  /// The cost of all steps.
  struct Cost {
    var rows: Int64 = 0
    var bytes: Int64 = 0
    var seconds = 0.0
  }

  /// The path of the store, as it was given.
  package var store: String
  /// Its version; absent if unknown.
  package var version: String?
  /// The requested version; absent if unknown.
  package var destinationVersion: String?
  /// The steps of the route; none if the store has the requested version already, or if no route leads to it.
  package var steps: [Step] = []
  /// The rows to write in all steps; approximate for several.
  package var rows: Int64?
  /// The estimated bytes to write in all steps.
  package var estimatedBytes: Int64?
  /// The estimated time of all steps, in seconds.
  package var estimatedSeconds: Double?
  /// The obstacle; absent if there is a route.
  package var fault: String?

  init(_ store: String) { self.store = store }
}
