internal import BulkModel

/// Makes one mapping model from the files that together are a mapping, and records every contradiction.
struct MappingJoin {
  private let file: MappingFile
  private let models: ModelPair
  /// One for every file of ``MappingFile/members``.
  private(set) var resolvers: [MappingResolver]

  init(_ file: MappingFile, between models: ModelPair) {
    self.file = file
    self.models = models
    resolvers = file.members.map { MappingResolver(file: $0, models: models) }
  }

  /// The files that have entity mappings of their own.
  private var parts: Range<Int> { 0..<(file.parts.isEmpty ? 1 : file.parts.count) }

  /// The mapping model, its passes and everything that is wrong with the files.
  mutating func resolution() -> MappingResolution {
    var items = items()
    if parts.count > 1 {
      items = PartContradictions(items, file.members).refused { resolvers[$0].note($1) }
      items = PartOrder(items, in: models.destination).items
    }
    let last = resolvers.count - 1
    let inferred = file.infer == .unmentioned ? resolvers[last].unmentioned(items) : []
    let heads = items.map(\.mapping) + inferred
    let standard = StandardValues(from: models.source, heads)
    for index in items.indices where items[index].isSound {
      resolvers[items[index].part].fill(&items[index], standard)
    }
    let values = InferredMappings(between: models, standard)
    let model = MappingModel(
      entityMappings: items.map(\.mapping) + inferred.map(values.filled)
        + resolvers[last].removed(heads)
    )
    resolvers[last].warnOfRepeatedObjects(model)
    let lists = PassLists(files: file.members, models: models)
    let passes = lists.passes(of: model) { resolvers[$0].note($1) }
    return MappingResolution(
      model: model,
      warnings: warnings,
      passes: passes ?? (parts.count > 1 ? self.passes(of: items, inferred) : []),
      items: items,
      faults: resolvers.map(\.faults)
    )
  }

  /// The entity mappings of all files, in the order given.
  private mutating func items() -> [MappingItem] {
    parts.flatMap { resolvers[$0].items(ofPart: $0) }
  }

  /// A pass or more for every file, then those of what is inferred.
  private func passes(of items: [MappingItem], _ inferred: [EntityMapping]) -> [PassRequest] {
    var order: [Int] = []
    for item in items where !order.contains(item.part) { order.append(item.part) }
    let own = order.map { part in
      PassRequest(
        file.parts[part].stem,
        isWhole: false,
        items.filter { $0.part == part }.map(\.mapping)
      )
    }
    return own + (inferred.isEmpty ? [] : [PassRequest("inferred", isWhole: false, inferred)])
  }

  private var warnings: [String] {
    zip(file.members, resolvers).flatMap { member, resolver in
      let isListing = !file.parts.isEmpty && !member.parts.isEmpty
      let own =
        isListing ? [] : member.staleCopies(models) + (member.xcode?.warnings ?? [])
      let prefix = file.parts.isEmpty || isListing ? "" : "\(member.path): "
      return (own + resolver.warnings).map { prefix + $0 }
    }
  }
}

/// The order of the entity mappings of several files.
///
/// The order given counts where the outcome depends on it: between files whose objects share a table or are
/// connected by relationships, and between all of them where a policy may use anything. Files that are
/// independent of one another come in the order of the names of the entities that they make, so that the
/// destination is the same in whatever order they are given.
struct PartOrder {
  /// The entity mappings in their order.
  let items: [MappingItem]

  init(_ given: [MappingItem], in destination: ManagedObjectModel) {
    let parts = Array(Set(given.map(\.part))).sorted()
    var groups = EntityGroups(destination)
    let hasPolicy = given.contains { $0.draft.policy != nil }
    for part in parts {
      let roots = given.filter { $0.part == part }.compactMap { item in
        item.destination.map { destination.root(of: $0).name }
      }
      // What one file makes stays together, however it is connected.
      for root in roots.dropFirst() { groups.unite(roots[0], root) }
    }
    func cluster(_ part: Int) -> String {
      let roots = given.filter { $0.part == part }.compactMap(\.destination)
      return roots.first.map { groups.leader(of: destination.root(of: $0).name) } ?? ""
    }
    let clusters = Dictionary(
      uniqueKeysWithValues: parts.map { ($0, hasPolicy ? "" : cluster($0)) }
    )
    let firstMade = Dictionary(grouping: given) { clusters[$0.part] ?? "" }
      .mapValues { items in
        items.compactMap(\.destination?.name).min(by: CodeUnitOrder.precedes) ?? ""
      }
    func rank(_ part: Int) -> String { firstMade[clusters[part] ?? ""] ?? "" }
    let order = parts.enumerated().sorted { first, second in
      let (one, other) = (rank(first.element), rank(second.element))
      return one == other ? first.offset < second.offset : CodeUnitOrder.precedes(one, other)
    }.map(\.element)
    items = order.flatMap { part in given.filter { $0.part == part } }
  }
}
