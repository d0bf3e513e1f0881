internal import BulkMapping
internal import BulkModel
package import BulkStore
internal import BulkSupport

/// Plans the migrations of many stores, one after another, to the requested version.
///
/// Models and mappings are read once, and the route of a version is found once; one store at a time is open. Nothing is
/// written.
package final class FleetPlanner {
  private let request: PlanRequest
  private let search: RouteSearch
  private var templates: [StoreVersion: VersionTemplate] = [:]

  private struct StoreVersion: Hashable {
    let hashes: [String: VersionHash]
    let appliedMappings: [String]
  }

  /// Reads what a request names, except stores.
  package init(_ request: PlanRequest) throws(PlanError) {
    let file = request.mappingFiles.isEmpty ? nil : try MappingFile.planned(request.mappingFiles)
    self.request = request
    search = try RouteSearch(request, file)
  }

  package var versionNames: [String] { search.versionNames }

  /// Whether stores may have external values.
  package var keepsValues: Bool { search.keepsValues }

  package func store(_ path: String) throws(PlanError) -> PersistentStore {
    try PersistentStore.planned(at: path)
  }

  /// The template of a store, the same one for all stores with the same version hashes and the same applied mappings.
  ///
  /// The name of the version is received even if no route leads from it.
  package func template(
    of store: PersistentStore,
    versionFound: (String) -> Void = { _ in }
  ) throws(PlanError) -> VersionTemplate {
    let key = StoreVersion(
      hashes: store.metadata.versionHashes,
      appliedMappings: store.metadata.appliedMappings
    )
    if let known = templates[key] {
      versionFound(known.version)
      return known
    }
    let route = try search.route(of: store) { versionFound($0.name) }
    let template = VersionTemplate(route, request)
    try template.steps.refuseMissingPolicies(request.knowsPolicy)
    try template.steps.refuseReplacement(unless: request.allowed)
    if request.isLikeCoreData { try template.steps.refuseDifferences() }
    if !route.version.isOfOneStore { templates[key] = template }
    return template
  }

  /// Calls a body with the names of the files in which a store keeps values; of a store without a template with none.
  package func eachExternalFile(
    of store: PersistentStore,
    _ body: (String) throws -> Void
  ) throws {
    guard let model = try? template(of: store).steps.files.first?.source.model else { return }
    let schema = try PlanError.reading(store.path, try store.layout(for: model).schema)
    for column in schema.externalColumns {
      let names = try store.externalFiles(in: column.table, column: column.name)
      while let name = try names.next() {
        if ExternalBinaryData.isPlain(name) { try body(name) }
      }
    }
  }

  /// The plan of a store's migration; that of equal stores is the same, byte for byte.
  package func plan(
    _ store: PersistentStore,
    by template: VersionTemplate,
    into destination: String,
    now: Double
  ) throws(PlanError) -> MigrationPlan {
    let plan = try Planner(store, template.steps, into: destination, now: now, request).plan()
    if !plan.hasSeveralLegs { template.steps.leave(store) }
    return plan
  }
}

/// The template of a version: its route and the steps on it, which all its stores share.
package final class VersionTemplate {
  package let version: String
  package let destinationVersion: String
  package let steps: SharedSteps

  init(_ route: StoreRoute, _ request: PlanRequest) {
    version = route.version.name
    destinationVersion = route.destinationName
    steps = SharedSteps(route.steps.following(request))
  }

  /// Whether stores of the version have the requested version already.
  package var isOfVersion: Bool {
    steps.files.first.map {
      $0.source.model.entityVersionHashesByName == $0.destination.model.entityVersionHashesByName
    } ?? false
  }

  /// The files of the route, step by step; none where ``isOfVersion``.
  package var route: [RouteStep] {
    guard !isOfVersion else { return [] }
    return steps.files.map(RouteStep.init)
  }
}
