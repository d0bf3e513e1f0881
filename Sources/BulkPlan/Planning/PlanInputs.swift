internal import BulkMapping
internal import BulkModel
internal import BulkStore
internal import Foundation

/// Everything that a plan is made from, found and checked.
struct PlanInputs {
  let store: PersistentStore
  let sourceModel: LocatedModel
  let destinationModel: LocatedModel
  let destinationPath: String
  let mappingPath: String?
  /// The mapping model that somebody wrote, if there is one.
  let mapping: MappingModel? = nil
  private let rebuilds: Bool

  init(_ request: PlanRequest) throws(PlanError) {
    let request = try Self.completed(request)
    guard let source = request.source else {
      throw .missingInput(
        "no source store is named; pass --source or a mapping file that names one"
      )
    }
    guard let destination = request.destination else {
      throw .missingInput(
        "no destination store is named; pass --destination or a mapping file that names one"
      )
    }
    guard request.destinationModel != nil || request.rebuilds else {
      throw .missingInput(
        "no destination model is named; pass --destination-model or a mapping file that names one"
      )
    }
    do {
      store = try PersistentStore(path: Self.absolute(source))
    } catch {
      throw .store(error, path: source)
    }
    let named = try request.destinationModel.map { path throws(PlanError) in
      try ModelLocator.model(named: path)
    }
    sourceModel = try ModelLocator.sourceModel(
      of: store,
      named: request.sourceModel,
      besides: request.destinationModel
    )
    destinationModel = named ?? sourceModel
    rebuilds = request.rebuilds
    destinationPath = Self.absolute(destination)
    mappingPath = request.mapping.map(Self.absolute)
    guard destinationPath != store.path else {
      throw .missingInput(
        "source and destination are the same file, \(destinationPath); name another destination"
      )
    }
  }

  /// Whether the store was written by the destination's model already, and may stay as it is.
  var isUpToDate: Bool { !rebuilds && ModelLocator.fits(destinationModel.model, store) }

  /// What the plan says of the source; the whole file is read to tell its state.
  func sourceInput() throws(PlanError) -> MigrationPlan.SourceInput {
    let identity: StoreIdentity
    do {
      identity = try store.identity()
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

  private static func completed(_ request: PlanRequest) throws(PlanError) -> PlanRequest {
    guard let path = request.mapping else { return request }
    let file = try MappingFile.read(path)
    guard file.infer != "none" else {
      throw .badMapping(
        path: path,
        reasons: ["\(path): infer is none and it has no entity mappings, so nothing is mapped"]
      )
    }
    return file.completing(request, path: path)
  }

  private static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
