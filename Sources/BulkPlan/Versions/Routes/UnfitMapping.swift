internal import BulkMapping
internal import BulkModel

/// A mapping that connects no two of the versions of a line: most often a model was changed after the mapping was made,
/// and Core Data would not find it either.
struct UnfitMapping {
  private let mapping: LibraryMapping
  private let versions: [LibraryVersion]

  init(_ mapping: LibraryMapping, _ versions: [LibraryVersion]) {
    (self.mapping, self.versions) = (mapping, versions)
  }

  /// Whether it may be one of the versions' entities.
  var isRelated: Bool {
    let names = Set(versions.flatMap { ($0.wholeHashes ?? [:]).keys })
    return [MappingFile.Side.source, .destination].contains { side in
      switch mapping.end(side) {
      case .model(_, let hashes), .entities(let hashes): !names.isDisjoint(with: hashes.keys)
      case .unknown: true
      }
    }
  }

  /// Why the mapping is not used, a sentence for each of its models that is not among the versions, or one where both are
  /// the same version.
  var reasons: [String] {
    let faults = [MappingFile.Side.source, .destination].compactMap(fault)
    let same = onlyVersion.map {
      "both of its models are \(versions[$0].name), so that it applies only where it is named"
    }
    return (faults + [same].compactMap(\.self)).map { "\(mapping.path) is not used: \($0)" }
  }

  /// The index of the version that both models are; `nil` where they are not one version.
  private var onlyVersion: Int? {
    guard let version = nearest(.source), version == nearest(.destination),
      fault(of: .source) == nil, fault(of: .destination) == nil
    else { return nil }
    return version
  }

  func unknown(_ side: MappingFile.Side) -> String {
    "its \(side.rawValue) model is none of the versions"
  }

  /// Why a model of the mapping does not match; `nil` if it is one of the versions.
  func fault(of side: MappingFile.Side) -> String? {
    if case .unknown(let reason) = mapping.end(side) { return reason }
    guard let nearest = nearest(side).map({ versions[$0] }) else { return nil }
    let entities = differences(side, nearest.wholeHashes ?? [:])
    guard !entities.isEmpty else { return nil }
    return "\(unknown(side)); "
      + "\(nearest.name) differs from it in \(entities.joined(separator: ", "))"
  }

  /// Whether the mapping was made for a change between some versions, by those nearest to its models.
  func isAbout(_ range: Range<Int>) -> Bool {
    if let onlyVersion { return range.contains(onlyVersion) || range.upperBound == onlyVersion }
    let indexes = [MappingFile.Side.source, .destination].compactMap(nearest)
    guard indexes.count == 2, let first = indexes.min(), let last = indexes.max() else {
      return false
    }
    return (first..<last).overlaps(range)
  }

  /// The index of the version with the fewest differences from a model of the mapping; the latest of several.
  private func nearest(_ side: MappingFile.Side) -> Int? {
    let distances = versions.map { distance(side, $0) }
    guard let least = distances.compactMap(\.self).min() else { return nil }
    return distances.lastIndex { $0 == least }
  }

  private func distance(_ side: MappingFile.Side, _ version: LibraryVersion) -> Int? {
    switch mapping.end(side) {
    case .unknown: nil
    case .entities: differences(side, version.wholeHashes ?? [:]).count
    case .model(let located, _):
      (try? version.located()).map {
        ModelDifferences(from: located.model, to: $0.whole).lines.count
      }
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

extension LibraryMapping {
  var namesNoModel: Bool {
    [MappingFile.Side.source, .destination].allSatisfy { side in
      if case .unknown = end(side) { true } else { false }
    }
  }

  /// Whether it names entities of a step; unknown for a file that cannot be read.
  func concerns(
    _ source: [String: VersionHash],
    _ destination: [String: VersionHash]
  ) -> Bool {
    guard let file = try? file() else { return true }
    return !file.mappedEntities(of: .source).isDisjoint(with: source.keys)
      || !file.mappedEntities(of: .destination).isDisjoint(with: destination.keys)
  }
}
