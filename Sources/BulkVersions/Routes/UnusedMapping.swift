internal import BulkMapping
internal import BulkModel

/// A mapping of the versions' entities that connects no two of the versions: most often a model was changed
/// after the mapping was made, and Core Data would not find it either.
struct UnusedMapping {
  private let mapping: LibraryMapping
  private let nodes: [RouteNode]

  /// A mapping and the versions of the line; `nil` if they are unrelated.
  init?(_ mapping: LibraryMapping, _ nodes: [RouteNode]) {
    self.mapping = mapping
    self.nodes = nodes
    let names = Set(nodes.flatMap(\.wholeHashes.keys))
    let sides = [MappingFile.Side.source, .destination]
    let isRelated = sides.contains { side in
      switch mapping.end(side) {
      case .model(_, let hashes), .entities(let hashes): !names.isDisjoint(with: hashes.keys)
      case .unknown: true
      }
    }
    guard isRelated else { return nil }
  }

  /// Why the mapping is not used, a sentence for each of its models that is not among the versions.
  var reasons: [String] {
    [MappingFile.Side.source, .destination].compactMap { side in
      fault(of: side).map { "\(mapping.path) is not used: \($0)" }
    }
  }

  /// Why a model of the mapping does not match; `nil` if it is one of the versions.
  func fault(of side: MappingFile.Side) -> String? {
    if case .unknown(let reason) = mapping.end(side) { return reason }
    guard let nearest = nearest(side) else { return nil }
    let entities = differences(side, nearest.wholeHashes)
    guard !entities.isEmpty else { return nil }
    return "its \(side.rawValue) model is none of the versions; "
      + "\(nearest.name) differs from it in \(entities.joined(separator: ", "))"
  }

  /// Whether the mapping was made for a change between some versions, judged by those nearest to its models.
  func isAbout(_ range: Range<Int>) -> Bool {
    let places = [MappingFile.Side.source, .destination].compactMap { nearest($0)?.place }
    guard places.count == 2, let first = places.min(), let last = places.max() else { return false }
    return (first..<last).overlaps(range)
  }

  /// The version with the fewest differences from a model of the mapping; the latest of several.
  private func nearest(_ side: MappingFile.Side) -> RouteNode? {
    var nearest: (node: RouteNode, differences: Int)?
    for node in nodes {
      guard let count = distance(side, node), count <= nearest?.differences ?? .max else {
        continue
      }
      nearest = (node, count)
    }
    return nearest?.node
  }

  private func distance(_ side: MappingFile.Side, _ node: RouteNode) -> Int? {
    switch mapping.end(side) {
    case .unknown: nil
    case .entities: differences(side, node.wholeHashes).count
    case .model(let located, _):
      (try? node.located()).map { ModelDifferences(from: located.model, to: $0.whole).lines.count }
    }
  }

  /// The entities that differ, in code-unit order; for a whole model, including those only in the version.
  private func differences(_ side: MappingFile.Side, _ version: [String: VersionHash]) -> [String] {
    switch mapping.end(side) {
    case .unknown: []
    case .entities(let hashes): hashes.keys.filter { hashes[$0] != version[$0] }.sortedByCodeUnit()
    case .model(_, let hashes):
      Set(hashes.keys).union(version.keys).filter { hashes[$0] != version[$0] }.sortedByCodeUnit()
    }
  }
}

/// A custom mapping for a step that would otherwise be inferred, because one of the mapping's models is
/// unknown: most often the model was changed after the mapping was saved.
struct StaleMapping {
  struct End {
    let side: MappingFile.Side
    /// The version on the route that it is; `nil` if it is none.
    let version: RouteNode?
    /// Whether it is any version that was found, on the route or elsewhere.
    let isKnown: Bool
  }

  let path: String
  private let facts: [String]

  /// A mapping that is not used, with its two ends; `nil` if it is for versions unrelated to the step.
  init?(
    _ mapping: LibraryMapping,
    _ ends: [End],
    from source: RouteNode,
    to destination: RouteNode,
    _ versions: [RouteNode]
  ) {
    path = mapping.path
    let unused = UnusedMapping(mapping, versions)
    func fault(_ end: End) -> String {
      unused?.fault(of: end.side) ?? "its \(end.side.rawValue) model is none of the versions"
    }
    guard let match = ends.first(where: { $0.version != nil }), let version = match.version else {
      guard Self.namesNoModel(mapping), Self.isAbout(source, destination, mapping) else {
        return nil
      }
      facts = ends.map(fault).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      return
    }
    let strangers = ends.filter { $0.side != match.side && !$0.isKnown }
    guard !strangers.isEmpty else { return nil }
    facts = ["its \(match.side.rawValue) model is \(version.name)"] + strangers.map(fault)
  }

  private static func namesNoModel(_ mapping: LibraryMapping) -> Bool {
    [MappingFile.Side.source, .destination].allSatisfy { side in
      if case .unknown = mapping.end(side) { true } else { false }
    }
  }

  /// Whether it names entities of the step; unknown for a file that cannot be read.
  private static func isAbout(
    _ source: RouteNode,
    _ destination: RouteNode,
    _ mapping: LibraryMapping
  ) -> Bool {
    guard let file = try? mapping.file() else { return true }
    return !file.mappedEntities(of: .source).isDisjoint(with: source.hashes.keys)
      || !file.mappedEntities(of: .destination).isDisjoint(with: destination.hashes.keys)
  }
}

extension StaleMapping: CustomStringConvertible {
  package var description: String {
    "\(path) is for this route, but cannot be used: \(facts.joined(separator: "; "))"
  }
}
