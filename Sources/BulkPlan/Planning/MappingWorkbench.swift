package import BulkMapping
package import BulkModel
package import BulkStore

/// A mapping file with its two models, without a migration.
package struct MappingWorkbench: Sendable {
  package let file: MappingFile
  package var source: ManagedObjectModel { sourceModel.model }
  package var destination: ManagedObjectModel { destinationModel.model }
  package var models: ModelPair { ModelPair(from: source, to: destination) }
  private let sourceModel: LocatedModel
  private let destinationModel: LocatedModel

  /// Reads a mapping file and finds its models.
  ///
  /// A model is the one named here, or otherwise, in this order, the one that the file names, the one that
  /// wrote the store that the file names, or the copy in Xcode's file.
  ///
  /// `store` is read instead of the one that the file names; the source model is then the one that wrote it.
  package init(
    _ path: String,
    sourceModel: String?,
    destinationModel: String?,
    reading store: PersistentStore? = nil
  ) throws(PlanError) {
    let file = try MappingFile.planned(path)
    self.file = file
    let sides = [
      (MappingFile.Side.source, sourceModel, file.source),
      (.destination, destinationModel, file.destination),
    ]
    var models: [LocatedModel] = []
    for (side, named, endpoint) in sides {
      if side == .source, let store {
        let other = destinationModel ?? file.destination.model
        let name = named ?? endpoint.model
        models.append(try ModelLocator.sourceModel(of: store, named: name, or: other))
        continue
      }
      if let found = try Self.namedModel(side, named, endpoint) {
        models.append(found)
        continue
      }
      guard let copy = try ModelLocator.copy(of: side, in: file) else {
        throw .missingInput(
          "no \(side.rawValue) model is named; pass --\(side.rawValue)-model or a mapping file that "
            + "names one"
        )
      }
      models.append(copy)
    }
    (self.sourceModel, self.destinationModel) = (models[0], models[1])
  }

  private static func namedModel(
    _ side: MappingFile.Side,
    _ named: String?,
    _ endpoint: MappingFile.Endpoint
  ) throws(PlanError) -> LocatedModel? {
    if let named { return try ModelLocator.model(named: named) }
    if side == .source, let path = endpoint.store,
      let found = try model(of: path, named: endpoint.model)
    {
      return found
    }
    guard let named = endpoint.model else { return nil }
    return try ModelLocator.model(named: named)
  }

  /// The model that wrote a store; `nil` if the store does not exist.
  private static func model(
    of path: String,
    named: String?
  ) throws(PlanError) -> LocatedModel? {
    let store: PersistentStore
    do {
      store = try PersistentStore(path: path)
    } catch {
      if error.cause == .cannotOpen { return nil }
      throw .store(error, path: path)
    }
    return try ModelLocator.sourceModel(of: store, named: named, or: nil)
  }

  /// The mapping model of the file, and warnings; a failure lists every fault.
  package func mappingModel() throws(PlanError) -> (model: MappingModel, warnings: [String]) {
    try PlanError.readingMapping(try file.mappingModel(between: models))
  }

  /// The mapping model of the file, with the errors of single properties beside it; a failure lists every other
  /// error.
  package func sketch() throws(PlanError) -> MappingSketch {
    try PlanError.readingMapping(try file.sketch(between: models))
  }

  /// The errors of the file by their locations, then the warnings.
  package func findings(
    knowsPolicy: (String) -> Bool,
    knowsTransformer: (String) -> Bool
  ) -> [Diagnostic] {
    file.findings(
      between: models,
      knowsPolicy: knowsPolicy,
      knowsTransformer: knowsTransformer
    )
  }

  /// The file as JSON that needs no inference, to lie in a folder.
  package func json(in folder: String) throws(PlanError) -> (text: String, warnings: [String]) {
    let (model, warnings) = try mappingModel()
    let text = model.json(
      sourceModel: sourceModel.relativePath(from: folder),
      destinationModel: destinationModel.relativePath(from: folder),
      passes: file.passLists
    )
    return (text, warnings)
  }

  /// The file as a `.cdm` or as the `xcmapping.xml` of a folder; with warnings, and the classes of the policies that it
  /// needs.
  package func xcodeFile(
    isCompiled: Bool,
    in folder: String
  ) throws(PlanError) -> (bytes: [UInt8], warnings: [String], policies: [String]) {
    var (model, warnings) = try PlanError.readingMapping(
      try file.mappingModel(between: models, isForCoreData: true)
    )
    if file.hasExpectations || !file.passLists.isEmpty {
      warnings.append("Core Data has neither passes nor expectations; they are left out")
    }
    let paths = (
      path(of: .source, sourceModel, from: folder),
      path(of: .destination, destinationModel, from: folder)
    )
    let bytes = try PlanError.readingMapping(
      try model.xcodeFile(between: models, at: isCompiled ? nil : paths)
    )
    let policies = Set(model.entityMappings.compactMap(\.entityMigrationPolicyClassName)).sorted()
    return (bytes, warnings, policies)
  }

  private func path(
    of side: MappingFile.Side,
    _ model: LocatedModel,
    from folder: String
  ) -> String {
    model.relativePath(from: folder) ?? file.recordedPath(of: side)
      ?? model.versionName + ".xcdatamodel"
  }

  package struct Starter: Sendable {
    package let text: String
    package let refusals: [InferenceError.Refusal]
    /// The merges, splits and new names that the models suggest.
    package let proposals: [MappingProposal]
    /// The text of a file in which they are carried out; `nil` without any.
    package let proposed: String?
  }

  package static func starter(
    from source: String,
    to destination: String,
    in folder: String
  ) throws(PlanError) -> Starter {
    let from = try ModelLocator.model(named: source)
    let to = try ModelLocator.model(named: destination)
    let starter = MappingStarter(between: ModelPair(from: from.model, to: to.model))
    let paths = (from.relativePath(from: folder), to.relativePath(from: folder))
    return Starter(
      text: starter.json(sourceModel: paths.0, destinationModel: paths.1),
      refusals: starter.refusals,
      proposals: starter.proposals,
      proposed: starter.proposals.isEmpty
        ? nil : starter.proposedJSON(sourceModel: paths.0, destinationModel: paths.1)
    )
  }
}

extension LocatedModel {
  /// The model's path from a folder; `nil` for a copy in a mapping of Xcode.
  fileprivate func relativePath(from folder: String) -> String? {
    ModelLocator.isMapping(input.path) ? nil : FilePath.relative(from: folder, to: input.path)
  }
}
