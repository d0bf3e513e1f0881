internal import BulkMapping

/// What becomes of an entity step by step, from where it is first there to where it is last.
package struct EntitySuccession: Sendable {
  /// One step of it.
  struct Step: Sendable {
    /// The step.
    let hop: MigrationHop
    /// What it does to the entity.
    let mapping: EntityMapping
  }

  /// The entity in the store that is read; `nil` for one that is added on the way.
  let source: String?
  /// The entity in the store that is made; `nil` for one that is removed on the way.
  private(set) var destination: String?
  /// The steps, each with the entity that the one before left.
  private(set) var steps: [Step]

  init(_ mapping: EntityMapping, _ hop: MigrationHop) {
    source = mapping.sourceEntityName
    destination = mapping.destinationEntityName
    steps = [Step(hop: hop, mapping: mapping)]
  }

  /// The succession after a further step; `nil` where nothing is left of an entity that was not there
  /// in the beginning either.
  private func followed(by mapping: EntityMapping, _ hop: MigrationHop) -> EntitySuccession? {
    guard source != nil || mapping.destinationEntityName != nil else { return nil }
    var result = self
    result.destination = mapping.destinationEntityName
    result.steps.append(Step(hop: hop, mapping: mapping))
    return result
  }

  /// The successions of all entities after a further step.
  static func continued(
    _ successions: [EntitySuccession],
    by hop: MigrationHop,
    _ model: MappingModel
  ) -> [EntitySuccession] {
    let bySource = Dictionary(
      model.entityMappings.compactMap { mapping in mapping.sourceEntityName.map { ($0, mapping) } },
      uniquingKeysWith: { first, _ in first }
    )
    let gone = successions.filter { $0.destination == nil }
    let going = successions.compactMap { succession in
      succession.destination.flatMap { bySource[$0] }.flatMap { succession.followed(by: $0, hop) }
    }
    let new = model.entityMappings.filter { $0.sourceEntityName == nil }
    return gone + going + new.map { EntitySuccession($0, hop) }
  }
}
