package import BulkMapping
package import BulkModel
package import BulkStore
internal import BulkSupport

/// A model and where it was found.
package struct LocatedModel: Sendable {
  package let model: ManagedObjectModel
  /// The model with the entities of all configurations; ``model`` where none restricts it.
  package let whole: ManagedObjectModel
  package internal(set) var input: ModelInput

  package init(_ model: ManagedObjectModel, path: String, isInStore: Bool) {
    (self.model, whole) = (model, model)
    input = ModelInput(
      path: URL(fileURLWithPath: path).standardizedFileURL.path,
      isInStore: isInStore,
      digest: Digest.text(of: model)
    )
  }

  /// A model read from a file; it may be a configuration of a whole one.
  package init(
    _ model: ManagedObjectModel,
    at input: ModelInput,
    partOf whole: ManagedObjectModel? = nil
  ) {
    (self.model, self.whole) = (model, whole ?? model)
    self.input = input
    self.input.digest = Digest.text(of: model)
  }

  /// Rereads a model where a plan found it; `side` is the copy to read from a mapping of Xcode.
  package init(
    _ input: ModelInput,
    as side: MappingFile.Side
  ) throws(PlanError) {
    var found: LocatedModel
    if input.isInStore {
      found = try ModelLocator.inStore(input.path)
    } else if ModelLocator.isMapping(input.path) {
      let file = try MappingFile.planned(input.path)
      let side = input.copy.flatMap(MappingFile.Side.init) ?? side
      found = try ModelLocator.copy(of: side, in: file, path: input.path)
    } else {
      found = try ModelLocator.inFile(input.path)
    }
    found.input.copy = input.copy
    if let others = input.mergedWith { found = try found.merged(with: others) }
    if let name = input.configuration { found = try found.restricted(to: name) }
    self = found
  }
}

