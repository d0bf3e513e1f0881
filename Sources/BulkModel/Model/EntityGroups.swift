/// The groups of entities that inheritance or relationships connect, each named after one of its root entities.
package struct EntityGroups {
  private let model: ManagedObjectModel
  private var above: [String: String] = [:]

  /// The groups of a model.
  package init(_ model: ManagedObjectModel) {
    self.init(model, among: Set(model.roots.map(\.name)))
  }

  /// The groups of some root entities, connected by relationships among them.
  package init(_ model: ManagedObjectModel, among roots: Set<String>) {
    self.model = model
    for entity in model.entities where roots.contains(model.root(of: entity).name) {
      for relationship in entity.relationships where !relationship.isTransient {
        guard let target = model.entity(named: relationship.destinationEntityName) else { continue }
        let root = model.root(of: target).name
        if roots.contains(root) { unite(model.root(of: entity).name, root) }
      }
    }
  }

  /// The root entity whose name stands for the group of another.
  package func leader(of root: String) -> String {
    var name = root
    while let next = above[name] { name = next }
    return name
  }

  /// Makes one group of those of two root entities.
  package mutating func unite(_ first: String, _ second: String) {
    let (one, other) = (leader(of: first), leader(of: second))
    guard one != other else { return }
    // The smaller name leads, so the outcome does not depend on the order of visits.
    if CodeUnitOrder.precedes(one, other) { above[other] = one } else { above[one] = other }
  }

  /// The groups of some root entities, by the names of their leaders, each in the order given.
  package func groups(of roots: [String]) -> [[String]] {
    let groups = Dictionary(grouping: roots, by: leader)
    return groups.keys.sortedByCodeUnit().compactMap { groups[$0] }
  }
}

extension ManagedObjectModel {
  /// The entities without a superentity, in the order of the model.
  package var roots: [EntityDescription] { entities.filter { $0.superentityName == nil } }
}
