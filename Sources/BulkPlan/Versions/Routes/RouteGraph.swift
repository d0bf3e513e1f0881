internal import BulkMapping
internal import BulkModel

/// The versions on the possible routes of a store, and the steps between them: custom mappings and inference.
final class RouteGraph {
  /// A pair of versions, by their indexes in ``nodes``.
  struct Pair: Hashable {
    let source: Int
    let destination: Int
  }

  /// The versions: those of the line in their order, then those of none.
  private(set) var nodes: [LibraryVersion] = []
  /// The number of the versions of the line.
  private var lineCount = 0
  private(set) var mappings: [Pair: [LibraryMapping]] = [:]
  let infers: Bool
  private let files: [LibraryMapping]
  /// The mapping to use where several connect the same versions.
  private let preferred: LibraryMapping?
  /// The versions that were found, of all lines.
  private let known: [LibraryVersion]
  let names: ArgumentNames
  /// The ranges of the narrowest mappings: they show where the meaning changes.
  private var changes: [Range<Int>] = []
  private var inferences: [Pair: Result<MappingModel, InferenceError>] = [:]
  /// The version, by its entities' hashes.
  private var indexes: [[String: VersionHash]: Int] = [:]

  init(
    _ line: VersionLine?,
    _ mappings: [LibraryMapping],
    preferring preferred: LibraryMapping?,
    known: [LibraryVersion],
    infers: Bool,
    names: ArgumentNames
  ) {
    (self.names, self.infers) = (names, infers)
    self.preferred = preferred
    self.known = known
    // A file that leaves everything to inference is not a mapping.
    files = (mappings + [preferred].compactMap(\.self)).filter {
      (try? $0.file().hasMapping) ?? true
    }
    add(line)
    for file in files { add(endsOf: file) }
    connect()
  }

