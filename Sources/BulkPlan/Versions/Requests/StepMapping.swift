package import BulkMapping
internal import BulkModel
internal import BulkSupport
internal import BulkStore

/// The mapping of a migration, from a file and between two models.
package struct StepMapping: Sendable {
  /// The mapping model; `nil` where everything is inferred.
  package let model: MappingModel?
  /// Warnings, a sentence each.
  package let warnings: [String]
  /// The passes that the file requests, in order; empty where the plan alone decides.
  package let passes: [PassRequest]

  /// A digest of the mapping model and of its passes, in hexadecimal.
  package var digest: String? {
    guard let model else { return passes.isEmpty ? nil : Digest.text(of: Array(passesText.utf8)) }
    return Digest.text(of: Array((model.json + (passes.isEmpty ? "" : passesText)).utf8))
  }

  /// Whether the metadata of a store say that it was applied to it since it has its version.
  func wasApplied(to store: PersistentStore) -> Bool {
    model.map { store.metadata.appliedMappings.contains($0.digest) } ?? false
  }

  private var passesText: String {
    passes.map { ([$0.name] + $0.entityMappings.sorted()).joined(separator: "\n") }
      .joined(separator: "\n\n")
  }

  /// The mapping of a file; everything is inferred without one.
  ///
  /// A file maps whole models; between configurations of them only the mappings of their entities remain.
  package init(
    _ file: MappingFile?,
    from source: LocatedModel,
    to destination: LocatedModel
  ) throws(PlanError) {
    guard let file else {
      (model, warnings, passes) = (nil, [], [])
      return
    }
    let wholes = ModelPair(from: source.whole, to: destination.whole)
    let models = ModelPair(from: source.model, to: destination.model)
    do throws(MappingError) {
      try file.refuseFaults()
      guard file.hasMapping else {
        (model, warnings) = (nil, [])
        _ = try file.expectations(between: wholes)
        passes = try file.passesOfInferredMapping(between: models)
        return
      }
      var found = try file.executableResolution(between: wholes)
      found.restrict(between: models)
      model = found.model
      (warnings, passes) = (found.warnings, found.passes)
    } catch {
      throw .mapping(error)
    }
  }
}

extension MappingFile {
  package static func planned(_ path: String) throws(PlanError) -> MappingFile {
    try planned([path])
  }

  /// Reads the mapping files for a plan that together are one mapping; a failure has the faults of all of them.
  package static func planned(_ paths: [String]) throws(PlanError) -> MappingFile {
    try PlanError.readingMapping(try MappingFile.read(paths))
  }

  /// The mapping that several files are together; a failure if they are not about one pair of versions.
  package static func planned(joining files: [MappingFile]) throws(PlanError) -> MappingFile {
    try PlanError.readingMapping(try MappingFile.joining(files))
  }

  func completing(_ request: PlanRequest) -> PlanRequest {
    var result = request
    result.source = request.source ?? source.store
    result.destination = request.destination ?? destination.store
    result.sourceModel = request.sourceModel ?? source.model
    result.destinationModel = request.destinationModel ?? destination.model
    return result
  }
}

/// A step of a route: from one version to another, by a mapping file or inferred.
package struct StepFiles {
  package let source: LocatedModel
  package let destination: LocatedModel
  /// The mapping file; `nil` where everything is inferred.
  package private(set) var file: MappingFile?
  /// Warnings, a sentence each.
  package let warnings: [String]
  /// Whether the program has a transformer; `nil` if that is checked when the plan runs.
  package private(set) var knowsTransformer: (@Sendable (String) -> Bool)?
  /// Whether the history before the last change of a removed entity stays.
  package var keepsPartialHistory = false
  /// Whether the store gets an identifier of its own; only the last step of a route has it.
  package var takesNewIdentifier = false

  package init(
    source: LocatedModel,
    destination: LocatedModel,
    file: MappingFile?,
    warnings: [String] = []
  ) {
    self.source = source
    self.destination = destination
    self.file = file
    self.warnings = warnings
  }

  /// Whether the whole step is inferred; a file may still say in which passes.
  package var isInferred: Bool { file?.hasMapping != true }

  /// Whether the metadata of a store of its version say that its mapping was applied to the store.
  func wasApplied(to store: PersistentStore) throws(PlanError) -> Bool {
    guard !store.metadata.appliedMappings.isEmpty else { return false }
    return try StepMapping(file, from: source, to: destination).wasApplied(to: store)
  }

  static func wasApplied(_ path: String) -> String {
    "\(path) was applied to the store before; its metadata say so"
  }

  /// The same step as a request asks for it, with the transformers of its program.
  fileprivate func following(_ request: PlanRequest) -> StepFiles {
    var result = self
    result.knowsTransformer = request.knowsTransformer
    if request.allowed.contains(.firstOfSeveral) { result.file = file?.takingFirst }
    result.keepsPartialHistory = request.allowed.contains(.partialHistory)
    return result
  }

  /// The same step, if a mapping describes it; the rest is not inferred.
  package func withoutInference(_ names: ArgumentNames) throws(PlanError) -> StepFiles {
    guard let file, file.hasMapping else {
      let isSame =
        source.model.entityVersionHashesByName == destination.model.entityVersionHashesByName
      guard !isSame else { return self }
      throw .noRoute([
        "no mapping leads from \(source.input.path) to \(destination.input.path), and with "
          + "\(names.withoutInference) nothing is inferred; name one with \(names.mapping)"
      ])
    }
    var result = self
    result.file = file.withoutInference
    return result
  }
}

