package import BulkModel

/// The models before and after a migration, or a step of one.
package struct ModelPair: Sendable {
  package let source: ManagedObjectModel
  package let destination: ManagedObjectModel

  package init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    (self.source, self.destination) = (source, destination)
  }
}

/// Matches the entities and properties of two models, see ``NameMatching``.
///
/// It does not matter whether only the new version has the old name as its identifier or both versions have
/// the same one, and an entity or property that was renamed several times is still matched. An entity that
/// keeps its name and version hash keeps its properties by name: the hash does not cover identifiers, so Core
/// Data considers the entity unchanged.
struct EntityMatching: Sendable {
  /// Entities or properties of one model that share a canonical name.
  struct Ambiguity: Hashable, Sendable {
    let entity: String
    let property: String?
    let kind: String
    let canonicalName: String

    /// An ambiguity of properties of an entity; of entities without one.
    init(_ found: NameMatching.Ambiguity, of entity: EntityDescription? = nil, _ kind: String) {
      self.entity = entity?.name ?? found.item.name
      property = entity.map { _ in found.item.name }
      self.kind = kind
      canonicalName = found.item.canonicalName
    }
  }

  package let source: ManagedObjectModel
  package let destination: ManagedObjectModel
  let sourceHashes: [String: VersionHash]
  let destinationHashes: [String: VersionHash]
  private let sourceNames: [String: String]
  private let destinationNames: [String: String]
  /// The properties of every entity that is continued, by the name of the source entity.
  private let properties: [String: PropertyMatching]
  let ambiguities: [Ambiguity]

  package init(between models: ModelPair) {
    (source, destination) = (models.source, models.destination)
    let sourceHashes = source.entityVersionHashesByName
    let destinationHashes = destination.entityVersionHashesByName
    self.sourceHashes = sourceHashes
    self.destinationHashes = destinationHashes
    let isUnchanged = { (name: String) in sourceHashes[name] == destinationHashes[name] }
    let entities = NameMatching(
      from: source.entities.map { .init(name: $0.name, identifier: $0.renamingIdentifier) },
      to: destination.entities.map { .init(name: $0.name, identifier: $0.renamingIdentifier) },
      isUnchanged: isUnchanged
    )
    var properties: [String: PropertyMatching] = [:]
    var ambiguities = entities.ambiguities.map { Ambiguity($0, "entity") }
    for (name, sourceName) in entities.sourceNames {
      guard let from = source.entity(named: sourceName), let to = destination.entity(named: name)
      else { continue }
      let isKept = name == sourceName && isUnchanged(name)
      let matching = PropertyMatching(from, to, models, keepsNames: isKept, takesRest: isKept)
      properties[sourceName] = matching
      ambiguities += matching.ambiguities
    }
    sourceNames = entities.sourceNames
    destinationNames = Dictionary(firstOf: entities.sourceNames.map { ($1, $0) })
    self.properties = properties
    self.ambiguities = ambiguities
  }

  package func source(of entity: EntityDescription) -> EntityDescription? {
    sourceNames[entity.name].flatMap { source.entity(named: $0) }
  }

  package func destination(of entity: EntityDescription) -> EntityDescription? {
    destinationNames[entity.name].flatMap { destination.entity(named: $0) }
  }

  /// The attribute of a source entity, own or inherited, that a destination attribute continues.
  package func attribute(
    _ attribute: AttributeDescription,
    in entity: EntityDescription
  ) -> AttributeDescription? {
    properties[entity.name]?.attributes.sourceNames[attribute.name]
      .flatMap { source.leaf(named: $0, of: entity)?.attribute }
  }

  /// The relationship of a source entity, own or inherited, that a destination relationship
  /// continues, with the entity that declares it.
  package func relationship(
    _ relationship: RelationshipDescription,
    in entity: EntityDescription
  ) -> (owner: EntityDescription, relationship: RelationshipDescription)? {
    properties[entity.name]?.relationships.sourceNames[relationship.name]
      .flatMap { source.relationship(named: $0, of: entity) }
  }
}

/// Matches the stored properties of two entities, own and inherited.
struct PropertyMatching: Sendable {
  let attributes: NameMatching
  let relationships: NameMatching
  let ambiguities: [EntityMatching.Ambiguity]

  /// A common name counts before identifiers, or where nothing else matches.
  init(
    _ sourceEntity: EntityDescription,
    _ entity: EntityDescription,
    _ models: ModelPair,
    keepsNames: Bool,
    takesRest: Bool
  ) {
    typealias Item = NameMatching.Item
    func matching(
      _ items: (ManagedObjectModel, EntityDescription) -> [Item]
    ) -> NameMatching {
      let (from, to) = (items(models.source, sourceEntity), items(models.destination, entity))
      // The properties of an unchanged entity match by name, apart from renamed composites: a version hash holds only the
      // elements of these.
      let kept = keepsNames ? Set(from.map(\.name)).intersection(to.map(\.name)) : []
      let found = [from, to].map { items in
        items.map { kept.contains($0.name) ? Item(name: $0.name, identifier: nil) : $0 }
      }
      return NameMatching(from: found[0], to: found[1], isUnchanged: { _ in takesRest })
    }
    attributes = matching { model, entity in
      model.attributes(of: entity).filter { !$0.isTransient }.map(Item.init)
    }
    relationships = matching { model, entity in
      model.relationships(of: entity).filter { !$0.isTransient }.map(Item.init)
    }
    let own = Set(
      (sourceEntity.attributes + entity.attributes).map(\.name)
        + (sourceEntity.relationships + entity.relationships).map(\.name)
    )
    // Ambiguities that concern only superentities are reported there.
    let all =
      attributes.ambiguities.map { ($0, "attribute") }
      + relationships.ambiguities.map { ($0, "relationship") }
    ambiguities = all.filter { !own.isDisjoint(with: $0.0.names) }
      .map { EntityMatching.Ambiguity($0, of: entity, $1) }
  }
}
