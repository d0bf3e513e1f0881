internal import BulkModel

/// Entity mappings for destination entities that a file does not mention.
///
/// They are those of `MappingModel.inferred(from:to:)`, but named as in Xcode, so that expressions in the
/// file can refer to them.
struct InferredMappings {
  private let matching: EntityMatching
  private let standard: StandardValues

  init(between models: ModelPair, _ standard: StandardValues) {
    matching = EntityMatching(between: models)
    self.standard = standard
  }

  /// The mappings without their properties, by name of the destination entity, and the refusals for these
  /// entities.
  static func heads(
    between models: ModelPair,
    entities: Set<String>,
    avoiding names: Set<String>
  ) -> (mappings: [EntityMapping], refusals: [InferenceError.Refusal]) {
    let matching = EntityMatching(between: models)
    let refusals = InferenceRules(matching: matching, entities: entities).refusals()
    var names = names
    var mappings: [EntityMapping] = []
    for entity in models.destination.entities where entities.contains(entity.name) {
      let before = matching.source(of: entity)
      var name = before.map { "\($0.name)To\(entity.name)" } ?? entity.name
      while !names.insert(name).inserted { name += "_" }
      let kind: EntityMapping.Kind = before == nil ? .add : .transform
      mappings.append(EntityMapping(name, kind, from: before?.name, to: entity.name))
    }
    return (mappings, refusals)
  }

  func filled(_ head: EntityMapping) -> EntityMapping {
    guard
      let source = matching.source.entity(named: head.sourceEntityName),
      let destination = matching.destination.entity(named: head.destinationEntityName)
    else { return head }
    var result = matching.mapping(from: source, to: destination)
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
    let value =
      standard.isDivided(match.destinationEntityName)
      ? standard.relationship(match.name, of: entity, for: relationship)
      : InferredValue.relationship(match.name)
    return value?.narrowed(to: relationship, from: match)
  }
}

/// The values that Xcode's compiler gives to properties without an explicit value.
///
/// Source: formats/mapping-models.md 3.5 and 3.6.
struct StandardValues {
  private let source: ManagedObjectModel
  /// The entity mappings that make objects, by their source entities.
  private let bySource: [String: [EntityMapping]]
  init(from source: ManagedObjectModel, _ mappings: [EntityMapping]) {
    self.source = source
    bySource = Dictionary(
      grouping: mappings.filter { $0.destinationEntityName != nil && $0.sourceEntityName != nil },
      by: { $0.sourceEntityName ?? "" }
    )
  }

  /// The value of the source attribute with a name; `nil` if there is none.
  func attribute(_ name: String, of entity: EntityDescription) -> ValueExpression? {
    source.leaf(named: name, of: entity).map { _ in InferredValue.copy(name) }
  }

  /// The objects made from those of the source relationship with a name; `nil` if the source has none.
  func relationship(
    _ name: String,
    of entity: EntityDescription,
    for relationship: RelationshipDescription?
  ) -> ValueExpression? {
    guard
      let found = source.relationship(named: name, of: entity)?.relationship,
      let target = source.entity(named: found.destinationEntityName)
    else { return nil }
    var candidates = bySource[target.name, default: []]
    if candidates.count > 1, let wanted = relationship?.destinationEntityName {
      candidates = candidates.filter { $0.destinationEntityName == wanted }
    }
    guard source.subentities(of: target).isEmpty, candidates.count == 1 else {
      return InferredValue.relationship(name)
    }
    return InferredValue.objects(along: [name], madeBy: candidates[0].name)
  }

  /// Whether several mappings read the objects of an entity or of one of its subentities.
  func isDivided(_ entityName: String) -> Bool {
    guard let entity = source.entity(named: entityName) else { return false }
    return source.hierarchy(from: entity).contains { bySource[$0.name, default: []].count > 1 }
  }
}
