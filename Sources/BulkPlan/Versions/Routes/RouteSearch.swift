internal import BulkMapping
internal import BulkModel
internal import BulkStore
internal import BulkSupport

/// Finds the routes of stores to the requested version; files read for one store serve the next.
final class RouteSearch {
  private let library: ModelLibrary
  private let request: PlanRequest
  private let chain: MappingChain?
  private let preferred: LibraryMapping?
  private var graphs: [String: RouteGraph] = [:]

  package init(_ request: PlanRequest, _ file: MappingFile?) throws(PlanError) {
    self.request = request
    chain = try file.flatMap { file throws(PlanError) in
      file.chain == nil ? nil : try MappingChain(file, configuration: request.configuration)
    }
    preferred = file.flatMap { $0.hasMapping ? LibraryMapping($0) : nil }
    let named = [request.destinationModel, request.sourceModel].compactMap(\.self)
    let locations = request.models + named.map(Self.package)
    guard chain != nil || !locations.isEmpty else {
      throw .missingInput(
        "no models are named among which the versions are found; pass \(request.argumentNames.models)"
      )
    }
    library = try ModelLibrary(
      models: locations,
      mappings: request.mappings,
      ignoring: request.ignoredMappings,
      configuration: request.configuration
    )
    if chain == nil, library.lines.isEmpty { try refuseEmpty(request.models) }
  }

  private func refuseEmpty(_ locations: [String]) throws(PlanError) {
    var empty: [String] = []
    for location in locations {
      let found = try LibrarySearch([location])
      guard found.packages.isEmpty, found.models.isEmpty, found.others.isEmpty else { return }
      empty.append(FilePath.absolute(location))
    }
    guard !empty.isEmpty else { return }
    throw .noRoute(
      empty.map { "there is no model in \($0), which \(request.argumentNames.models) names" }
        + ["name a folder with an .xcdatamodeld, .momd, .xcdatamodel or .mom"]
    )
  }

  /// The names of the versions that are found, in the order of the locations; those that only a store or a mapping holds are
  /// not among them.
  package var versionNames: [String] { library.lines.flatMap { $0.versions.map(\.name) } }

  /// Whether stores may have external values: some version has such an attribute, or versions are not known.
  package var keepsValues: Bool {
    let versions = library.lines.flatMap(\.versions)
    return versions.isEmpty
      || versions.contains { version in
        guard let entities = try? version.model().entities else { return true }
        return entities.flatMap(\.leaves).contains(where: \.allowsExternalBinaryDataStorage)
      }
  }

  /// The package of a model, or the model itself if it has none.
  private static func package(_ path: String) -> String {
    let folder = URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent()
    return ["xcdatamodeld", "momd"].contains(folder.pathExtension) ? folder.path : path
  }

  /// The route of a store; `versionFound` gets the store's version, even if no route leads from it.
  package func route(
    of store: PersistentStore,
    versionFound: (FoundVersion) -> Void = { _ in }
  ) throws(PlanError) -> StoreRoute {
    let found = try foundRoute(of: store, versionFound: versionFound)
    let route = request.isLikeCoreData ? found.atOnce : found
    return request.infers ? route : try route.withoutInference(request.argumentNames)
  }

  private func foundRoute(
    of store: PersistentStore,
    versionFound: (FoundVersion) -> Void
  ) throws(PlanError) -> StoreRoute {
    if let chain { return try chain.route(of: store, to: request.version) }
    guard let version = library.version(of: store) else { throw library.noFittingModel(store) }
    versionFound(version)
    let destination = try RouteDestination(version, library, request)
    let model = try destination.model()
    let graph = graph(of: destination)
    let source = graph.index(of: version)
    let end = graph.index(of: FoundVersion(name: destination.name, model: model))
    let steps: [StepFiles]
    if source == end {
      let file = try mapping(within: graph.nodes[source].wholeHashes ?? [:])
      let pair = RouteGraph.Pair(source: source, destination: end)
      let unused = file == nil ? graph.unusedMappings(about: pair) : []
      let step = StepFiles(source: version.model, destination: model, file: file, warnings: unused)
      steps = [step]
    } else if let preferred, graph.isOutsideOrder(preferred) {
      // It names no models, so it applies to these.
      let file = try preferred.file()
      steps = [StepFiles(source: version.model, destination: model, file: file)]
    } else {
      steps = try RouteFinder(graph: graph, source: source, destination: end).steps()
    }
    return StoreRoute(version: version, destinationName: destination.name, steps: steps)
  }

  /// The named mapping file, where it may apply to stores that have the requested version already.
  private func mapping(
    within hashes: [String: VersionHash]
  ) throws(PlanError) -> MappingFile? {
    guard let preferred else { return nil }
    for side in [MappingFile.Side.source, .destination] {
      if case .unknown = preferred.end(side) { continue }
      if preferred.unmappedEntityCount(side, hashes) == nil { return nil }
    }
    return try preferred.file()
  }

  private func graph(of destination: RouteDestination) -> RouteGraph {
    let line = destination.line
    let key = line.map { $0.path + "\u{0}" + ($0.versions.first?.configuration ?? "") } ?? ""
    if let known = graphs[key] { return known }
    let graph = RouteGraph(
      line,
      library.mappings,
      preferring: preferred,
      known: library.lines.flatMap(\.versions),
      infers: request.infers,
      names: request.argumentNames
    )
    graphs[key] = graph
    return graph
  }
}

/// The version of a store, and the route from there to the requested version.
package struct StoreRoute {
  package let version: FoundVersion
  let destinationName: String
  /// The steps, at least one; for a store of the requested version already, one from and to that version.
  package let steps: [StepFiles]

  /// The route as Core Data takes it: lightweight stages alone are one inference from the store's version to the last one
  /// (formats/migration.md 9.2).
  fileprivate var atOnce: StoreRoute {
    guard steps.allSatisfy(\.isInferred), steps.count > 1 else { return self }
    let step = StepFiles(
      source: steps[0].source,
      destination: steps[steps.count - 1].destination,
      file: nil
    )
    return StoreRoute(version: version, destinationName: destinationName, steps: [step])
  }

  fileprivate func withoutInference(_ names: ArgumentNames) throws(PlanError) -> StoreRoute {
    let steps = try steps.map { step throws(PlanError) in try step.withoutInference(names) }
    return StoreRoute(version: version, destinationName: destinationName, steps: steps)
  }
}
