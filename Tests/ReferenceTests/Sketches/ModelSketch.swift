import BulkTestSupport

/// A model as entities and relationships alone.
///
/// The names of relationships are unique in a model, so that a name alone finds one. In a store every root entity has
/// the attributes of ``Marks`` as well.
struct ModelSketch: Hashable, Sendable {
  var entities: [EntityDescription]
}

extension ModelSketch {
  init(_ entities: EntityDescription...) { self.init(entities: entities) }

  /// The model of the source, or of what a migration made.
  func model(isMade: Bool = false) throws -> ManagedObjectModel {
    let marks = [AttributeDescription.optional("n", .integer32), .optional("text")]
    let made = isMade ? ["loud", "maker"] : []
    var entities = entities
    for index in entities.indices where entities[index].superentityName == nil {
      entities[index].attributes = marks + made.map { .optional($0) }
    }
    return try ManagedObjectModel(entities: entities)
  }
}

extension ModelSketch {
  func entity(_ name: String) -> EntityDescription? { entities.first { $0.name == name } }

  /// An entity and those that it inherits from, itself first.
  func lineage(of name: String) -> [EntityDescription] {
    guard let entity = entity(name) else { return [] }
    return [entity] + (entity.superentityName.map { lineage(of: $0) } ?? [])
  }

  /// The entity in whose table the objects of an entity lie.
  func root(of name: String) -> String { lineage(of: name).last?.name ?? name }

  /// The names of an entity and of all that inherit from it.
  func kinds(of name: String) -> Set<String> {
    Set(entities.map(\.name).filter { lineage(of: $0).contains { $0.name == name } })
  }

  /// The entities of which there are objects.
  var concrete: [EntityDescription] { entities.filter { !$0.isAbstract } }

  /// The relationships that objects of an entity have.
  func relationships(of name: String) -> [RelationshipDescription] {
    lineage(of: name).reversed().flatMap(\.relationships)
  }

  func relationship(_ name: String) -> RelationshipDescription? {
    entities.lazy.flatMap(\.relationships).first { $0.name == name }
  }

  /// The entity that declares a relationship.
  func owner(of relationship: RelationshipDescription) -> String {
    entities.first { $0.relationships.contains(relationship) }?.name ?? ""
  }

  func inverse(of relationship: RelationshipDescription) -> RelationshipDescription? {
    relationship.inverseName.flatMap { self.relationship($0) }
  }

  /// The entity at the end of a path from an entity; `nil` where there is no such path.
  func end(of path: [String], from entity: String) -> String? {
    var entity = entity
    for name in path {
      guard let next = relationships(of: entity).first(where: { $0.name == name }) else {
        return nil
      }
      entity = next.destinationEntityName
    }
    return entity
  }
}
