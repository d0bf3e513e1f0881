internal import BulkMapping
internal import BulkModel
internal import BulkStore
internal import Foundation

/// Everything that a plan is made from, found and checked.
struct PlanInputs {
  let store: PersistentStore
  let sourceModel: LocatedModel
  /// The models on the way, in their order.
  let through: [LocatedModel]
  let destinationModel: LocatedModel
  let destinationPath: String
  let mappingPath: String?
  /// What is inferred of what a mapping does not mention.
  let infer: MappingFile.Inference
  private let mappingInput: MappingInput
  private let rebuilds: Bool

  /// How the models map; `nil` where everything is inferred.
  var mapping: MappingModel? { mappingInput.model }
  /// A digest of ``mapping``, in hexadecimal.
  var mappingDigest: String? { mappingInput.digest }
  /// What deserves a look in the mapping, a sentence each.
  var mappingWarnings: [String] { mappingInput.warnings }

  /// The steps, from the source model over those on the way.
  var hops: [MigrationHop] {
    MigrationHop.hops([sourceModel] + through + [destinationModel], mapping: mapping)
  }

  init(_ request: PlanRequest, _ file: MappingFile?) throws(PlanError) {
    let (source, destination) = try Self.stores(of: request, file)
    let request = file?.completing(request) ?? request
    let named = try Self.destinationModel(request, file)
    guard named != nil || request.rebuilds else {
      throw .missingInput(
        "no destination model is named; pass --destination-model or a mapping file that names one"
      )
    }
    store = try Self.store(source)
    sourceModel = try Self.sourceModel(of: store, request, file)
    var through: [LocatedModel] = []
    for path in request.through { through.append(try ModelLocator.model(named: path)) }
    self.through = through
    destinationModel = named ?? sourceModel
    rebuilds = request.rebuilds
    destinationPath = Self.absolute(destination)
    mappingPath = request.mapping.map(Self.absolute)
    infer = file?.infer ?? .unmentioned
    // A store that is there already is not what the mapping reads.
    let isUpToDate =
      !rebuilds && through.isEmpty && ModelLocator.fits(destinationModel.model, store)
    mappingInput = try MappingInput(
      isUpToDate ? nil : file,
      from: sourceModel.model,
      to: destinationModel.model
    )
    if let knowsPolicy = request.knowsPolicy { try refuseMissingPolicies(knowsPolicy) }
    try refuseSameFile()
  }

  /// The paths of the store to read and of the one to make.
  ///
  /// - Throws: ``PlanError/missingInput(_:)`` if neither an option nor the mapping file names them.
  static func stores(
    of request: PlanRequest,
    _ file: MappingFile?
  ) throws(PlanError) -> (source: String, destination: String) {
    guard let source = request.source ?? file?.source.store else {
      throw .missingInput(
        "no source store is named; pass --source or a mapping file that names one"
      )
    }
    guard let destination = request.destination ?? file?.destination.store else {
      throw .missingInput(
        "no destination store is named; pass --destination or a mapping file that names one"
      )
    }
    return (source, destination)
  }

  /// Opens a store.
  static func store(_ path: String) throws(PlanError) -> PersistentStore {
    do {
      return try PersistentStore(path: absolute(path))
    } catch {
      throw .store(error, path: path)
    }
  }

  /// The inputs of a step between two versions that are known, by a mapping file or inferred, or of
  /// several inferred ones.
  init(
    _ store: PersistentStore,
    from sourceModel: LocatedModel,
    through: [LocatedModel] = [],
    to destinationModel: LocatedModel,
    mapping file: MappingFile?,
    destination: String,
    rebuilds: Bool = false,
    knowsPolicy: ((String) -> Bool)?
  ) throws(PlanError) {
    self.store = store
    self.sourceModel = sourceModel
    self.through = through
    self.destinationModel = destinationModel
    self.rebuilds = rebuilds
    destinationPath = Self.absolute(destination)
    mappingPath = (file?.path).map(Self.absolute)
    infer = file?.infer ?? .unmentioned
    guard ModelLocator.fits(sourceModel.model, store) else {
      throw .modelDoesNotFit(
        store: store.path,
        model: sourceModel.input.path,
        differences: ModelLocator.differences(store, sourceModel.model)
      )
    }
    mappingInput = try MappingInput(file, from: sourceModel.model, to: destinationModel.model)
    if let knowsPolicy { try refuseMissingPolicies(knowsPolicy) }
    try refuseSameFile()
  }

  private func refuseSameFile() throws(PlanError) {
    guard destinationPath != store.path else {
      throw .missingInput(
        "source and destination are the same file, \(destinationPath); name another destination"
      )
    }
  }

  private func refuseMissingPolicies(_ isKnown: (String) -> Bool) throws(PlanError) {
    let missing = mapping?.missingPolicies(isKnown) ?? []
    guard missing.isEmpty else { throw .missingPolicies(missing) }
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

  /// Whether the store was written by the destination's model already, and may stay as it is.
  var isUpToDate: Bool {
    !rebuilds && through.isEmpty && ModelLocator.fits(destinationModel.model, store)
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

  /// What the plan says of the mapping; where that asks for the time, it is told it.
  func mappingInput(now: Double) -> MigrationPlan.MappingInput {
    MigrationPlan.MappingInput(
      path: mappingPath,
      infer: infer.rawValue,
      digest: mappingDigest,
      now: mapping.flatMap { $0.asksForNow ? now : nil }
    )
  }

  /// A path from the root, without `.` and `..`.
  static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}

extension MappingModel {
  /// Whether an expression asks for the time, which must then be the same in every run of the plan.
  var asksForNow: Bool { json.contains("now()") }

  /// The policies that the mapping names and the program does not have, a sentence each.
  func missingPolicies(_ isKnown: (String) -> Bool) -> [String] {
    entityMappings.compactMap { mapping in
      guard let name = mapping.entityMigrationPolicyClassName, !isKnown(name) else { return nil }
      return "entity mapping \(mapping.name) needs policy \(name), which this program does not have"
    }
  }
}
