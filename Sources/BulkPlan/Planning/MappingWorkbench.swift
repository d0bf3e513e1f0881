public import BulkMapping
public import BulkModel
internal import BulkStore

/// A mapping file with the two models that it is about, without any migration.
public struct MappingWorkbench: Sendable {
  /// The file.
  public let file: MappingFile
  /// The source model.
  public var source: ManagedObjectModel { sourceModel.model }
  /// The destination model.
  public var destination: ManagedObjectModel { destinationModel.model }
  private let sourceModel: LocatedModel
  private let destinationModel: LocatedModel

  /// Reads a mapping file and finds its models.
  ///
  /// A model is the one that is named here, or else the one that the file names, that wrote the store
  /// that the file names, that lies where Xcode recorded it, or of which Xcode's file holds a copy.
  ///
  /// - Throws: ``PlanError`` if the file or a model cannot be read, or if a model is not to be found.
  public init(
    _ path: String,
    sourceModel: String?,
    destinationModel: String?
  ) throws(PlanError) {
    let file = try MappingFile.planned(path)
    self.file = file
    self.sourceModel = try Self.model(.source, sourceModel, file.source, file)
    self.destinationModel = try Self.model(.destination, destinationModel, file.destination, file)
  }

  private static func model(
    _ side: MappingFile.Side,
    _ named: String?,
    _ place: MappingFile.Place,
    _ file: MappingFile
  ) throws(PlanError) -> LocatedModel {
    if let named { return try ModelLocator.model(named: named) }
    if side == .source, let path = place.store, let found = try model(of: path, named: place.model)
    {
      return found
    }
    if let named = place.model { return try ModelLocator.model(named: named) }
    if let found = try ModelLocator.model(of: side, in: file) { return found }
    throw .missingInput(
      "no \(side.rawValue) model is named; pass --\(side.rawValue)-model or a mapping file that "
        + "names one"
    )
  }

  /// The model that wrote a store; `nil` where the store is not there yet.
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
    return try ModelLocator.sourceModel(of: store, named: named, besides: nil)
  }

  /// The mapping model that the file means, and what deserves a look.
  ///
  /// - Throws: ``PlanError/mapping(_:)`` with every fault.
  public func mappingModel() throws(PlanError) -> (model: MappingModel, warnings: [String]) {
    do throws(MappingError) {
      return try file.mappingModel(from: source, to: destination)
    } catch {
      throw .mapping(error)
    }
  }

  /// Everything that is wrong with the file, and everything about it that deserves a look.
  ///
  /// - Parameter knowsPolicy: Whether there is a policy of a class name.
  /// - Returns: The errors by their places, then the warnings.
  /// - Throws: ``PlanError/mapping(_:)`` if something cannot be read.
  public func findings(knowsPolicy: (String) -> Bool) throws(PlanError) -> [MappingFinding] {
    do throws(MappingError) {
      return try file.findings(from: source, to: destination, knowsPolicy: knowsPolicy)
    } catch {
      throw .mapping(error)
    }
  }

  /// The file as JSON that leaves nothing to be inferred.
  ///
  /// - Parameter folder: The folder in which it will lie.
  /// - Returns: The text, and what deserves a look.
  /// - Throws: ``PlanError/mapping(_:)`` with every fault.
  public func json(in folder: String) throws(PlanError) -> (text: String, warnings: [String]) {
    let (model, warnings) = try mappingModel()
    let text = model.json(
      sourceModel: sourceModel.relativePath(from: folder),
      destinationModel: destinationModel.relativePath(from: folder)
    )
    return (text, warnings)
  }

  /// The beginning of a mapping file between two models.
  ///
  /// - Parameters:
  ///   - source: The path of the source model.
  ///   - destination: The path of the destination model.
  ///   - folder: The folder in which it will lie.
  /// - Returns: The text, and what cannot be inferred.
  /// - Throws: ``PlanError`` if a model cannot be read.
  public static func starter(
    from source: String,
    to destination: String,
    in folder: String
  ) throws(PlanError) -> (text: String, refusals: [InferenceError.Refusal]) {
    let from = try ModelLocator.model(named: source)
    let to = try ModelLocator.model(named: destination)
    let starter = MappingStarter(from: from.model, to: to.model)
    let text = starter.json(
      sourceModel: from.relativePath(from: folder),
      destinationModel: to.relativePath(from: folder)
    )
    return (text, starter.refusals)
  }
}

extension LocatedModel {
  /// The model's path from a folder; `nil` for a copy in a mapping of Xcode.
  fileprivate func relativePath(from folder: String) -> String? {
    ModelLocator.isMapping(input.path) ? nil : RelativePath.text(from: folder, to: input.path)
  }
}
