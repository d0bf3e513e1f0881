internal import BulkModel

/// Finds relationships that never get an object, whatever the rows are, because of the mapping model
/// alone.
struct RelationshipReach {
  private let model: MappingModel
  private let models: ModelPair

  package init(_ model: MappingModel, between models: ModelPair) {
    (self.model, self.models) = (model, models)
  }

  /// A lookup of destination objects, and the relationship they are assigned to.
  private struct Lookup {
    /// The entity mapping in the lookup; `nil` for all of them.
    let name: String?
    /// The entity at the end of the path.
    let end: EntityDescription
    /// Whether a relationship along the path leads to many objects.
    let isToMany: Bool
    /// The names of all entities whose objects may be at the end of the path.
    let sources: Set<String>
    /// The relationship that the objects are assigned to.
    let relationship: RelationshipDescription
    /// The names of all entities whose objects it may contain.
    let destinations: Set<String>
  }

  /// Why a relationship never gets an object.
  ///
  /// Mappings with a policy are not reported, nor are relationships that assignments to the inverse fill.
  func fault(of property: PropertyMapping, at index: Int) -> (word: String, reason: String)? {
    let mapping = model.entityMappings[index]
    guard mapping.entityMigrationPolicyClassName == nil,
      let lookup = lookup(property, of: mapping), namesKnownMapping(lookup),
      !model.entityMappings.contains(where: { finds($0, lookup) }),
      !isFilledByInverse(lookup.relationship, at: index)
    else { return nil }
    return (lookup.name ?? "", reason(lookup))
  }

  /// Whether a to-one relationship may be given several objects without taking the first.
  func mayGiveSeveral(_ property: PropertyMapping, of mapping: EntityMapping) -> Bool {
    guard let expression = property.valueExpression, !expression.takesFirst,
      let relationship = relationship(property, of: mapping), !relationship.isToMany
    else { return false }
    // A function of a policy may name any number of objects.
    if case .policy = RelationshipMeaning(expression) { return true }
    guard let lookup = lookup(property, of: mapping) else { return false }
    let makers = model.entityMappings.filter { finds($0, lookup) }
    return lookup.isToMany || Set(makers.map(\.sourceEntityName)).count < makers.count
      || makers.contains { $0.elements != nil || $0.entityMigrationPolicyClassName != nil }
  }

  private func lookup(_ property: PropertyMapping, of mapping: EntityMapping) -> Lookup? {
    guard
      let from = models.source.entity(named: mapping.sourceEntityName),
      let relationship = relationship(property, of: mapping),
      case .instances(let path, let name) = property.valueExpression.map(RelationshipMeaning.init),
      let (end, isToMany) = models.source.end(of: path, from: from),
      let target = models.destination.entity(named: relationship.destinationEntityName)
    else { return nil }
    // An entity mapping reads only objects of exactly its source entity.
    let sources = path.isEmpty ? [end] : models.source.hierarchy(from: end)
    return Lookup(
      name: name,
      end: end,
      isToMany: isToMany,
      sources: Set(sources.filter { !$0.isAbstract }.map(\.name)),
      relationship: relationship,
      destinations: Set(models.destination.hierarchy(from: target).map(\.name))
    )
  }

  /// The relationship that a property mapping assigns, unless it is transient.
  private func relationship(
    _ property: PropertyMapping,
    of mapping: EntityMapping
  ) -> RelationshipDescription? {
    models.destination.entity(named: mapping.destinationEntityName)
      .flatMap { models.destination.relationship(named: property.name, of: $0)?.relationship }
      .flatMap { $0.isTransient ? nil : $0 }
  }

  /// Whether the named entity mapping exists; another check reports it if not.
  private func namesKnownMapping(_ lookup: Lookup) -> Bool {
    lookup.name.map { name in model.entityMappings.contains { $0.name == name } } ?? true
  }

  /// Whether an entity mapping in the lookup may have made an object.
  private func finds(_ candidate: EntityMapping, _ lookup: Lookup) -> Bool {
    (lookup.name ?? candidate.name) == candidate.name && makes(candidate, lookup)
  }

  private func makes(_ candidate: EntityMapping, _ lookup: Lookup) -> Bool {
    guard let read = candidate.sourceEntityName, let made = candidate.destinationEntityName else {
      return false
    }
    // A policy may make objects of other entities.
    return lookup.sources.contains(read)
      && (lookup.destinations.contains(made) || candidate.entityMigrationPolicyClassName != nil)
  }

  /// Whether assignments to the inverse fill the relationship: those of mappings after this one, or of any where the
  /// relationship is one to many, since these keep their links (formats/migration.md 8.10).
  private func isFilledByInverse(_ relationship: RelationshipDescription, at index: Int) -> Bool {
    guard let inverse = models.destination.inverse(of: relationship) else { return false }
    return model.entityMappings[(relationship.isToMany ? 0 : index)...].contains { mapping in
      guard let made = models.destination.entity(named: mapping.destinationEntityName),
        models.destination.lineage(of: made).contains(where: { $0.name == inverse.owner.name })
      else { return false }
      if mapping.entityMigrationPolicyClassName != nil { return true }
      let property = mapping.relationshipMappings.first { $0.name == inverse.relationship.name }
      return property.flatMap { lookup($0, of: mapping) }
        .map { finds(model.entityMappings[index], $0) } ?? false
    }
  }

  private func reason(_ lookup: Lookup) -> String {
    let maker = lookup.name.map { "entity mapping \($0) makes no" } ?? "no entity mapping makes"
    let fitting = lookup.name == nil ? [] : model.entityMappings.filter { makes($0, lookup) }
    let others = fitting.map(\.name).joined(separator: " and ")
    return "it never finds an object: \(maker) objects of "
      + "\(lookup.relationship.destinationEntityName) from those of \(lookup.end.name)"
      + (fitting.isEmpty ? "" : "; \(others) \(fitting.count == 1 ? "does" : "do")")
  }
}

extension ManagedObjectModel {
  /// The entity at the end of a path of relationships, and whether one of them leads to many objects.
  func end(
    of path: some Sequence<String>,
    from entity: EntityDescription
  ) -> (EntityDescription, isToMany: Bool)? {
    var (entity, isToMany) = (entity, false)
    for name in path {
      guard let relationship = self.relationship(named: name, of: entity)?.relationship,
        let next = self.entity(named: relationship.destinationEntityName)
      else { return nil }
      entity = next
      isToMany = isToMany || relationship.isToMany
    }
    return (entity, isToMany)
  }
}

extension MappingModel {
  /// The same mapping model, in which to-one relationships take the first where they may be given several objects.
  package func takingFirst(between models: ModelPair) -> MappingModel {
    let reach = RelationshipReach(self, between: models)
    var result = self
    for (index, mapping) in entityMappings.enumerated() {
      for (position, property) in mapping.relationshipMappings.enumerated()
      where reach.mayGiveSeveral(property, of: mapping) {
        result.entityMappings[index].relationshipMappings[position].valueExpression =
          property.valueExpression?.first
      }
    }
    return result
  }
}
