internal import BulkLowering
package import BulkVersions
internal import BulkMapping
package import BulkStore

struct PlanInputs {
  private(set) var store: PersistentStore
  /// The steps, at least one; several are done as one leg.
  let steps: [StepInput]
  let destinationPath: String
  private let rebuilds: Bool

  var sourceModel: LocatedModel { steps[0].source }
  var destinationModel: LocatedModel { steps[steps.count - 1].destination }

  let shared: SharedSteps

  func work(evaluates: Bool = false) throws(PlanError) -> MigrationWork {
    try shared.work(steps.count, on: store, evaluates: evaluates)
  }

  /// A counter of the losses that the plan of some work will list; `nil` if that cannot be known
  /// before the store is read.
  func counter(for work: MigrationWork) -> SourcePartCounter? {
    guard let losses = try? shared.losses(steps.count) else { return nil }
    let counter = SourcePartCounter(store, work.layout.schema)
    Ledger.announce(losses, work, to: counter)
    return counter
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
    store = try PersistentStore.planned(at: source, copy: request.sourceCopy)
    var models = [try Self.sourceModel(of: store, request, file)]
    for path in request.through {
      models.append(try ModelLocator.model(named: path).restricted(to: request.configuration))
    }
    models.append(named ?? models[0])
    rebuilds = request.rebuilds
    destinationPath = FilePath.absolute(destination)
    var files: [MappingFile?] = []
    for path in request.mappingsAlongRoute {
      files.append(try path.map { path throws(PlanError) in try MappingFile.planned(path) })
    }
    // A mapping for another version does not apply to a store that has the requested version already.
    if models.count == 2,
      rebuilds || !ModelLocator.fits(models[1].model, store) || Self.isAbout(store, file)
    {
      files = [file]
    }
    var steps: [StepFiles] = []
    for (index, source) in models.dropLast().enumerated() {
      let file = files.indices.contains(index) ? files[index] : nil
      let step = StepFiles(source: source, destination: models[index + 1], file: file)
        .following(request)
      steps.append(request.infers ? step : try step.withoutInference(request.argumentNames))
    }
    shared = SharedSteps(steps)
    self.steps = try shared.inputs(steps.count)
    try shared.refuseMissingPolicies(request.knowsPolicy)
    if !isUpToDate {
      try shared.refuseReplacement(unless: request.allowed)
      if request.isLikeCoreData { try shared.refuseDifferences() }
    }
    try refuseSameFile()
  }

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

  /// The inputs of the first steps between known versions; of all of them where no count is given.
  init(
    _ store: PersistentStore,
    _ shared: SharedSteps,
    first count: Int? = nil,
    destination: String,
    rebuilds: Bool = false,
    knowsPolicy: ((String) -> Bool)?
  ) throws(PlanError) {
    self.store = store
    self.rebuilds = rebuilds
    self.shared = shared
    destinationPath = FilePath.absolute(destination)
    let steps = shared.files
    guard shared.begins(with: store) else {
      throw .modelDoesNotFit(
        store: store.path,
        model: steps.first?.source.input.path ?? "",
        differences: steps.first.map { ModelLocator.differences(store, $0.source.model) } ?? []
      )
    }
    self.steps = try shared.inputs(count ?? steps.count)
    try shared.refuseMissingPolicies(knowsPolicy, first: self.steps.count)
    try refuseSameFile()
  }

  func leavingOut(_ strays: [StrayRows]) throws(PlanError) -> PlanInputs {
    var result = self
    let copy = try MigrationPlan.copy(of: store.path, without: strays)
    result.store = try PersistentStore.planned(at: store.path, copy: copy)
    return result
  }

  private func refuseSameFile() throws(PlanError) {
    guard destinationPath != store.path else {
      throw .missingInput(
        "source and destination are the same file, \(destinationPath); name another destination"
      )
    }
  }

  private static func destinationModel(
    _ request: PlanRequest,
    _ file: MappingFile?
  ) throws(PlanError) -> LocatedModel? {
    if let path = request.destinationModel {
      return try ModelLocator.model(named: path).restricted(to: request.configuration)
    }
    guard let file else { return nil }
    return try ModelLocator.copy(of: .destination, in: file)?
      .restricted(to: request.configuration)
  }