  private func connect() {
    mappings = [:]
    for file in files { add(file) }
    mappings = mappings.mapValues { found in
      // A compiled mapping replaces the one of its name that it was compiled from, as in Core Data.
      let compiled = Set(found.filter(\.isCompiled).map(\.name))
      let kept = found.filter { $0.isCompiled || !compiled.contains($0.name) }
      guard let preferred, kept.contains(where: { $0 === preferred }) else { return kept }
      return [preferred]
    }
    let ranges = mappings.keys.compactMap(range)
    changes = ranges.filter { range in
      !ranges.contains {
        $0 != range && range.lowerBound <= $0.lowerBound && $0.upperBound <= range.upperBound
      }
    }.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  /// Whether a version, by its index, has an index in the order of versions, which then is that index.
  func isOfLine(_ node: Int) -> Bool { node < lineCount }

  /// The index of a version in ``nodes``; a new version is added.
  func index(of version: FoundVersion) -> Int {
    let hashes = version.hashes
    if let known = indexes[hashes] { return known }
    add(LibraryVersion(version.name, version.model), hashes)
    connect()
    return nodes.count - 1
  }

  private func add(_ version: LibraryVersion, _ hashes: [String: VersionHash]) {
    guard indexes[hashes] == nil else { return }
    indexes[hashes] = nodes.count
    nodes.append(version)
  }

  /// Of versions with equal hashes the last one is used.
  private func add(_ line: VersionLine?) {
    var last: [[String: VersionHash]: Int] = [:]
    let versions = line?.versions ?? []
    for (index, version) in versions.enumerated() {
      if let hashes = version.hashes { last[hashes] = index }
    }
    for (index, version) in versions.enumerated() {
      guard let hashes = version.hashes, last[hashes] == index else { continue }
      add(version, hashes)
    }
    lineCount = nodes.count
  }

  /// Adds the models of a mapping that is for none of the versions, nor for their configurations.
  private func add(endsOf mapping: LibraryMapping) {
    for side in [MappingFile.Side.source, .destination] {
      guard case .model(let model, let hashes) = mapping.end(side),
        nodes.allSatisfy({ mapping.unmappedEntityCount(side, $0.wholeHashes ?? [:]) == nil })
      else { continue }
      add(LibraryVersion("the \(side.rawValue) of \(mapping.path)", model), hashes)
    }
  }

  private func add(_ mapping: LibraryMapping) {
    for source in nearest(.source, mapping) {
      for destination in nearest(.destination, mapping) where source != destination {
        mappings[Pair(source: source, destination: destination), default: []].append(mapping)
      }
    }
  }

  /// The versions that a mapping is for: those with the fewest entities that it does not map.
  private func nearest(_ side: MappingFile.Side, _ mapping: LibraryMapping) -> [Int] {
    let open = nodes.map { mapping.unmappedEntityCount(side, $0.wholeHashes ?? [:]) }
    guard let least = open.compactMap(\.self).min() else { return [] }
    return open.indices.filter { open[$0] == least }
  }

  private func range(_ pair: Pair) -> Range<Int>? {
    let (first, second) = (pair.source, pair.destination)
    guard isOfLine(first), isOfLine(second) else { return nil }
    return min(first, second)..<max(first, second)
  }

  /// The custom mapping between a pair of versions, of one file or of several that together are one; `nil` if
  /// there is none.
  ///
  /// A failure, `manyCandidates`, if there are several that contradict one another.
  func mapping(_ pair: Pair) throws(PlanError) -> MappingFile? {
    guard let found = mappings[pair], let only = found.first else { return nil }
    guard found.count > 1 else { return try only.file() }
    let source = try nodes[pair.source].located()
    let destination = try nodes[pair.destination].located()
    let different = try withoutCopies(found, source, destination)
    guard different.count > 1 else {
      if let only = different.first { return only }
      return try only.file()
    }
    do throws(PlanError) {
      let file = try MappingFile.planned(joining: different)
      _ = try StepMapping(file, from: source, to: destination)
      return file
    } catch {
      throw .manyCandidates(
        [
          "several mappings from \(name(pair.source)) to \(name(pair.destination)) contradict each other:"
        ] + different.map { "  " + $0.path } + [
          "\(error)", "choose with \(names.mapping)",
        ]
      )
    }
  }

  /// The files of mappings, by their paths, without copies of one another and without those that another one
  /// lists.
  private func withoutCopies(
    _ mappings: [LibraryMapping],
    _ source: LocatedModel,
    _ destination: LocatedModel
  ) throws(PlanError) -> [MappingFile] {
    var known: Set<String> = []
    var result: [MappingFile] = []
    let files = try mappings.sorted { CodeUnitOrder.precedes($0.path, $1.path) }
      .map { mapping throws(PlanError) in try mapping.file() }
    let listed = Set(files.flatMap(\.listedPaths).map(FilePath.absolute))
    for file in files where !listed.contains(FilePath.absolute(file.path)) {
      // A file may need another one to have a meaning.
      let digest = try? StepMapping(file, from: source, to: destination).digest
      if let digest, !known.insert(digest).inserted { continue }
      result.append(file)
    }
    return result
  }

  /// The mappings that connect no two of the versions, a sentence each with the reason.
  func unusedMappings() -> [String] { unused().flatMap(\.reasons) }

  /// The mappings that seem to be made for the change from one version to another, but connect no two
  /// versions, a sentence each with the reason.
  func unusedMappings(about pair: Pair) -> [String] {
    guard let range = range(pair) else { return [] }
    return unused().filter { $0.isAbout(range) }.flatMap(\.reasons)
  }

  private func unused() -> [UnfitMapping] {
    unusedFiles().map { UnfitMapping($0, line) }.filter(\.isRelated)
  }

  private var line: [LibraryVersion] { Array(nodes[..<lineCount]) }

  private func unusedFiles() -> [LibraryMapping] {
    let used = Set(mappings.filter { range($0.key) != nil }.values.joined().map(\.name))
    return files.filter { !used.contains($0.name) }
      .sorted { CodeUnitOrder.precedes($0.path, $1.path) }
  }

  /// The mappings that an inferred step would replace, although one of their models is a version on the route, whose
  /// versions `path` has by their indexes; the other one is unknown.
  func staleMappings(for pair: Pair, on path: [Int]) -> [(path: String, reason: String)] {
    unusedFiles().compactMap { mapping in
      let facts = staleness(of: mapping, for: pair, on: path)
      guard !facts.isEmpty else { return nil }
      let reason = "is for this route, but cannot be used: \(facts.joined(separator: "; "))"
      return (mapping.path, "\(mapping.path) \(reason)")
    }
  }

  /// Why a mapping cannot be used, a phrase each; none for one of versions unrelated to the step.
  private func staleness(of mapping: LibraryMapping, for pair: Pair, on path: [Int]) -> [String] {
    let sides = [MappingFile.Side.source, .destination]
    let indexes = sides.map { nearest($0, mapping) }
    let unfit = UnfitMapping(mapping, line)
    func fault(_ side: MappingFile.Side) -> String {
      (unfit.isRelated ? unfit.fault(of: side) : nil) ?? unfit.unknown(side)
    }
    let matches = zip(sides, indexes).map { side, indexes in
      indexes.first { touches($0, side, pair) }
    }
    guard let match = matches.firstIndex(where: { $0 != nil }), let version = matches[match] else {
      guard mapping.namesNoModel,
        mapping.concerns(nodes[pair.source].hashes ?? [:], nodes[pair.destination].hashes ?? [:])
      else { return [] }
      let facts = sides.map(fault)
      return facts[0] == facts[1] ? [facts[0]] : facts
    }
    let isKnown =
      indexes[1 - match].contains { isOfLine($0) || path.contains($0) }
      || known.contains { version in
        version.hashes.map { mapping.unmappedEntityCount(sides[1 - match], $0) != nil } ?? false
      }
    return isKnown
      ? [] : ["its \(sides[match].rawValue) model is \(name(version))", fault(sides[1 - match])]
  }

  /// Whether a mapping with a version at a side may be made for a step: it begins or ends within the step's
  /// range.
  private func touches(_ node: Int, _ side: MappingFile.Side, _ pair: Pair) -> Bool {
    switch side {
    case .source where node == pair.source, .destination where node == pair.destination: true
    case .source where node == pair.destination, .destination where node == pair.source: false
    case .source, .destination:
      isOfLine(node) && range(pair)?.contains(node) == true
    }
  }

  /// A mapping whose versions enclose a pair, or lie within it: only the mapping defines how the meaning
  /// changes there.
  func mappingAcross(_ pair: Pair) -> LibraryMapping? {
    guard let wanted = range(pair) else { return mapping(around: pair) }
    guard let change = changes.first(where: { $0.overlaps(wanted) }) else { return nil }
    return Self.first(of: mappings.filter { range($0.key) == change })
  }

  /// Where a version has no index in the order, any mapping of the versions may enclose it.
  private func mapping(around pair: Pair) -> LibraryMapping? {
    Self.first(
      of: mappings.filter {
        range($0.key) != nil || $0.key.source == pair.source
          || $0.key.destination == pair.destination
      }
    )
  }

  private static func first(of mappings: [Pair: [LibraryMapping]]) -> LibraryMapping? {
    mappings.values.joined().min { CodeUnitOrder.precedes($0.path, $1.path) }
  }

  /// The inferred mapping between two versions, or why there is none.
  func inference(_ pair: Pair) throws(PlanError) -> Result<MappingModel, InferenceError> {
    if let known = inferences[pair] { return known }
    let source = try nodes[pair.source].model()
    let destination = try nodes[pair.destination].model()
    let result = Result { () throws(InferenceError) in
      try MappingModel.inferred(from: source, to: destination)
    }
    inferences[pair] = result
    return result
  }

  /// Why no mapping can be inferred between two versions; `nil` if one can.
  func refusal(_ pair: Pair) throws(PlanError) -> InferenceError? {
    guard case .failure(let refusal) = try inference(pair) else { return nil }
    return refusal
  }

  /// The losses of one inferred step over several versions that single steps avoid, a sentence
  /// each: a renaming identifier that names the previous version connects neighbours only.
  func losses(_ pair: Pair) throws(PlanError) -> [String] {
    guard isOfLine(pair.source), isOfLine(pair.destination), pair.destination - pair.source > 1,
      case .success(let whole) = try inference(pair)
    else { return [] }
    var single: PropertyOrigins?
    for index in pair.source..<pair.destination {
      let step = try inference(Pair(source: index, destination: index + 1))
      guard case .success(let mapping) = step else { return [] }
      let origins = PropertyOrigins(mapping)
      single = single.map { origins.after($0) } ?? origins
    }
    return single?.missing(in: PropertyOrigins(whole)).map { property, origin in
      "\(property) keeps the values of \(origin) only if each version between \(name(pair.source)) "
        + "and \(name(pair.destination)) is a step of its own; one inferred step, as Core Data "
        + "takes it, loses them; write a chain to keep them"
    } ?? []
  }

  /// Whether a mapping names no models, so it connects no versions by itself.
  func isOutsideOrder(_ mapping: LibraryMapping) -> Bool {
    !mappings.values.joined().contains { $0 === mapping }
  }

  func name(_ node: Int) -> String { nodes[node].name }
}
