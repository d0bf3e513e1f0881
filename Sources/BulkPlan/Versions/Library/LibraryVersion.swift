package import BulkModel
internal import BulkSupport
internal import BulkStore

/// A version of a model that was found; it is read at first use.
package final class LibraryVersion {
  /// The version's name: that of its file or folder, without extension.
  package let name: String
  package let path: String
  package var fileName: String { URL(fileURLWithPath: path).lastPathComponent }
  /// Whether its package marks it as the current one, or it is a store with the highest version.
  let isMarkedCurrent: Bool
  package let configuration: String?
  package let isStore: Bool
  /// Whether several models are merged.
  var isMerged: Bool { found?.input.mergedWith != nil }
  /// The version with all entities; `nil` where no configuration restricts it.
  private let base: LibraryVersion?
  /// The model, where it was read before its version was asked for.
  private let found: LocatedModel?
  private let recordedIdentifiers: [String]?
  private let recordedHashes: [String: VersionHash]?
  private lazy var reading = Result { () throws(PlanError) in try read() }
  private lazy var locating = Result { () throws(PlanError) in
    if let found { return found }
    guard let base else { return LocatedModel(try model(), path: path, isInStore: isStore) }
    return try base.located().restricted(to: configuration)
  }

  init(_ version: ModelPackage.Version) {
    name = version.name
    path = version.path
    isMarkedCurrent = version.isCurrent
    recordedHashes = version.recordedHashes
    (configuration, base, isStore, recordedIdentifiers, found) = (nil, nil, false, nil, nil)
  }

  /// The version of a store, whose model and metadata are in it; the highest of SwiftData in its folder is current.
  init(_ store: PersistentStore, isCurrent: Bool = false) {
    name = URL(fileURLWithPath: store.path).deletingPathExtension().lastPathComponent
    path = FilePath.absolute(store.path)
    isMarkedCurrent = isCurrent
    recordedHashes = store.metadata.versionHashes
    recordedIdentifiers = store.metadata.versionIdentifiers
    (configuration, base, isStore, found) = (nil, nil, true, nil)
  }

  init(path: String) {
    name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    self.path = path
    isMarkedCurrent = false
    recordedHashes = nil
    (configuration, base, isStore, recordedIdentifiers, found) = (nil, nil, false, nil, nil)
  }

  /// A model that belongs to no package, or the one that a store keeps.
  convenience init(at path: String) throws(PlanError) {
    guard ModelLocator.isDatabase(path) else {
      self.init(path: path)
      return
    }
    self.init(try PlanError.reading(path, try PersistentStore(path: path)))
  }

  init(_ version: LibraryVersion, configuration: String) {
    name = version.name
    path = version.path
    isMarkedCurrent = version.isMarkedCurrent
    recordedHashes = nil
    self.configuration = configuration
    base = version
    (isStore, recordedIdentifiers) = (version.isStore, version.recordedIdentifiers)
    found = nil
  }

  /// A version that is known by its model alone.
  init(_ name: String, _ model: LocatedModel, isCurrent: Bool = false) {
    self.name = name
    path = model.input.path
    isMarkedCurrent = isCurrent
    recordedHashes = model.model.entityVersionHashesByName
    (configuration, base, isStore) = (model.input.configuration, nil, model.input.isInStore)
    (recordedIdentifiers, found) = (nil, model)
  }

  package func model() throws(PlanError) -> ManagedObjectModel { try reading.get() }

  private func read() throws(PlanError) -> ManagedObjectModel {
    if let found { return found.model }
    guard let whole = try base?.model(), let configuration else {
      if isStore { return try keptModel() }
      return try PlanError.readingModel(try ManagedObjectModel(contentsOf: path))
    }
    return try PlanError.readingModel(
      try whole.model(ofConfiguration: configuration, path: path)
    )
  }

  private func keptModel() throws(PlanError) -> ManagedObjectModel {
    let model = try ModelLocator.inStore(path).model
    guard model.entityVersionHashesByName == recordedHashes else {
      throw .badModel(
        .notAModel(path: path, reason: "the copy of its model that the store keeps does not fit it")
      )
    }
    return model
  }

  /// The identifiers of the version, as `VersionedSchema` or Xcode records them; empty if it cannot be read.
  package var identifiers: [String] {
    recordedIdentifiers ?? (try? model())?.versionIdentifiers ?? []
  }

  /// The model as plans record it; computing its digest takes longer than reading it.
  package func located() throws(PlanError) -> LocatedModel { try locating.get() }

  /// The version hashes of the entities, by name; `nil` if the model cannot be read.
  ///
  /// A compiled package records them, so no model has to be read.
  private(set) lazy var hashes = recordedHashes ?? (try? model())?.entityVersionHashesByName

  /// The version hashes of the entities of all configurations.
  private(set) lazy var wholeHashes =
    base?.hashes ?? (configuration == nil ? nil : found?.whole.entityVersionHashesByName) ?? hashes

  /// Why the model cannot be read; `nil` if it can.
  package var fault: String? {
    if case .failure(let error) = reading { "\(error)" } else { nil }
  }
}

/// The version of a store, and where it was found.
package struct FoundVersion {
  package let name: String
  package let model: LocatedModel
  /// Whether it was found in the store alone, so that it does not apply to other stores.
  package internal(set) var isOfOneStore = false
  /// The lines that it belongs to; empty for a version of none, several where models are merged.
  package internal(set) var lines: [VersionLine] = []
  /// Its index in each of the lines.
  package internal(set) var versions: [LibraryVersion] = []

  var hashes: [String: VersionHash] { model.model.entityVersionHashesByName }

  /// Whether it is the current version of all its lines; `nil` where they mark none.
  package var isCurrent: Bool? {
    guard !lines.isEmpty, lines.allSatisfy({ $0.current != nil }) else { return nil }
    return zip(lines, versions).allSatisfy { line, version in
      line.current?.hashes == version.hashes
    }
  }
}
