internal import BulkMapping
internal import BulkModel
internal import BulkStore
internal import BulkSupport

/// Checks that the current version of an app opens the stores of its earlier ones, as Core Data and SwiftData would:
/// for every store and every version, whether inference reaches it, and what code must do before.
///
/// It reads models and metadata, and no rows.
package final class VersionCheck {
  private let request: PlanRequest
  private let stages: [CustomStage]
  private let library: ModelLibrary
  private var searches: [String: RouteSearch] = [:]
  /// The lines of stores whose models are merged, by their paths.
  private var mergedLines: [String: VersionLine] = [:]

  /// Reads the versions that a request names: the models, the mappings and the version that opens the stores.
  package init(_ request: PlanRequest, stages: [CustomStage]) throws(PlanError) {
    self.request = request
    self.stages = stages
    library = try ModelLibrary(
      models: request.models,
      mappings: request.mappings,
      ignoring: request.ignoredMappings,
      configuration: request.configuration
    )
    guard !library.destinationLines.isEmpty else {
      throw .noRoute(
        ["there is no version among the models; searched:"] + library.searched.map { "  " + $0 }
          + ["name an .xcdatamodeld, a .momd, or stores that the versions of the app have written"]
      )
    }
    for name in stages.flatMap(\.names) + [request.version].compactMap(\.self)
    where !library.destinationLines.contains(where: { $0.versions(named: name).count == 1 }) {
      throw .ambiguousVersion(
        "\(name) names no version, or several",
        versions: library.destinationLines.flatMap { $0.versions.map(\.fileName) }
      )
    }
    // A version that opens stores has to be readable.
    for line in library.destinationLines { _ = try line.opening(request.version).model() }
  }

  /// Checks stores, in the order of the paths; one that cannot be read is part of the report, too.
  package func report(
    on paths: some Sequence<String>,
    unreadable: (PlanError) -> Void = { _ in }
  ) -> CheckReport {
    let stores = paths.map { path in
      var result = CheckReport.Store(path: path)
      do throws(PlanError) {
        let store = try PlanError.reading(path, try PersistentStore(path: path))
        try check(store, in: &result)
      } catch {
        result.reasons = ["\(error)"]
        unreadable(error)
      }
      return result
    }
    let merged = mergedLines.sorted { $0.key < $1.key }.map(\.value)
    return CheckReport(lines: (library.destinationLines + merged).map(described), stores: stores)
  }

  private func described(_ line: VersionLine) -> CheckReport.Line {
    let opening = line.opening(request.version)
    return CheckReport.Line(
      path: line.path,
      versions: line.versions.map { version in
        CheckReport.Version(
          name: version.name,
          path: version.path,
          identifiers: version.identifiers,
          checksum: version.hashes.map(VersionHash.checksum)
        )
      },
      opening: opening.name,
      isOpeningAssumed: request.version == nil && line.current == nil,
      faults: line.faults
    )
  }

  private func check(_ store: PersistentStore, in result: inout CheckReport.Store) throws(PlanError)
  {
    result.isOfSwiftData = store.isOfSwiftData
    result.identifiers = store.metadata.versionIdentifiers
    guard let line = try line(of: store) else {
      result.verdict = .unknown
      result.reasons = ["no version has one of its entities"]
      result.thrown = Thrown.unknownVersion(store)
      return
    }
    result.line = line.path
    let opening = line.opening(request.version)
    result.route = try? route(of: store, to: opening, in: line)
    if let version = line.version(with: store.metadata.versionHashes) {
      result.version = version.name
      try check(version, opening, line, in: &result)
    } else {
      try checkUnknown(store, opening, line, in: &result)
    }
  }

  /// The line with the version of a store, or that of several models merged; otherwise that with most of its entities.
  private func line(of store: PersistentStore) throws(PlanError) -> VersionLine? {
    let hashes = store.metadata.versionHashes
    let lines = library.destinationLines
    if let own = lines.first(where: { $0.version(with: hashes) != nil }) { return own }
    if let found = library.version(of: store), let line = try VersionLine(merging: found) {
      let known = mergedLines[line.path]?.versions.filter {
        $0.hashes != hashes && !$0.isMarkedCurrent
      }
      mergedLines[line.path] = VersionLine(path: line.path, versions: line.versions + (known ?? []))
      return line
    }
    let counts = lines.map { line in
      line.versions.map { $0.hashes?.keys.count { hashes[$0] != nil } ?? 0 }.max() ?? 0
    }
    guard let most = counts.max(), most > 0 else { return nil }
    return zip(lines, counts).first { $0.1 == most }?.0
  }

  private func check(
    _ version: LibraryVersion,
    _ opening: LibraryVersion,
    _ line: VersionLine,
    in result: inout CheckReport.Store
  ) throws(PlanError) {
    let position = line.index(of: version)
    let model = try version.model()
    for (index, other) in line.versions.enumerated() where other.fault == nil {
      result.outcomes.append(try outcome(from: model, to: other, isEarlier: index < position))
    }
    guard version.hashes != opening.hashes else {
      result.verdict = .current
      return
    }
    if result.route?.count == 1, let mapping = result.route?.first?.mapping,
      !mapping.hasSuffix(".json")
    {
      result.verdict = .mapped
      return
    }
    try checkStages(from: version, to: opening, line, in: &result)
  }

  /// Checks the way to the version that opens a store: lightweight stages alone are one inference, and with a custom
  /// stage all are applied in their order (formats/migration.md 9.2).
  private func checkStages(
    from version: LibraryVersion,
    to opening: LibraryVersion,
    _ line: VersionLine,
    in result: inout CheckReport.Store
  ) throws(PlanError) {
    let steps = line.stages(from: version, to: opening, by: stages)
    result.verdict = steps.contains(where: \.isCustom) ? .staged : .light
    for step in steps {
      let found = try outcome(from: try step.source.model(), to: step.destination)
      let names = steps.count == 1 ? "" : "\(step.source.name) → \(step.destination.name): "
      guard found.outcome == .refused || found.outcome == .custom && !step.isCustom else {
        if found.outcome == .light { result.reasons += found.reasons.map { names + $0 } }
        continue
      }
      result.verdict = found.outcome == .refused ? .refused : .custom
      result.reasons = found.reasons.map { names + $0 }
      result.thrown = found.outcome == .refused ? Thrown.notInferred : Thrown.badRows
      return
    }
  }

  /// Checks a store whose version is none of the app's: changed after it shipped, or not kept.
  private func checkUnknown(
    _ store: PersistentStore,
    _ opening: LibraryVersion,
    _ line: VersionLine,
    in result: inout CheckReport.Store
  ) throws(PlanError) {
    let own = Set(store.metadata.versionIdentifiers.filter { !$0.isEmpty })
    let named = line.versions.last { !own.isDisjoint(with: $0.identifiers) }
    result.verdict = named == nil ? .unknown : .changed
    result.thrown = Thrown.unknownVersion(store)
    let kept = try? ModelLocator.cachedModel(of: store)?.model
    if let nearest = named ?? line.nearest(to: store) {
      result.nearest = nearest.name
      result.differences = ModelLocator.differences(store, try nearest.model())
    }
    guard let kept, ModelLocator.fits(kept, store) else { return }
    let found = try outcome(from: kept, to: opening)
    let way =
      switch found.outcome {
      case .light: "without a migration plan it is inferred from the model that the store keeps"
      case .custom: "without a migration plan it is inferred, if the rows allow it"
      default: "without a migration plan inference refuses it"
      }
    result.reasons = [way] + found.reasons
  }

  private func outcome(
    from source: ManagedObjectModel,
    to version: LibraryVersion,
    isEarlier: Bool = false
  ) throws(PlanError) -> CheckReport.VersionOutcome {
    func outcome(
      _ outcome: CheckReport.Outcome,
      _ reasons: [String] = []
    ) -> CheckReport.VersionOutcome {
      CheckReport.VersionOutcome(version: version.name, outcome: outcome, reasons: reasons)
    }
    let destination = try version.model()
    if source.entityVersionHashesByName == version.hashes { return outcome(.same) }
    if isEarlier { return outcome(.earlier) }
    let models = ModelPair(from: source, to: destination)
    let refused = Self.refusals(between: models)
    guard refused.isEmpty else { return outcome(.refused, refused.map(\.description)) }
    let demands = CoreDataDifference.rowDemands(between: models)
    return outcome(demands.isEmpty ? .light : .custom, demands)
  }

  /// What inference refuses, here or in Core Data.
  private static func refusals(between models: ModelPair) -> [InferenceError.Refusal] {
    do throws(InferenceError) {
      _ = try MappingModel.inferred(from: models.source, to: models.destination)
    } catch {
      return error.refusals
    }
    return InferenceError(CoreDataDifference.all(between: models))?.refusals ?? []
  }

  /// The way of bulkmigrate, which takes what Core Data refuses too.
  private func route(
    of store: PersistentStore,
    to opening: LibraryVersion,
    in line: VersionLine
  ) throws(PlanError) -> [RouteStep] {
    if searches[line.path] == nil {
      var request = request
      if !opening.isMerged { request.version = opening.fileName }
      searches[line.path] = try RouteSearch(request, nil)
    }
    guard let route = try searches[line.path]?.route(of: store) else { return [] }
    let isThere = store.metadata.versionHashes == opening.hashes
    return isThere ? [] : route.steps.map(RouteStep.init)
  }
}

/// What Core Data and SwiftData say, word for word.
private enum Thrown {
  static let notInferred =
    "Persistent store migration failed, missing mapping model. (134140)"
  static let badRows = "An error occurred during persistent store migration. (134110)"

  /// With a plan of stages; without one where the store keeps no model, by which it could be inferred.
  static func unknownVersion(_ store: PersistentStore) -> String {
    let hasModel = (try? ModelLocator.cachedModel(of: store)) != nil
    return hasModel || store.isOfSwiftData
      ? "Cannot use staged migration with an unknown model version. (134504)"
      : "Persistent store migration failed, missing source managed object model. (134130)"
  }
}
