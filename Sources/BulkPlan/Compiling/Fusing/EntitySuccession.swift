package import BulkMapping

/// An entity from the first version that has it to the last, step by step.
package struct EntitySuccession: Sendable {
  package struct Step: Sendable {
    package let step: MigrationStep
    package let mapping: EntityMapping
  }

  /// In the source store; `nil` for one that a step adds.
  package let source: String?
  /// In the destination; `nil` for one that a step removes.
  package private(set) var destination: String?
  package private(set) var steps: [Step]

  package init(_ mapping: EntityMapping, _ step: MigrationStep) {
    source = mapping.sourceEntityName
    destination = mapping.destinationEntityName
    steps = [Step(step: step, mapping: mapping)]
  }

  /// `nil` for an entity that one step adds and another removes.
  private func followed(by mapping: EntityMapping, _ step: MigrationStep) -> EntitySuccession? {
    guard source != nil || mapping.destinationEntityName != nil else { return nil }
    var result = self
    result.destination = mapping.destinationEntityName
    result.steps.append(Step(step: step, mapping: mapping))
    return result
  }

  static func continued(
    _ successions: [EntitySuccession],
    by step: MigrationStep
  ) -> [EntitySuccession] {
    let gone = successions.filter { $0.destination == nil }
    let continued = successions.compactMap { succession in
      succession.destination.flatMap { step.mappings(reading: $0).first }
        .flatMap { succession.followed(by: $0, step) }
    }
    let new = step.mapping.entityMappings.filter { $0.sourceEntityName == nil }
    return gone + continued + new.map { EntitySuccession($0, step) }
  }
}
