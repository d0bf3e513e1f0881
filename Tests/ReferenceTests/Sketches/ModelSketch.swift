/// A model in few words: entities and relationships.
///
/// The names of relationships are unique in a model, so that a name alone finds one. Every root entity
/// has the attributes of ``Marks`` besides.
struct ModelSketch: Hashable, Sendable {
  var entities: [EntitySketch]
}

extension ModelSketch {
  init(_ entities: EntitySketch...) { self.init(entities: entities) }
}

/// An entity with the relationships that it declares itself.
struct EntitySketch: Hashable, Sendable {
  var name: String
  var parent: String?
  var isAbstract: Bool
  var relationships: [RelationshipSketch]
}

extension EntitySketch {
  init(_ name: String, under parent: String? = nil, _ relationships: RelationshipSketch...) {
    self.init(name: name, parent: parent, isAbstract: false, relationships: relationships)
  }
}

/// A relationship.
struct RelationshipSketch: Hashable, Sendable {
  var name: String
  var destination: String
  var inverse: String?
  var isToMany: Bool
  var isOrdered: Bool
  /// Whether a relationship to one may not be nil.
  var isRequired = false

  static func toOne(
    _ name: String,
    _ destination: String,
    inverse: String? = nil
  ) -> RelationshipSketch {
    RelationshipSketch(
      name: name,
      destination: destination,
      inverse: inverse,
      isToMany: false,
      isOrdered: false
    )
  }

  static func toMany(
    _ name: String,
    _ destination: String,
    inverse: String? = nil,
    isOrdered: Bool = false
  ) -> RelationshipSketch {
    RelationshipSketch(
      name: name,
      destination: destination,
      inverse: inverse,
      isToMany: true,
      isOrdered: isOrdered
    )
  }
}

extension ModelSketch {
  func entity(_ name: String) -> EntitySketch? { entities.first { $0.name == name } }

  /// An entity and those that it inherits from, itself first.
  func lineage(of name: String) -> [EntitySketch] {
    guard let entity = entity(name) else { return [] }
    return [entity] + (entity.parent.map { lineage(of: $0) } ?? [])
  }

  /// The entity in whose table the objects of an entity lie.
  func root(of name: String) -> String { lineage(of: name).last?.name ?? name }

  /// The names of an entity and of all that inherit from it.
  func kinds(of name: String) -> Set<String> {
    Set(entities.map(\.name).filter { lineage(of: $0).contains { $0.name == name } })
  }

  /// The entities of which there are objects.
  var concrete: [EntitySketch] { entities.filter { !$0.isAbstract } }

  /// The relationships that objects of an entity have.
  func relationships(of name: String) -> [RelationshipSketch] {
    lineage(of: name).reversed().flatMap(\.relationships)
  }

  func relationship(_ name: String) -> RelationshipSketch? {
    entities.lazy.flatMap(\.relationships).first { $0.name == name }
  }

  /// The entity that declares a relationship.
  func owner(of relationship: RelationshipSketch) -> String {
    entities.first { $0.relationships.contains(relationship) }?.name ?? ""
  }

  func inverse(of relationship: RelationshipSketch) -> RelationshipSketch? {
    relationship.inverse.flatMap { self.relationship($0) }
  }

  /// The entity at the end of a path from an entity; `nil` where there is no such path.
  func end(of path: [String], from entity: String) -> String? {
    var entity = entity
    for name in path {
      guard let next = relationships(of: entity).first(where: { $0.name == name }) else {
        return nil
      }
      entity = next.destination
    }
    return entity
  }
}
