internal import BulkModel

/// The order of the entity mappings of several files.
///
/// The order given counts where the outcome depends on it: between files whose objects share a table or are
/// connected by relationships, and between all of them where a policy may ask for anything. Files that are
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
