/// An error in a managed object model or its file.
public enum ModelError: Error, Equatable, Sendable {
  case entityWithoutName
  /// The name of an entity or of one of its properties contains a NUL, which would end it in SQLite.
  case nameWithNUL(entity: String)
  case duplicateEntity(String)
  case missingSuperentity(String, entity: String)
  case cyclicInheritance(String)
  case inheritanceTooDeep(String, limit: Int)
  case propertyWithoutName(entity: String)
  /// Two properties of an entity, own or inherited, have the same name.
  case duplicateProperty(String, entity: String)
  case missingDestination(String, relationship: String, entity: String)
  case missingInverse(String, destination: String, relationship: String, entity: String)
  case unreadable(path: String, reason: String)
  case notAModel(path: String, reason: String)
  /// A model has no configuration with a name; those that it has, in code-unit order.
  case missingConfiguration(String, path: String, known: [String])
  case invalid(path: String, location: String, reason: String)
}

extension ModelError: CustomStringConvertible {
  /// The error as a sentence.
  public var description: String {
    switch self {
    case .entityWithoutName: "the model has an entity without a name"
    case .nameWithNUL(let entity):
      "entity \(entity.debugDescription) or one of its properties has a name with a NUL in it"
    case .duplicateEntity(let name): "the model has two entities named \(name)"
    case .missingSuperentity(let name, let entity):
      "entity \(entity) inherits from \(name), which the model does not have"
    case .cyclicInheritance(let entity): "entity \(entity) inherits from itself"
    case .inheritanceTooDeep(let entity, let limit):
      "entity \(entity) inherits through more than \(limit) entities"
    case .propertyWithoutName(let entity): "entity \(entity) has a property without a name"
    case .duplicateProperty(let name, let entity):
      "entity \(entity) has two properties named \(name), own or inherited"
    case .missingDestination(let name, let relationship, let entity):
      "\(entity).\(relationship) leads to entity \(name), which the model does not have"
    case .missingInverse(let name, let destination, let relationship, let entity):
      "\(entity).\(relationship) has the inverse \(destination).\(name), which the model does not have"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .notAModel(let path, let reason): "\(path) is not a managed object model: \(reason)"
    case .missingConfiguration(let name, let path, let known):
      "\(path) has no configuration \(name)"
        + (known.isEmpty ? ", nor any other" : "; it has \(known.joined(separator: ", "))")
    case .invalid(let path, let location, let reason): "\(path): \(location): \(reason)"
    }
  }
}

enum ModelCheck {
  static func indexByName(_ entities: [EntityDescription]) throws(ModelError) -> [String: Int] {
    var result: [String: Int] = [:]
    for (index, entity) in entities.enumerated() {
      guard !entity.name.isEmpty else { throw .entityWithoutName }
      guard !entity.name.utf8.contains(0) else { throw .nameWithNUL(entity: entity.name) }
      guard result.updateValue(index, forKey: entity.name) == nil else {
        throw .duplicateEntity(entity.name)
      }
    }
    return result
  }

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
    try depths(parents: parents, subentities: result, entities: entities)
    return result
  }

  /// Walks the inheritance tree from the roots; any entity not reached descends from a cycle.
  private static func depths(
    parents: [Int?],
    subentities: [[Int]],
    entities: [EntityDescription]
  ) throws(ModelError) {
    var level = parents.indices.filter { parents[$0] == nil }
    var reached = [Bool](repeating: false, count: parents.count)
    var depth = 0
    while let first = level.first {
      depth += 1
      guard depth <= ManagedObjectModel.inheritanceLimit else {
        throw .inheritanceTooDeep(
          entities[first].name,
          limit: ManagedObjectModel.inheritanceLimit
        )
      }
      for index in level { reached[index] = true }
      level = level.flatMap { subentities[$0] }
    }
    guard var member = reached.firstIndex(of: false) else { return }
    // After as many steps up as there are entities, the current one is in the cycle.
    for _ in parents.indices { member = parents[member] ?? member }
    throw .cyclicInheritance(entities[member].name)
  }

  static func properties(of model: ManagedObjectModel) throws(ModelError) {
    let relationships = Dictionary(
      firstOf: model.entities.map { ($0.name, Set($0.relationships.map(\.name))) }
    )
    for root in model.roots {
      var inherited: Set<String> = []
      try names(of: root, inherited: &inherited, in: model)
    }
    for entity in model.entities {
      for relationship in entity.relationships {
        try destination(of: relationship, in: entity, model, relationships)
      }
    }
  }

  /// Validates an entity and its subentities, up to ``ManagedObjectModel/inheritanceLimit`` levels deep.
  private static func names(
    of entity: EntityDescription,
    inherited: inout Set<String>,
    in model: ManagedObjectModel
  ) throws(ModelError) {
    let own =
      entity.attributes.map(\.name) + entity.relationships.map(\.name)
      + entity.fetchedProperties.map(\.name)
    for name in own {
      guard !name.isEmpty else { throw .propertyWithoutName(entity: entity.name) }
      guard !name.utf8.contains(0) else { throw .nameWithNUL(entity: entity.name) }
      guard inherited.insert(name).inserted else {
        throw .duplicateProperty(name, entity: entity.name)
      }
    }
    for subentity in model.subentities(of: entity) {
      try names(of: subentity, inherited: &inherited, in: model)
    }
    inherited.subtract(own)
  }

  private static func destination(
    of relationship: RelationshipDescription,
    in entity: EntityDescription,
    _ model: ManagedObjectModel,
    _ relationships: [String: Set<String>]
  ) throws(ModelError) {
    guard let destination = model.entity(named: relationship.destinationEntityName) else {
      throw .missingDestination(
        relationship.destinationEntityName,
        relationship: relationship.name,
        entity: entity.name
      )
    }
    guard let inverse = relationship.inverseName else { return }
    var owner: String? = destination.name
    while let name = owner {
      if relationships[name]?.contains(inverse) == true { return }
      owner = model.entity(named: name)?.superentityName
    }
    throw .missingInverse(
      inverse,
      destination: destination.name,
      relationship: relationship.name,
      entity: entity.name
    )
  }
}
