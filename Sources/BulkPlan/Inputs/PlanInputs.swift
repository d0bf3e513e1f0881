internal import BulkLowering
internal import BulkVersions
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// Everything that a plan is made from, found and checked.
struct PlanInputs {
  let store: PersistentStore
  /// The steps, at least one; several are done as one.
  let steps: [PlannedStep]
  let destinationPath: String
  private let rebuilds: Bool

  var sourceModel: LocatedModel { steps[0].source }
  /// The models on the way, in their order.
  var through: [LocatedModel] { steps.dropFirst().map(\.source) }
  var destinationModel: LocatedModel { steps[steps.count - 1].destination }

  /// The steps as they are carried out.
  ///
  /// - Throws: ``PlanError/notInferable(_:)`` if a step has no mapping and none can be inferred.
  func migrationSteps() throws(PlanError) -> [MigrationStep] {
    try steps.map { step throws(PlanError) in try step.step() }
  }

  init(_ request: PlanRequest, _ file: MappingFile?) throws(PlanError) {
    let (source, destination) = try Self.stores(of: request, file)
    let request = file?.completing(request) ?? request
    let named = try Self.destinationModel(request, file)
    guard named != nil || request.rebuilds else {
      throw .missingInput(
        "no destination model is named; pass \(request.argumentNames.destinationModel) or a mapping "
          + "file that names one"
      )
    }
    store = try Self.store(source)
    var models = [try Self.sourceModel(of: store, request, file)]
    for path in request.through { models.append(try ModelLocator.model(named: path)) }
    models.append(named ?? models[0])
    rebuilds = request.rebuilds
    destinationPath = FilePath.absolute(destination)
    var files: [MappingFile?] = []
    for path in request.mappingsOnTheWay {
      files.append(try path.map { path throws(PlanError) in try MappingFile.planned(path) })
    }
    // A mapping that was made for another version does not read a store that is there already.
    if models.count == 2,
      rebuilds || !ModelLocator.fits(models[1].model, store) || Self.isAbout(store, file)
    {
      files = [file]
    }
    var steps: [PlannedStep] = []
    for (index, source) in models.dropLast().enumerated() {
      let file = files.indices.contains(index) ? files[index] : nil
      steps.append(try PlannedStep(from: source, to: models[index + 1], file))
    }
    self.steps = steps
    try refuseMissingPolicies(request.knowsPolicy)
    try refuseSameFile()
  }

  /// The paths of the store to read and of the one to make.
  ///
  /// - Throws: ``PlanError/missingInput(_:)`` if neither the request nor the mapping file names them.
  static func stores(
    of request: PlanRequest,
    _ file: MappingFile?
  ) throws(PlanError) -> (source: String, destination: String) {
    guard let source = request.source ?? file?.source.store else {
      throw .missingInput(
        "no source store is named; pass \(request.argumentNames.source) or a mapping file that names one"
      )
    }
    guard let destination = request.destination ?? file?.destination.store else {
      throw .missingInput(
        "no destination store is named; pass \(request.argumentNames.destination) or a mapping file "
          + "that names one"
      )
    }
    return (source, destination)
  }

  /// Opens a store.
  static func store(_ path: String) throws(PlanError) -> PersistentStore {
    do {
      return try PersistentStore(path: FilePath.absolute(path))
    } catch {
      throw .store(error, path: path)
    }
  }

  /// The inputs of steps between versions that are known.
  init(
    _ store: PersistentStore,
    _ steps: [RouteStep],
    destination: String,
    rebuilds: Bool = false,
    knowsPolicy: ((String) -> Bool)?
  ) throws(PlanError) {
    self.store = store
    self.rebuilds = rebuilds
    destinationPath = FilePath.absolute(destination)
    guard let first = steps.first?.source, ModelLocator.fits(first.model, store) else {
      throw .modelDoesNotFit(
        store: store.path,
        model: steps.first?.source.input.path ?? "",
        differences: steps.first.map { ModelLocator.differences(store, $0.source.model) } ?? []
      )
    }
    var planned: [PlannedStep] = []
    for step in steps {
      planned.append(try PlannedStep(from: step.source, to: step.destination, step.file))
    }
    self.steps = planned
    try refuseMissingPolicies(knowsPolicy)
    try refuseSameFile()
  }

  private func refuseSameFile() throws(PlanError) {
    guard destinationPath != store.path else {
      throw .missingInput(
        "source and destination are the same file, \(destinationPath); name another destination"
      )
    }
  }

  private func refuseMissingPolicies(_ isKnown: ((String) -> Bool)?) throws(PlanError) {
    guard let isKnown else { return }
    for step in steps { try step.refuseMissingPolicies(isKnown) }
  }

  /// The model that is named, or else the one that the mapping was made for.
  private static func destinationModel(
    _ request: PlanRequest,
    _ file: MappingFile?
  ) throws(PlanError) -> LocatedModel? {
    if let path = request.destinationModel { return try ModelLocator.model(named: path) }
    guard let file else { return nil }
    return try ModelLocator.model(of: .destination, in: file)
  }

  /// The model that wrote the store; where nothing else fits, the one that the mapping was made for.
  private static func sourceModel(
    of store: PersistentStore,
    _ request: PlanRequest,
    _ file: MappingFile?
  ) throws(PlanError) -> LocatedModel {
    do throws(PlanError) {
      return try ModelLocator.sourceModel(
        of: store,
        named: request.sourceModel,
        besides: request.destinationModel
      )
    } catch {
      guard
        case .noFittingModel = error, request.sourceModel == nil, let file,
        let found = try ModelLocator.model(of: .source, in: file),
        ModelLocator.fits(found.model, store)
      else { throw error }
      return found
    }
  }

  /// Whether a mapping file may be about stores of a version: it names that one, or none.
  private static func isAbout(_ store: PersistentStore, _ file: MappingFile?) -> Bool {
    guard let file, file.hasMapping else { return false }
    let mapping = LibraryMapping(path: file.path)
    if case .unknown = mapping.end(.source) { return true }
    return mapping.entitiesLeftOpen(.source, store.metadata.versionHashes) != nil
  }

  /// Whether the store may stay as it is: it was written by the destination's model already, and nobody
  /// wrote how its objects shall change all the same.
  var isUpToDate: Bool {
    !rebuilds
      && steps.allSatisfy { $0.model == nil && ModelLocator.fits($0.destination.model, store) }
  }

  /// Whether a store is of the destination's version already, whatever a mapping says of it.
  static func isOfVersion(_ request: PlanRequest, _ file: MappingFile?) throws(PlanError) -> Bool {
    let source = try stores(of: request, file).source
    let request = file?.completing(request) ?? request
    guard let model = try destinationModel(request, file) else { return false }
    return ModelLocator.fits(model.model, try store(source))
  }

  /// What the plan says of the source; the whole file is read to tell its state.
  func sourceInput() throws(PlanError) -> MigrationPlan.SourceInput {
    let identity: StoreIdentity
    do {
      identity = try store.identification.run()
    } catch {
      throw .store(error, path: store.path)
    }
    return MigrationPlan.SourceInput(
      store: store.path,
      bytes: store.size,
      identity: identity.text,
      frameworkVersion: store.metadata.frameworkVersion,
      model: sourceModel.input
    )
  }
}