package enum ModelLocator {
  /// The model that a path names: a model, the current version of a version package, or the model that a
  /// store keeps.
  package static func model(named path: String) throws(PlanError) -> LocatedModel {
    if isDatabase(path) { return try inStore(path) }
    guard let package = try modelPackage(path) else { return try inFile(path) }
    return try inFile(PlanError.readingModel(try package.currentVersion()).path)
  }

  /// The model that wrote a store: the named one, or the version of a named package that fits the store's
  /// hashes, or the one that the store keeps, or a version beside the destination's model.
  ///
  /// The part of each model in a requested configuration is tried first.
  package static func sourceModel(
    of store: PersistentStore,
    named path: String?,
    or destinationModel: String?,
    configuration: String? = nil
  ) throws(PlanError) -> LocatedModel {
    var searched: [LocatedModel] = []
    if let path {
      if let package = try modelPackage(path) {
        searched = try versions(of: package)
        for version in searched {
          if let found = fitting(version, configuration, store) { return found }
        }
        throw noFittingModel(store, searched)
      }
      let named = try model(named: path)
      guard let found = fitting(named, configuration, store) else {
        throw .modelDoesNotFit(
          store: store.path,
          model: path,
          differences: differences(store, named.model)
        )
      }
      return found
    }
    // A model that the store keeps is a copy; if it cannot be read, another one may fit.
    var unreadable: String?
    do throws(PlanError) {
      if let cached = try cachedModel(of: store) {
        if let found = fitting(cached, configuration, store) { return found }
        searched.append(cached)
      }
    } catch {
      unreadable = "\(error)"
    }
    if let destinationModel, let package = try siblings(of: destinationModel) {
      let found = try versions(of: package)
      for version in found {
        if let fitting = fitting(version, configuration, store) { return fitting }
      }
      searched += found
    }
    throw noFittingModel(store, searched, unreadable: unreadable)
  }

  /// The part of a model in a configuration, or the model itself, if it wrote a store.
  private static func fitting(
    _ located: LocatedModel,
    _ configuration: String?,
    _ store: PersistentStore
  ) -> LocatedModel? {
    if let configuration, let part = try? located.restricted(to: configuration),
      fits(part.model, store)
    {
      return part
    }
    return fits(located.model, store) ? located : nil
  }

  package static func fits(_ model: ManagedObjectModel, _ store: PersistentStore) -> Bool {
    model.entityVersionHashesByName == store.metadata.versionHashes
  }

  package static func inFile(_ path: String) throws(PlanError) -> LocatedModel {
    let model = try PlanError.readingModel(try ManagedObjectModel(contentsOf: path))
    return LocatedModel(model, path: path, isInStore: false)
  }

  static func inStore(_ path: String) throws(PlanError) -> LocatedModel {
    let store = try PlanError.reading(path, try PersistentStore(path: path))
    guard let cached = try cachedModel(of: store) else {
      throw .badModel(
        .notAModel(path: path, reason: "the store keeps no model of itself; name a model file")
      )
    }
    return cached
  }

  package static func cachedModel(of store: PersistentStore) throws(PlanError) -> LocatedModel? {
    try PlanError.reading(store.path, try store.cachedModel()).map {
      LocatedModel($0, path: store.path, isInStore: true)
    }
  }

  static func modelPackage(_ path: String) throws(PlanError) -> ModelPackage? {
    let suffix = URL(fileURLWithPath: path).pathExtension
    guard suffix == "xcdatamodeld" || suffix == "momd" else { return nil }
    return try PlanError.readingModel(try ModelPackage(contentsOf: path))
  }

  /// All versions of a package, or the single model that a path names.
  static func allVersions(_ path: String) throws(PlanError) -> [LocatedModel] {
    if let package = try modelPackage(path) { return try versions(of: package) }
    return [try model(named: path)]
  }

  private static func siblings(of path: String) throws(PlanError) -> ModelPackage? {
    if let package = try modelPackage(path) { return package }
    return try modelPackage(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  private static func versions(of package: ModelPackage) throws(PlanError) -> [LocatedModel] {
    try package.versions.map { version throws(PlanError) in try inFile(version.path) }
  }

  static func isDatabase(_ path: String) -> Bool {
    FileReading.beginning(of: path, count: 16) == Array("SQLite format 3\0".utf8)
  }

  private static func containers(_ searched: [LocatedModel]) -> [String] {
    var folders: [String] = []
    var counts: [String: Int] = [:]
    for located in searched {
      let folder = URL(fileURLWithPath: located.input.path).deletingLastPathComponent()
      let isVersion = ["xcdatamodeld", "momd"].contains(folder.pathExtension)
      let container = isVersion ? folder.path : located.input.path
      if counts[container] == nil { folders.append(container) }
      counts[container, default: 0] += 1
    }
    return folders.map { folder in
      let count = counts[folder] ?? 1
      return count == 1 ? folder : "\(count) versions in \(folder)"
    }
  }

  private static func noFittingModel(
    _ store: PersistentStore,
    _ searched: [LocatedModel],
    unreadable: String? = nil
  ) -> PlanError {
    .noFittingModel(
      store,
      searched: searched.isEmpty && unreadable == nil
        ? ["nothing: the store keeps no model of itself and none was named"]
        : [unreadable].compactMap(\.self) + containers(searched),
      searched.map { ($0.input.path, differences(store, $0.model)) }
    )
  }

  /// Every entity in which a model differs from a store.
  ///
  /// Where a model that fits the store is known, the differences are given too; the version hashes alone show
  /// only that an entity differs.
  package static func differences(
    _ store: PersistentStore,
    _ model: ManagedObjectModel,
    knowing fitting: ManagedObjectModel? = nil
  ) -> [String] {
    let known = fitting ?? (try? store.cachedModel()).flatMap { fits($0, store) ? $0 : nil }
    if let known { return ModelDifferences(from: known, to: model).lines }
    return ModelCompatibility(storeHashes: store.metadata.versionHashes, model: model).differences
  }
}

extension LocatedModel {
  package func merged(with paths: [String]) throws(PlanError) -> LocatedModel {
    var models = [model]
    for path in paths { models.append(try ModelLocator.inFile(path).model) }
    let whole = try PlanError.readingModel(try ManagedObjectModel(merging: models))
    var result = LocatedModel(whole, at: input)
    result.input.mergedWith = paths
    return result
  }

  /// The part of the model in a configuration; all of it where none is requested.
  func restricted(to configuration: String?) throws(PlanError) -> LocatedModel {
    guard let configuration else { return self }
    let part = try PlanError.readingModel(
      try whole.model(ofConfiguration: configuration, path: input.path)
    )
    var result = LocatedModel(part, at: input, partOf: whole)
    result.input.configuration = configuration
    return result
  }
}

extension ModelLocator {
  /// The copy of a model in a mapping of Xcode; `nil` where it holds none.
  package static func copy(
    of side: MappingFile.Side,
    in file: MappingFile
  ) throws(PlanError) -> LocatedModel? {
    guard let path = file.xcodePath, file.hasCopy(of: side) else { return nil }
    return try copy(of: side, in: file, path: path)
  }

  /// Whether a path names a mapping of Xcode, which holds copies of its models.
  package static func isMapping(_ path: String) -> Bool {
    URL(fileURLWithPath: path).pathExtension.lowercased() == "xcmappingmodel"
      || path.hasSuffix("/xcmapping.xml")
  }

  static func copy(
    of side: MappingFile.Side,
    in file: MappingFile,
    path: String
  ) throws(PlanError) -> LocatedModel {
    let model = try PlanError.readingMapping(try file.copy(of: side))
    return LocatedModel(model, path: path, isInStore: false)
  }
}

/// A model and where it was found.
public struct ModelInput: Codable, Hashable, Sendable {
  /// The file that holds it; an absolute path.
  public var path: String
  /// Whether the file is a store that keeps the model.
  public var isInStore: Bool
  /// The other files whose models are merged with this one; absent without any.
  public var mergedWith: [String]?
  /// The configuration that restricts the entities; absent without one.
  public var configuration: String?
  /// Which copy in a mapping of Xcode is used, `source` or `destination`; absent where the role of the model
  /// in the migration decides.
  public var copy: String?
  /// A digest of the model's whole content, in hexadecimal.
  public var digest: String
}

extension LocatedModel {
  package var versionName: String {
    ([input.path] + (input.mergedWith ?? []))
      .map { URL(fileURLWithPath: $0).deletingPathExtension().lastPathComponent }
      .joined(separator: " + ")
  }
}
