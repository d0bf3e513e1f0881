internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// What the objects of a version hold, told as parts of the store that is read.
struct VersionContents: Sendable {
  private var objects: [String: Provenance] = [:]
  /// By the entity of the objects, which need not declare the property.
  private var properties: [PropertyKey: Provenance] = [:]

  /// The contents of the store that is read.
  init(of model: ManagedObjectModel) {
    for entity in model.entities where !entity.isAbstract {
      objects[entity.name] = Provenance([.objects(of: entity.name)])
      for attribute in model.attributes(of: entity) where attribute.isStored {
        let key = PropertyKey(entity.name, attribute.name)
        properties[key] = Provenance([.values(key)])
      }
      for relationship in model.relationships(of: entity) where !relationship.isTransient {
        let key = PropertyKey(entity.name, relationship.name)
        properties[key] = Provenance([.links(key, to: nil)])
      }
    }
  }

  /// What the objects of an entity were made of; `nil` if there are none.
  func objects(of entity: String) -> Provenance? { objects[entity] }

  /// What the values of a property of the objects of an entity were made of.
  func property(_ name: String, of entity: String) -> Provenance {
    properties[PropertyKey(entity, name)] ?? Provenance()
  }

  /// The contents of the version to which a mapping leads.
  func mapped(by mapping: MappingModel, to destination: ManagedObjectModel) -> VersionContents {
    var result = self
    (result.objects, result.properties) = ([:], [:])
    for maker in mapping.entityMappings {
      guard let source = maker.sourceEntityName, let made = objects[source],
        let entity = maker.destinationEntityName.flatMap({ destination.entity(named: $0) })
      else { continue }
      let isWhole = maker.filter == nil && maker.entityMigrationPolicyClassName == nil
      let taken = isWhole ? made : made.atMost
      result.objects[entity.name, default: Provenance()].add(taken)
      for property in maker.attributeMappings + maker.relationshipMappings {
        guard let value = property.valueExpression else { continue }
        let found = provenance(of: value, of: source, taken)
        result.properties[PropertyKey(entity.name, property.name), default: Provenance()]
          .add(isWhole ? found : found.atMost)
      }
    }
    result.completeInverses(in: destination)
    return result
  }

  /// What the values of an expression over objects of an entity are made of.
  private func provenance(
    of value: ValueExpression,
    of entity: String,
    _ taken: Provenance
  ) -> Provenance {
    if let meaning = InferredMeaning(value) {
      switch meaning {
      case .copy(let name), .copyOrDefault(let name), .relationship(let name):
        if let found = properties[PropertyKey(entity, name)] { return found }
      }
    }
    if case .constant = value { return Provenance() }
    switch RelationshipMeaning(value) {
    case .nothing: return Provenance()
    case .instances(let path, _) where path.count == 1:
      return property(path[0], of: entity).atMost
    case .instances, .policy, .unsupported: return taken.atMost
    }
  }

  /// Relationships that only their inverses fill.
  private mutating func completeInverses(in model: ManagedObjectModel) {
    let stated = properties
    for entity in model.entities where objects[entity.name] != nil {
      for relationship in model.relationships(of: entity) {
        let key = PropertyKey(entity.name, relationship.name)
        guard stated[key] == nil, let inverse = model.inverse(of: relationship),
          let target = model.entity(named: relationship.destinationEntityName)
        else { continue }
        for other in model.hierarchy(from: target) {
          guard let found = stated[PropertyKey(other.name, inverse.relationship.name)] else {
            continue
          }
          properties[key, default: Provenance()].add(found.atMost)
        }
      }
    }
  }
}

extension AttributeDescription {
  /// Whether a store keeps values of the attribute that nothing else gives.
  var isStored: Bool { !isTransient && !isDerived }
}
