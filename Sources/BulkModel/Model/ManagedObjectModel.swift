/// A managed object model (`NSManagedObjectModel`): entities that refer to each other by name.
///
/// A value of this type is valid: names are unique, every superentity, relationship destination and inverse
/// exists, and inheritance has no cycle and at most 256 levels.
public struct ManagedObjectModel: Hashable, Sendable {
  /// The depth limit of inheritance; no real model reaches a tenth of it.
  static let inheritanceLimit = 256

  /// The entities, by name in code-unit order.
  public let entities: [EntityDescription]
  /// The version identifiers, in code-unit order; they do not affect compatibility.
  public let versionIdentifiers: [String]
  /// The named configurations, each with the names of its entities in code-unit order.
  public let configurations: [String: [String]]
  /// The fetch request templates, by name in code-unit order.
  public let fetchRequestTemplates: [FetchRequestDescription]

  private let indexByName: [String: Int]
  private let superentityIndexes: [Int?]
  private let subentityIndexes: [[Int]]

  /// Makes a valid model.
  ///
  /// - Throws: ``ModelError`` that names the invalid entity and property.
  public init(
    entities: [EntityDescription],
    versionIdentifiers: [String] = [],
    configurations: [String: [String]] = [:],
    fetchRequestTemplates: [FetchRequestDescription] = []
  ) throws(ModelError) {
    let sorted = entities.map(\.sortedByName)
      .sorted { CodeUnitOrder.precedes($0.name, $1.name) }
    self.entities = sorted
    self.versionIdentifiers = Set(versionIdentifiers).sortedByCodeUnit()
    self.configurations = configurations.mapValues { $0.sortedByCodeUnit() }
    self.fetchRequestTemplates =
      fetchRequestTemplates
      .sorted { CodeUnitOrder.precedes($0.name, $1.name) }
    let indexByName = try ModelCheck.indexByName(sorted)
    self.indexByName = indexByName
    superentityIndexes = sorted.map { $0.superentityName.flatMap { indexByName[$0] } }
    subentityIndexes = try ModelCheck.subentities(of: sorted, indexByName: indexByName)
    try ModelCheck.properties(of: self)
  }

  /// The entity with a name; `nil` if the model has none, or without a name.
  public func entity(named name: String?) -> EntityDescription? {
    name.flatMap { indexByName[$0] }.map { entities[$0] }
  }

  /// The direct subentities of an entity, in code-unit order.
  public func subentities(of entity: EntityDescription) -> [EntityDescription] {
    guard let index = indexByName[entity.name] else { return [] }
    return subentityIndexes[index].map { entities[$0] }
  }

  /// An entity and all that inherit from it, each before its subentities.
  public func hierarchy(from entity: EntityDescription) -> [EntityDescription] {
    guard let index = indexByName[entity.name] else { return [] }
    var result: [EntityDescription] = []
    var open = [index]
    while let next = open.popLast() {
      result.append(entities[next])
      open.append(contentsOf: subentityIndexes[next].reversed())
    }
    return result
  }

  /// An entity and its superentities, from itself up to the root.
  public func lineage(of entity: EntityDescription) -> [EntityDescription] {
    [entity] + indexes(above: entity).map { entities[$0] }
  }

  private func indexes(above entity: EntityDescription) -> some Sequence<Int> {
    let first = entity.superentityName.flatMap { indexByName[$0] }
    return sequence(state: first) { above in
      defer { above = above.flatMap { superentityIndexes[$0] } }
      return above
    }
  }

  /// The root of an entity's hierarchy; its table holds all rows of the hierarchy.
  public func root(of entity: EntityDescription) -> EntityDescription {
    var root: Int?
    for index in indexes(above: entity) { root = index }
    return root.map { entities[$0] } ?? entity
  }

  /// The attributes of an entity, own and inherited, by name in code-unit order; a composite one is there as its
  /// ``AttributeDescription/leaves``.
  public func attributes(of entity: EntityDescription) -> [AttributeDescription] {
    lineage(of: entity).flatMap(\.leaves)
      .sorted { CodeUnitOrder.precedes($0.name, $1.name) }
  }

  /// One of the ``attributes(of:)`` of an entity, with the entity that declares it.
  package func leaf(
    named name: String,
    of entity: EntityDescription
  ) -> (owner: EntityDescription, attribute: AttributeDescription)? {
    declared(in: entity) { $0.leaf(named: name) }.map { (owner: $0, attribute: $1) }
  }

  /// An attribute of an entity, own or inherited, as declared.
  public func attribute(
    named name: String,
    of entity: EntityDescription
  ) -> AttributeDescription? {
    declared(in: entity) { $0.attribute(named: name) }?.property
  }

  /// The relationships of an entity, own and inherited, by name in code-unit order.
  public func relationships(of entity: EntityDescription) -> [RelationshipDescription] {
    lineage(of: entity).flatMap(\.relationships)
      .sorted { CodeUnitOrder.precedes($0.name, $1.name) }
  }

  /// A relationship of an entity, own or inherited, with the entity that declares it.
  public func relationship(
    named name: String,
    of entity: EntityDescription
  ) -> (owner: EntityDescription, relationship: RelationshipDescription)? {
    declared(in: entity) { $0.relationship(named: name) }.map { (owner: $0, relationship: $1) }
  }

  /// Finds a property in an entity or in its nearest superentity that declares it, with the entity that does.
  private func declared<Property>(
    in entity: EntityDescription,
    _ find: (EntityDescription) -> Property?
  ) -> (owner: EntityDescription, property: Property)? {
    if let own = find(entity) { return (entity, own) }
    for index in indexes(above: entity) {
      if let found = find(entities[index]) { return (entities[index], found) }
    }
    return nil
  }