  /// The model that wrote the store; if no other fits, the copy in the mapping.
  private static func sourceModel(
    of store: PersistentStore,
    _ request: PlanRequest,
    _ file: MappingFile?
  ) throws(PlanError) -> LocatedModel {
    do throws(PlanError) {
      return try ModelLocator.sourceModel(
        of: store,
        named: request.sourceModel,
        besides: request.destinationModel,
        configuration: request.configuration
      )
    } catch {
      guard
        case .noFittingModel = error, request.sourceModel == nil, let file,
        let found = try ModelLocator.copy(of: .source, in: file)?
          .restricted(to: request.configuration),
        ModelLocator.fits(found.model, store)
      else { throw error }
      return found
    }
  }

  /// Whether a mapping file may apply to stores of a version: it names that one, or none.
  private static func isAbout(_ store: PersistentStore, _ file: MappingFile?) -> Bool {
    guard let file, file.hasMapping else { return false }
    let mapping = LibraryMapping(file)
    if case .unknown = mapping.end(.source) { return true }
    return mapping.unmappedEntityCount(.source, store.metadata.versionHashes) != nil
  }

  /// Whether the store can stay as it is: it has the destination's version already, and no custom mapping
  /// changes its objects.
  var isUpToDate: Bool {
    !rebuilds && shared.haveOnly(store, first: steps.count)
      && steps.allSatisfy { $0.mapping.model == nil }
  }

  /// Whether a store has the destination's version already, regardless of mappings.
  static func isOfVersion(_ request: PlanRequest, _ file: MappingFile?) throws(PlanError) -> Bool {
    let source = try stores(of: request, file).source
    let request = file?.completing(request) ?? request
    guard let model = try destinationModel(request, file) else { return false }
    return ModelLocator.fits(model.model, try PersistentStore.planned(at: source))
  }

  /// The source as the plan records it; the whole file is read for the digest of its state, and its trees
  /// are walked while the rows are counted.
  func sourceInput(
    counting counter: SourcePartCounter?,
    _ report: (PlanningProgress) -> Void
  ) throws(PlanError) -> MigrationPlan.SourceInput {
    let (identity, reading) = try PlanError.reading(
      store.path,
      try identified(counting: counter, report)
    )
    return source(identity, reading)
  }

  var unreadSource: MigrationPlan.SourceInput { source(.unread, nil) }

  private func source(
    _ identity: StoreIdentity,
    _ reading: StoreReading?
  ) -> MigrationPlan.SourceInput {
    MigrationPlan.SourceInput(
      store: store.path,
      bytes: store.size,
      identity: identity.text,
      reading: reading,
      salvage: store.metadata.salvage,
      frameworkVersion: store.metadata.frameworkVersion,
      model: sourceModel.input
    )
  }

  private func identified(
    counting counter: SourcePartCounter?,
    _ report: (PlanningProgress) -> Void
  ) throws(StoreError) -> (StoreIdentity, StoreReading?) {
    let store = store
    let result = withoutActuallyEscaping(report) { report in
      Result { () throws(StoreError) in
        try store.identification.runOnce { willRead throws(StoreError) in
          var progress = PlanningProgress(.reading)
          progress.bytesTotal = store.size
          report(progress)
          counter?.begin()
          try store.refuseSharedPages(
            willRead: { offset in
              willRead(offset)
              // Pages come nearly in the order of the file.
              guard offset >= progress.bytesDone + Self.bytesBetweenReports else { return }
              progress.bytesDone = offset
              report(progress)
            },
            didRead: { table, key in counter?.advance(table, through: key) }
          )
          counter?.finish()
        }
      }
    }
    return try result.get()
  }

  private static let bytesBetweenReports: Int64 = 1 << 20
}

extension PersistentStore {
  package static func planned(
    at path: String,
    copy: SourceCopy? = nil
  ) throws(PlanError) -> PersistentStore {
    try PlanError.reading(
      path,
      try PersistentStore(path: FilePath.absolute(path), copy: copy)
    )
  }
}
