internal import BulkModel

/// Entity mappings for destination entities that a file does not mention.
///
/// They are those of `MappingModel.inferred(from:to:)`, but named as in Xcode, so that expressions in the
/// file can refer to them.
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

  /// The mappings without their properties, by name of the destination entity, and the refusals for these
  /// entities.
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

  /// A mapping with the inferred values of its properties.
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

  /// If several mappings read the same objects, the one with the relationship's destination is named.
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
