internal import BulkModel

/// Entity mappings for destination entities of which a file says nothing.
///
/// They are those of `MappingModel.inferred(from:to:)`, but named in the manner of Xcode, so that
/// expressions of the file can refer to them.
struct InferredMappings {
  private let matching: EntityMatching
  private let standard: StandardValues

  init(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    _ standard: StandardValues
  ) {
    matching = EntityMatching(from: source, to: destination)
    self.standard = standard
  }

  /// The mappings without their properties, by name of the destination entity, and what cannot be
  /// inferred of these entities.
  static func heads(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    entities: Set<String>,
    avoiding names: Set<String>
  ) -> (mappings: [EntityMapping], refusals: [InferenceError.Refusal]) {
    let matching = EntityMatching(from: source, to: destination)
    let refusals = InferenceRules(matching, only: entities).refusals()
    var names = names
    var mappings: [EntityMapping] = []
    for entity in destination.entities where entities.contains(entity.name) {
      let before = matching.source(of: entity)
      var name = before.map { "\($0.name)To\(entity.name)" } ?? entity.name
      while !names.insert(name).inserted { name += "_" }
      let kind: EntityMapping.Kind = before == nil ? .add : .transform
      mappings.append(EntityMapping(name, kind, from: before?.name, to: entity.name))
    }
    return (mappings, refusals)
  }

  /// A mapping with the values that are inferred for its properties.
  func filled(_ head: EntityMapping) -> EntityMapping {
    guard
      let source = head.sourceEntityName.flatMap({ matching.source.entity(named: $0) }),
      let destination = head.destinationEntityName.flatMap({
        matching.destination.entity(named: $0)
      })
    else { return head }
    var result = Inference(matching).mapping(from: source, to: destination)
    result.name = head.name
    result.relationshipMappings = matching.destination.relationships(of: destination)
      .filter { !$0.isTransient }
      .map { PropertyMapping($0.name, value(of: $0, from: source)) }
    return result
  }

  /// Where objects become several, the mapping that makes the relationship's own kind is named.
  private func value(
    of relationship: RelationshipDescription,
    from entity: EntityDescription
  ) -> ValueExpression? {
    guard let match = matching.relationship(relationship, in: entity)?.relationship else {
      return nil
    }
    guard standard.isDivided(match.destinationEntityName) else {
      return InferredValue.relationship(match.name)
    }
    return standard.relationship(match.name, of: entity, for: relationship)
  }
}