extension [StepFiles] {
  package func following(_ request: PlanRequest) -> [StepFiles] {
    map { $0.following(request) }.renewing(request.takesNewIdentifier)
  }

  func renewing(_ takesNewIdentifier: Bool) -> [StepFiles] {
    var result = self
    if !isEmpty { result[count - 1].takesNewIdentifier = takesNewIdentifier }
    return result
  }
}

extension PlanRequest {
  /// The one step between the models that a request names, or its mapping file.
  func namedStep(
    of store: PersistentStore,
    _ file: MappingFile?
  ) throws(PlanError) -> StepFiles {
    let named = try namedDestination(file)
    guard named != nil || rebuilds else {
      throw .missingInput(
        "no destination model is named; pass \(argumentNames.destinationModel) or a mapping "
          + "file that names one"
      )
    }
    let source = try namedSource(of: store, named, file)
    let destination = named ?? source
    // A mapping for another version does not apply to a store that has the requested version already.
    let applies =
      rebuilds || !ModelLocator.fits(destination.model, store) || Self.isAbout(store, file)
    let step = StepFiles(source: source, destination: destination, file: applies ? file : nil)
    return infers ? step : try step.withoutInference(argumentNames)
  }

  func namedDestination(_ file: MappingFile?) throws(PlanError) -> LocatedModel? {
    if let destinationModel {
      return try ModelLocator.model(named: destinationModel).restricted(to: configuration)
    }
    return try file.flatMap { file throws(PlanError) in
      try ModelLocator.copy(of: .destination, in: file)?.restricted(to: configuration)
    }
  }

  /// The model that wrote the store; if no other fits, the copy in the mapping, or the named destination where nothing
  /// would be done with the objects.
  private func namedSource(
    of store: PersistentStore,
    _ destination: LocatedModel?,
    _ file: MappingFile?
  ) throws(PlanError) -> LocatedModel {
    do throws(PlanError) {
      return try ModelLocator.sourceModel(
        of: store,
        named: sourceModel,
        or: destinationModel,
        configuration: configuration
      )
    } catch {
      guard case .noFittingModel = error, sourceModel == nil else { throw error }
      let copy = try file.flatMap { file throws(PlanError) in
        try ModelLocator.copy(of: .source, in: file)?.restricted(to: configuration)
      }
      let isUnchanged = destinationModel != nil && !rebuilds && !Self.isAbout(store, file)
      let fitting = [copy, isUnchanged ? destination : nil].compactMap(\.self)
        .first { ModelLocator.fits($0.model, store) }
      guard let fitting else { throw error }
      return fitting
    }
  }

  /// Whether a mapping file may apply to stores of a version: it names that one, or none.
  private static func isAbout(_ store: PersistentStore, _ file: MappingFile?) -> Bool {
    guard let file, file.hasMapping else { return false }
    if case .unknown = LibraryMapping(file).end(.source) { return true }
    return names(store, file)
  }

  /// Whether a mapping file is for stores of a version, by the source that it names.
  static func names(_ store: PersistentStore, _ file: MappingFile?) -> Bool {
    guard let file, file.hasMapping else { return false }
    let mapping = LibraryMapping(file)
    return mapping.unmappedEntityCount(.source, store.metadata.versionHashes) != nil
  }
}
