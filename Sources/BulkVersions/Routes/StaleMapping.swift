internal import BulkMapping
internal import BulkModel

/// A custom mapping for a step that would otherwise be inferred, because one of the mapping's models is
/// unknown: most often the model was changed after the mapping was saved.
struct StaleMapping {
  /// What is known of a model of the mapping.
  struct End {
    let side: MappingFile.Side
    /// The version on the route that it is; `nil` if it is none.
    let version: RouteNode?
    /// Whether it is any version that was found, on the route or elsewhere.
    let isKnown: Bool
  }

  /// The mapping's path.
  let path: String
  /// What is known and what is unknown of its models.
  private let facts: [String]

  /// A mapping that is not used, with its two ends.
  ///
  /// - Returns: `nil` if it is for versions unrelated to the step.
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

  /// Whether nothing is known of either of its models.
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
    return !file.entityNames(of: .source).isDisjoint(with: source.hashes.keys)
      || !file.entityNames(of: .destination).isDisjoint(with: destination.hashes.keys)
  }
}

extension StaleMapping: CustomStringConvertible {
  /// A sentence with the file and what is known of its models.
  package var description: String {
    "\(path) is for this route, but cannot be used: \(facts.joined(separator: "; "))"
  }
}
