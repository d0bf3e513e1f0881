internal import BulkSupport
internal import BulkModel

/// Makes entity mappings from the files of a mapping and two models, and reports every contradiction.
struct MappingResolver {
  let file: MappingFile
  let models: ModelPair
  let report: MappingReport
  /// The values of properties without an explicit one, from all entity mappings.
  private(set) var standard: StandardValues

  init(_ file: MappingFile, _ models: ModelPair, _ report: MappingReport) {
    (self.file, self.models, self.report) = (file, models, report)
    standard = StandardValues(from: models.source, [])
  }

  /// A suggestion after an unknown name: the nearest known one, as a question.
  static func hint(_ name: String, among names: [String]) -> String {
    NearestName.of(name, among: names).map { "; did you mean \($0)?" } ?? ""
  }

  /// The mapping model and its passes; everything that is wrong with the files is reported.
  func resolution() -> MappingResolution {
    for part in file.parts {
      for warning in part.staleCopies(models) + part.warnings { report.warn(part.origin, warning) }
    }
    let isJoined = file.parts.count { !$0.isListing } > 1
    var items = file.parts.enumerated().flatMap { index, part in
      part.drafts.map { item($0, ofPart: index) }
    }
    if isJoined { items = withoutOverridden(items) }
    refuseRepeatedNames(items)
    if isJoined { refuseRepeatedObjects(items) }
    refuseDifferentKept(items)
    checkHashes(items)
    if isJoined { items = PartOrder(items, in: models.destination).items }
    let inferred = file.infer == .unmentioned ? unmentioned(items) : []
    let heads = items.map(\.mapping) + inferred
    var resolver = self
    resolver.standard = StandardValues(from: models.source, heads)
    for index in items.indices where items[index].isSound { resolver.fill(&items[index]) }
    let values = InferredMappings(between: models, resolver.standard)
    let model = MappingModel(
      entityMappings: items.map(\.mapping) + inferred.map(values.filled) + removed(heads)
    )
    warnOfRepeatedObjects(model)
    let passes = file.passes(of: model, models, report)
    return MappingResolution(
      model: model,
      warnings: report.warnings,
      passes: passes ?? (isJoined ? self.passes(of: items, inferred) : []),
      items: items
    )
  }

  /// A pass or more for every file, then those of what is inferred.
  private func passes(of items: [MappingItem], _ inferred: [EntityMapping]) -> [PassRequest] {
    var order: [Int] = []
    for item in items where !order.contains(item.part) { order.append(item.part) }
    let own = order.map { part in
      let url = URL(filePath: file.parts[part].origin.path)
      let mappings = items.filter { $0.part == part }.map(\.mapping)
      let name = url.deletingPathExtension().lastPathComponent
      return PassRequest(name, isWhole: false, mappings)
    }
    return own + (inferred.isEmpty ? [] : [PassRequest("inferred", isWhole: false, inferred)])
  }
}

/// An entity mapping of a file, with the entities that it names.
struct MappingItem {
  var draft: EntityMappingDraft
  var mapping: EntityMapping
  let source: EntityDescription?
  let destination: EntityDescription?
  /// Whether all entities that it names exist.
  let isSound: Bool
  /// The index of its file among ``MappingFile/parts``.
  let part: Int
}

/// A mapping model between two models, and what it was made from.
package struct MappingResolution {
  /// The mapping model, which is valid only without errors.
  package internal(set) var model: MappingModel
  /// Warnings, a sentence each.
  package internal(set) var warnings: [String]
  /// The passes that the files request, in order; empty where the plan alone decides.
  package internal(set) var passes: [PassRequest]
  /// The items from which the model's first entity mappings were made, in their order.
  let items: [MappingItem]
}

extension MappingResolution {
  /// What a file says of an entity mapping; `nil` of an inferred one.
  ///
  /// The explicit ones of the files come first.
  func draft(at index: Int) -> EntityMappingDraft? {
    index < items.count ? items[index].draft : nil
  }

  /// Keeps the entity mappings of a part of either model.
  ///
  /// An entity mapping between an entity of the part and one that is stored elsewhere is left out with a
  /// warning: a migration reads one store and makes one store.
  package mutating func restrict(between models: ModelPair) {
    var kept: [EntityMapping] = []
    for mapping in model.entityMappings {
      let reads = mapping.sourceEntityName.map { models.source.entity(named: $0) != nil }
      let makes = mapping.destinationEntityName.map { models.destination.entity(named: $0) != nil }
      if reads ?? true, makes ?? true {
        kept.append(mapping)
      } else if reads == true, let name = mapping.destinationEntityName {
        warnings.append(
          "entity mapping \(mapping.name) makes objects of \(name), which another store has; it is left out"
        )
      } else if makes == true, let name = mapping.sourceEntityName {
        warnings.append(
          "entity mapping \(mapping.name) reads objects of \(name), which another store has; it is left out"
        )
      }
    }
    guard kept.count < model.entityMappings.count else { return }
    model.entityMappings = kept
    passes = passes.compactMap { $0.keeping(kept) }
  }
}

/// The order of the entity mappings of several files.
///
/// The order given counts where the outcome depends on it: between files whose objects share a table or are
/// connected by relationships, and between all of them where a policy may use anything. Files that are
/// independent of one another come in the order of the names of the entities that they make, so that the
/// destination is the same in whatever order they are given.
struct PartOrder {
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
