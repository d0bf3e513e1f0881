internal import BulkMapping
internal import BulkModel
internal import BulkStore
internal import BulkSupport

/// A chain in a mapping file: versions of a model in their order, and mappings between them; steps without a
/// mapping are inferred.
struct MappingChain {
  private let path: String
  private var versions: [FoundVersion] = []
  /// The mappings by the index of the version that each leads to.
  private var mappings: [Int: LibraryMapping] = [:]

  /// Refuses files that contradict one another, and a version that recurs after another one.
  init(_ file: MappingFile, configuration: String?) throws(PlanError) {
    path = file.path
    var pending: LibraryMapping?
    for entry in file.chain ?? [] {
      if Self.isMapping(entry) {
        if let pending { try append(endOf: pending, .destination) }
        let mapping = LibraryMapping(path: entry)
        if versions.isEmpty || pending != nil { try append(endOf: mapping, .source) }
        pending = mapping
        mappings[versions.count] = mapping
      } else {
        versions.append(FoundVersion(name: Self.name(entry), model: try Self.model(at: entry)))
        pending = nil
      }
    }
    if let pending { try append(endOf: pending, .destination) }
    try refuseRepetition()
    try refuseContradictions()
    guard versions.count > 1 else { throw fault(["its chain has fewer than two versions"]) }
    guard let configuration, let last = versions.last else { return }
    _ = try last.model.restricted(to: configuration)
    // One without a configuration of this name stays whole.
    versions = versions.map { version in
      let part = try? version.model.restricted(to: configuration)
      return part.map { FoundVersion(name: version.name, model: $0) } ?? version
    }
  }

  private static func model(at path: String) throws(PlanError) -> LocatedModel {
    try ModelLocator.isDatabase(path) ? ModelLocator.inStore(path) : ModelLocator.inFile(path)
  }

  private static func isMapping(_ path: String) -> Bool {
    ["json", "xcmappingmodel", "cdm"].contains(FilePath.suffix(of: path))
  }

  private static func name(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  private func fault(_ reasons: [String]) -> PlanError {
    .impossibleMapping(reasons.map { "\(path): \($0)" })
  }

  /// Appends the version that a mapping names, unless it is the last already.
  private mutating func append(
    endOf mapping: LibraryMapping,
    _ side: MappingFile.Side
  ) throws(PlanError) {
    guard case .model(let model, _) = mapping.end(side) else {
      throw fault([
        "chain: \(mapping.path) does not say which model its \(side.rawValue) is; write that model "
          + (side == .source ? "before it" : "after it")
      ])
    }
    let version = FoundVersion(name: Self.name(model.input.path), model: model)
    if side == .source, versions.last?.hashes == version.hashes { return }
    versions.append(version)
  }

  /// Refuses a version that recurs after another one, which would make the place of a store ambiguous.
  ///
  /// Neighbours may have equal hashes if a mapping lies between them; Core Data refuses two stages
  /// with one checksum (formats/migration.md 9.1).
  private func refuseRepetition() throws(PlanError) {
    var seen: [[String: VersionHash]: String] = [:]
    var faults: [String] = []
    for (index, version) in versions.enumerated() {
      if index > 0, version.hashes == versions[index - 1].hashes {
        guard mappings[index] == nil else { continue }
        faults.append(
          "chain: version \(version.name) has the version hashes of \(versions[index - 1].name), and no mapping between "
            + "them says what is done; leave one of them out"
        )
        continue
      }
      if let first = seen[version.hashes] {
        faults.append(
          "chain: version \(version.name) is \(first) again, so that the route would be a circle"
        )
      }
      seen[version.hashes] = version.name
    }
    guard faults.isEmpty else { throw fault(faults) }
  }

  /// A mapping must be for the versions on either side of it.
  private func refuseContradictions() throws(PlanError) {
    var faults: [String] = []
    for (index, mapping) in mappings.sorted(by: { $0.key < $1.key }) {
      for (side, number) in [(MappingFile.Side.source, index - 1), (.destination, index)] {
        guard versions.indices.contains(number) else { continue }
        if case .unknown = mapping.end(side) { continue }
        guard mapping.unmappedEntityCount(side, versions[number].hashes) == nil else { continue }
        faults.append(
          "chain: the \(side.rawValue) of \(mapping.path) is not \(versions[number].name)"
        )
      }
    }
    guard faults.isEmpty else { throw fault(faults) }
  }

  /// The route of a store: from its version to the last one, or to a named one.
  func route(of store: PersistentStore, to name: String?) throws(PlanError) -> StoreRoute {
    let hashes = store.metadata.versionHashes
    let names = versions.map(\.name).joined(separator: " → ")
    guard var begin = versions.firstIndex(where: { $0.hashes == hashes }) else {
      throw .noRoute([
        "\(store.path) is none of the versions of the chain: \(names) (in Core Data error 134504)"
      ])
    }
    var end = versions.count - 1
    if let name {
      guard let found = versions.firstIndex(where: { $0.name == name }) else {
        throw .manyCandidates(["the chain has no version \(name): \(names)"])
      }
      end = found
    }
    guard begin <= end else {
      throw .noRoute([
        "\(store.path) is \(versions[begin].name), which the chain leaves behind before it comes to "
          + "\(versions[end].name) (in Core Data error 134506)"
      ])
    }
    var applied: [String] = []
    while begin < end, versions[begin + 1].hashes == hashes, let mapping = mappings[begin + 1],
      try step(to: begin + 1).wasApplied(to: store)
    {
      begin += 1
      applied.append(StepFiles.wasApplied(mapping.path))
    }
    return StoreRoute(
      version: versions[begin],
      destinationName: versions[end].name,
      steps: try steps(from: begin, to: end, applied)
    )
  }

  private func steps(
    from begin: Int,
    to end: Int,
    _ warnings: [String]
  ) throws(PlanError) -> [StepFiles] {
    guard begin < end else {
      let (source, destination) = (versions[begin].model, versions[end].model)
      return [StepFiles(source: source, destination: destination, file: nil, warnings: warnings)]
    }
    return try ((begin + 1)...end).map { index throws(PlanError) in
      try step(to: index, index == begin + 1 ? warnings : [])
    }
  }

  private func step(to index: Int, _ warnings: [String] = []) throws(PlanError) -> StepFiles {
    StepFiles(
      source: versions[index - 1].model,
      destination: versions[index].model,
      file: try mappings[index]?.file(),
      warnings: warnings
    )
  }
}
