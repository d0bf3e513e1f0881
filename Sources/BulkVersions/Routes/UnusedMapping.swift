internal import BulkMapping
internal import BulkModel

/// A mapping of the versions' entities that connects no two of the versions: most often a model was changed
/// after the mapping was made, and Core Data would not find it either.
struct UnusedMapping {
  private let mapping: LibraryMapping
  private let nodes: [RouteNode]

  /// A mapping and the versions of the line.
  ///
  /// - Returns: `nil` if they are unrelated.
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

  /// Why the mapping is not used, a sentence for each of its models that is none of the versions.
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
