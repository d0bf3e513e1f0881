internal import BulkModel

/// Groups the entities of a model into passes: entities connected by inheritance or relationships stay
/// together, because the relationships between them are made in one pass.
struct PassPartition {
  /// The root entities of each pass, by name; passes in the order of their first roots.
  let passes: [[String]]

  init(_ model: ManagedObjectModel) {
    let roots = model.entities.filter { $0.superentityName == nil }.map(\.name)
    var parent = Dictionary(uniqueKeysWithValues: roots.map { ($0, $0) })
    func find(_ name: String) -> String {
      var name = name
      while let above = parent[name], above != name {
        parent[name] = parent[above]
        name = above
      }
      return name
    }
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        guard let target = model.entity(named: relationship.destinationEntityName) else { continue }
        let first = find(model.root(of: entity).name)
        let second = find(model.root(of: target).name)
        // The smaller name leads, so the outcome does not depend on the order of visits.
        let (leader, other) =
          CodeUnitOrder.precedes(first, second) ? (first, second) : (second, first)
        parent[other] = leader
      }
    }
    let groups = Dictionary(grouping: roots, by: find)
    passes = groups.keys.sortedByCodeUnit().compactMap { groups[$0] }
  }
}
