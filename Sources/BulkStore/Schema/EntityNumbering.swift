package import BulkModel

/// The numbers that a store gives to the entities of its model.
///
/// Root entities are sorted by name without regard to case and numbered from 1; each entity is followed
/// directly by its subentities, depth first. Source: verified on 332 stores, abstract ones included.
package struct EntityNumbering: Sendable {
  /// The entities in the order of their numbers; the first has number 1.
  package let entities: [EntityDescription]
  private let numbers: [String: Int64]

  package init(_ model: ManagedObjectModel) {
    var ordered: [EntityDescription] = []
    var open = Self.sorted(model.entities.filter { $0.superentityName == nil }).reversed() as Array
    while let next = open.popLast() {
      ordered.append(next)
      open.append(contentsOf: Self.sorted(model.subentities(of: next)).reversed())
    }
    entities = ordered
    numbers = Dictionary(
      uniqueKeysWithValues: ordered.enumerated().map { ($1.name, Int64($0) + 1) }
    )
  }

  /// The number of an entity; 0, which no entity has, for a name that is not in the model.
  package func number(of entity: String) -> Int64 { numbers[entity] ?? 0 }

  /// Entities by name without regard to case; names that differ only in case stay in code-unit order.
  static func sorted(_ entities: [EntityDescription]) -> [EntityDescription] {
    entities.map { ($0.name.lowercased(), $0) }
      .sorted { first, second in
        first.0 == second.0
          ? CodeUnitOrder.precedes(first.1.name, second.1.name)
          : CodeUnitOrder.precedes(first.0, second.0)
      }
      .map(\.1)
  }
}
