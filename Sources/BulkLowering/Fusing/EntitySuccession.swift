package import BulkMapping

/// What becomes of an entity step by step, from where it is first there to where it is last.
package struct EntitySuccession: Sendable {
  /// One step of it.
  package struct Step: Sendable {
    /// The step.
    package let step: MigrationStep
    /// What it does to the entity.
    package let mapping: EntityMapping
  }

  /// The entity in the store that is read; `nil` for one that is added on the way.
  package let source: String?
  /// The entity in the store that is made; `nil` for one that is removed on the way.
  package private(set) var destination: String?
  /// The steps, each with the entity that the one before left.
  package private(set) var steps: [Step]

  package init(_ mapping: EntityMapping, _ step: MigrationStep) {
    source = mapping.sourceEntityName
    destination = mapping.destinationEntityName
    steps = [Step(step: step, mapping: mapping)]
  }

  /// The succession after a further step; `nil` where nothing is left of an entity that was not there
  /// in the beginning either.
  private func followed(by mapping: EntityMapping, _ step: MigrationStep) -> EntitySuccession? {
    guard source != nil || mapping.destinationEntityName != nil else { return nil }
    var result = self
    result.destination = mapping.destinationEntityName
    result.steps.append(Step(step: step, mapping: mapping))
    return result
  }

  /// The successions of all entities after a further step.
  static func continued(
    _ successions: [EntitySuccession],
    by step: MigrationStep
  ) -> [EntitySuccession] {
    let bySource = Dictionary(
      step.mapping.entityMappings.compactMap { mapping in
        mapping.sourceEntityName.map { ($0, mapping) }
      },
      uniquingKeysWith: { first, _ in first }
    )
    let gone = successions.filter { $0.destination == nil }
    let going = successions.compactMap { succession in
      succession.destination.flatMap { bySource[$0] }.flatMap { succession.followed(by: $0, step) }
    }
    let new = step.mapping.entityMappings.filter { $0.sourceEntityName == nil }
    return gone + going + new.map { EntitySuccession($0, step) }
  }
}
