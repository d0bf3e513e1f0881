internal import BulkModel

/// A version of a model as a node of the graph; models with the same version hashes are one node.
final class RouteNode {
  let name: String
  /// The version hashes of its entities, by name.
  let hashes: [String: VersionHash]
  /// Those of the entities of all configurations, for which mappings are made.
  let wholeHashes: [String: VersionHash]
  /// Its index in the order of versions; `nil` for a version outside it.
  let place: Int?
  /// Where the version comes from.
  private enum Origin {
    case version(LibraryVersion)
    case model(LocatedModel)
  }

  private let origin: Origin

  /// A version of a line.
  init(_ version: LibraryVersion, hashes: [String: VersionHash], place: Int) {
    name = version.name
    (self.hashes, wholeHashes) = (hashes, version.wholeHashes ?? hashes)
    self.place = place
    origin = .version(version)
  }

  /// A version outside any order.
  init(_ name: String, hashes: [String: VersionHash], _ model: LocatedModel) {
    self.name = name
    self.hashes = hashes
    wholeHashes =
      model.input.configuration == nil ? hashes : model.whole.entityVersionHashesByName
    place = nil
    origin = .model(model)
  }

  /// The model.
  ///
  /// - Throws: ``PlanError`` if it cannot be read.
  func model() throws(PlanError) -> ManagedObjectModel {
    switch origin {
    case .version(let version): try version.model()
    case .model(let located): located.model
    }
  }

  /// The model as plans record it.
  ///
  /// - Throws: ``PlanError`` if it cannot be read.
  func located() throws(PlanError) -> LocatedModel {
    switch origin {
    case .version(let version): try version.located()
    case .model(let located): located
    }
  }
}
