/// The rules that make a model sound.
enum ModelCheck {
  /// The place of every entity, by name.
  static func indexByName(_ entities: [EntityDescription]) throws(ModelError) -> [String: Int] {
    var result: [String: Int] = [:]
    for (index, entity) in entities.enumerated() {
      guard !entity.name.isEmpty else { throw .entityWithoutName }
      guard result.updateValue(index, forKey: entity.name) == nil else {
        throw .duplicateEntity(entity.name)
      }
    }
    return result
  }

  /// The direct subentities of every entity.
  static func subentities(
    of entities: [EntityDescription],
    indexByName: [String: Int]
  ) throws(ModelError) -> [[Int]] {
    var result = [[Int]](repeating: [], count: entities.count)
    var parents = [Int?](repeating: nil, count: entities.count)
    for (index, entity) in entities.enumerated() {
      guard let name = entity.superentityName else { continue }
      guard let parent = indexByName[name] else {
        throw .missingSuperentity(name, entity: entity.name)
      }
      parents[index] = parent
      result[parent].append(index)
    }
    // Every entity that hangs from a root is reached; what is left hangs from a cycle.
    var open = parents.indices.filter { parents[$0] == nil }
    var reached = 0
    while let next = open.popLast() {
      reached += 1
      open.append(contentsOf: result[next])
    }
    guard reached == entities.count else {
      throw .cyclicInheritance(cycleMember(parents: parents, entities: entities))
    }
    return result
  }

  private static func cycleMember(parents: [Int?], entities: [EntityDescription]) -> String {
    for start in parents.indices {
      var steps = 0
      var at: Int? = start
      while let here = at, steps <= parents.count {
        at = parents[here]
        steps += 1
      }
      if at != nil { return entities[start].name }
    }
    return ""
  }

  /// Checks the names of properties and what relationships refer to.
  static func properties(of model: ManagedObjectModel) throws(ModelError) {
    for entity in model.entities {
      try names(of: entity, in: model)
      for relationship in entity.relationships {
        guard let destination = model.entity(named: relationship.destinationEntityName) else {
          throw .missingDestination(
            relationship.destinationEntityName,
            relationship: relationship.name,
            entity: entity.name
          )
        }
        guard let inverse = relationship.inverseName else { continue }
        guard model.relationship(named: inverse, of: destination) != nil else {
          throw .missingInverse(
            inverse,
            destination: destination.name,
            relationship: relationship.name,
            entity: entity.name
          )
        }
      }
    }
  }

  private static func names(
    of entity: EntityDescription,
    in model: ManagedObjectModel
  ) throws(ModelError) {
    var seen: Set<String> = []
    let inherited = model.lineage(of: entity)
    let names = inherited.flatMap { above in
      above.attributes.map(\.name) + above.relationships.map(\.name)
        + above.fetchedProperties.map(\.name)
    }
    for name in names {
      guard !name.isEmpty else { throw .propertyWithoutName(entity: entity.name) }
      guard seen.insert(name).inserted else {
        throw .duplicateProperty(name, entity: entity.name)
      }
    }
  }
}
