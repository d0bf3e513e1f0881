package import BulkModel

/// Which entities and properties of two models are the same.
///
/// They are the same when their canonical names are equal: the renaming identifier, or the name
/// where there is none. So it does not matter whether only the new version carries the old name as
/// its identifier or both carry one, and a thing that was renamed several times is still found.
package struct EntityMatching: Sendable {
  /// The source model.
  package let source: ManagedObjectModel
  /// The destination model.
  package let destination: ManagedObjectModel
  private let sourceNames: [String: String]
  private let destinationNames: [String: String]
  /// Pairs of entities of one model that have one canonical name.
  let ambiguities: [(entity: String, canonicalName: String)]

  package init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
    var ambiguities: [(entity: String, canonicalName: String)] = []
    let sources = Self.byCanonicalName(source, &ambiguities)
    let destinations = Self.byCanonicalName(destination, &ambiguities)
    var sourceNames: [String: String] = [:]
    var destinationNames: [String: String] = [:]
    for (canonical, name) in destinations {
      guard let match = sources[canonical] else { continue }
      sourceNames[name] = match
      destinationNames[match] = name
    }
    self.sourceNames = sourceNames
    self.destinationNames = destinationNames
    self.ambiguities = ambiguities
  }

  private static func byCanonicalName(
    _ model: ManagedObjectModel,
    _ ambiguities: inout [(entity: String, canonicalName: String)]
  ) -> [String: String] {
    var result: [String: String] = [:]
    for entity in model.entities
    where result.updateValue(entity.name, forKey: entity.canonicalName) != nil {
      ambiguities.append((entity.name, entity.canonicalName))
    }
    return result
  }

  /// The source entity that a destination entity continues, if there is one.
  package func source(of entity: EntityDescription) -> EntityDescription? {
    sourceNames[entity.name].flatMap { source.entity(named: $0) }
  }

  /// The destination entity that continues a source entity, if there is one.
  package func destination(of entity: EntityDescription) -> EntityDescription? {
    destinationNames[entity.name].flatMap { destination.entity(named: $0) }
  }

  /// The attribute of a source entity, own or inherited, that a destination attribute continues.
  package func attribute(
    _ attribute: AttributeDescription,
    in entity: EntityDescription
  ) -> AttributeDescription? {
    source.attributes(of: entity).first {
      $0.canonicalName == attribute.canonicalName && !$0.isTransient
    }
  }

  /// The relationship of a source entity, own or inherited, that a destination relationship
  /// continues, with the entity that declares it.
  package func relationship(
    _ relationship: RelationshipDescription,
    in entity: EntityDescription
  ) -> (owner: EntityDescription, relationship: RelationshipDescription)? {
    for owner in source.lineage(of: entity) {
      let match = owner.relationships.first {
        $0.canonicalName == relationship.canonicalName && !$0.isTransient
      }
      if let match { return (owner, match) }
    }
    return nil
  }
}
