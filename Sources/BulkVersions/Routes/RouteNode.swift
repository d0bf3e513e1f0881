internal import BulkModel

/// A version of a model as a node of the graph; models with the same version hashes are one node.
final class RouteNode {
  let name: String
  let hashes: [String: VersionHash]
  /// Those of the entities of all configurations, for which mappings are made.
  let wholeHashes: [String: VersionHash]
  /// Its index in the order of versions; `nil` for a version outside it.
  let place: Int?
  private enum Origin {
    case version(LibraryVersion)
    case model(LocatedModel)
  }

  private let origin: Origin

  init(_ version: LibraryVersion, hashes: [String: VersionHash], place: Int) {
    name = version.name
    (self.hashes, wholeHashes) = (hashes, version.wholeHashes ?? hashes)
    self.place = place
    origin = .version(version)
  }

  init(_ name: String, hashes: [String: VersionHash], _ model: LocatedModel) {
    self.name = name
    self.hashes = hashes
    wholeHashes =
      model.input.configuration == nil ? hashes : model.whole.entityVersionHashesByName
    place = nil
    origin = .model(model)
  }

  func model() throws(PlanError) -> ManagedObjectModel {
    switch origin {
    case .version(let version): try version.model()
    case .model(let located): located.model
    }
  }

  func located() throws(PlanError) -> LocatedModel {
    switch origin {
    case .version(let version): try version.located()
    case .model(let located): located
    }
  }
}