  /// The inverse of a relationship, with the entity that declares it.
  public func inverse(
    of relationship: RelationshipDescription
  ) -> (owner: EntityDescription, relationship: RelationshipDescription)? {
    guard
      let name = relationship.inverseName,
      let destination = entity(named: relationship.destinationEntityName)
    else { return nil }
    return self.relationship(named: name, of: destination)
  }
}

extension EntityDescription {
  /// The leaves of its own attributes, see ``AttributeDescription/leaves``.
  public var leaves: [AttributeDescription] { attributes.flatMap(\.leaves) }

  package func leaf(named name: String) -> AttributeDescription? {
    for index in attributes.indices {
      if attributes[index].attributeType == .composite {
        if let leaf = attributes[index].leaves.first(where: { $0.name == name }) { return leaf }
      } else if attributes[index].name == name {
        return attributes[index]
      }
    }
    return nil
  }

  fileprivate func attribute(named name: String) -> AttributeDescription? {
    attributes.indices.first { attributes[$0].name == name }.map { attributes[$0] }
  }

  package func relationship(named name: String) -> RelationshipDescription? {
    relationships.indices.first { relationships[$0].name == name }.map { relationships[$0] }
  }

  /// The same entity with its properties in code-unit order of their names.
  fileprivate var sortedByName: EntityDescription {
    var result = self
    result.attributes.sort { CodeUnitOrder.precedes($0.name, $1.name) }
    result.relationships.sort { CodeUnitOrder.precedes($0.name, $1.name) }
    result.fetchedProperties.sort { CodeUnitOrder.precedes($0.name, $1.name) }
    return result
  }
}

extension ManagedObjectModel {
  /// Merges several models into one (`NSManagedObjectModel(byMerging:)`).
  ///
  /// An entity that several models have must be equal in each of them. Configurations with equal names are
  /// merged; identifiers and fetch requests are combined.
  ///
  /// - Throws: ``ModelError/duplicateEntity(_:)`` for an entity that differs.
  public init(merging models: [ManagedObjectModel]) throws(ModelError) {
    var entities: [String: EntityDescription] = [:]
    var configurations: [String: Set<String>] = [:]
    var requests: [String: FetchRequestDescription] = [:]
    for model in models {
      for entity in model.entities {
        if let known = entities[entity.name], known != entity {
          throw .duplicateEntity(entity.name)
        }
        entities[entity.name] = entity
      }
      for (name, members) in model.configurations {
        configurations[name, default: []].formUnion(members)
      }
      for request in model.fetchRequestTemplates { requests[request.name] = request }
    }
    try self.init(
      entities: Array(entities.values),
      versionIdentifiers: models.flatMap(\.versionIdentifiers),
      configurations: configurations.mapValues { Array($0) },
      fetchRequestTemplates: Array(requests.values)
    )
  }

  /// The model of the entities in a configuration.
  ///
  /// - Parameters:
  ///   - name: The name of the configuration.
  ///   - path: The model's file, for errors.
  /// - Returns: The model.
  /// - Throws: ``ModelError`` if the configuration does not exist, or if its entities refer to entities outside
  ///   of it.
  public func model(
    ofConfiguration name: String,
    path: String
  ) throws(ModelError) -> ManagedObjectModel {
    guard let members = configurations[name].map({ Set($0) }) else {
      throw .missingConfiguration(name, path: path, known: configurations.keys.sortedByCodeUnit())
    }
    return try ManagedObjectModel(
      entities: entities.filter { members.contains($0.name) },
      versionIdentifiers: versionIdentifiers,
      configurations: [name: Array(members)],
      fetchRequestTemplates: fetchRequestTemplates.filter { members.contains($0.entityName) }
    )
  }
}

/// The groups of entities that inheritance or relationships connect, each named after one of its root entities.
package struct EntityGroups {
  private let model: ManagedObjectModel
  private var above: [String: String] = [:]

  package init(_ model: ManagedObjectModel) {
    self.init(model, among: Set(model.roots.map(\.name)))
  }

  /// The groups of some root entities, connected by relationships among them.
  package init(_ model: ManagedObjectModel, among roots: Set<String>) {
    self.model = model
    for entity in model.entities where roots.contains(model.root(of: entity).name) {
      for relationship in entity.relationships where !relationship.isTransient {
        guard let target = model.entity(named: relationship.destinationEntityName) else { continue }
        let root = model.root(of: target).name
        if roots.contains(root) { unite(model.root(of: entity).name, root) }
      }
    }
  }

  /// The root entity whose name stands for the group of another.
  package func leader(of root: String) -> String {
    var name = root
    while let next = above[name] { name = next }
    return name
  }

  /// Makes one group of those of two root entities.
  package mutating func unite(_ first: String, _ second: String) {
    let (one, other) = (leader(of: first), leader(of: second))
    guard one != other else { return }
    // The smaller name leads, so the outcome does not depend on the order of visits.
    if CodeUnitOrder.precedes(one, other) { above[other] = one } else { above[one] = other }
  }

  /// The groups of some root entities, by the names of their leaders, each in the order given.
  package func groups(of roots: [String]) -> [[String]] {
    let groups = Dictionary(grouping: roots, by: leader)
    return groups.keys.sortedByCodeUnit().compactMap { groups[$0] }
  }
}

extension ManagedObjectModel {
  /// The entities without a superentity, in the order of the model.
  package var roots: [EntityDescription] { entities.filter { $0.superentityName == nil } }
}
