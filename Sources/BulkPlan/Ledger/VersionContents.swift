internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The contents of a version's objects, as parts of the source store.
struct VersionContents: Sendable {
  private var objects: [String: Provenance] = [:]
  /// Keyed by the entity of the objects, which need not declare the property.
  private var properties: [PropertyKey: Provenance] = [:]

  init(of model: ManagedObjectModel) {
    for entity in model.entities where !entity.isAbstract {
      objects[entity.name] = Provenance([.objects(of: entity.name)])
      for attribute in model.attributes(of: entity) where !attribute.isTransient {
        let key = PropertyKey(entity.name, attribute.name)
        properties[key] = Provenance([.values(key)])
      }
      for relationship in model.relationships(of: entity) where !relationship.isTransient {
        let key = PropertyKey(entity.name, relationship.name)
        properties[key] = Provenance([.links(key, to: nil)])
      }
    }
  }

  /// The provenance of an entity's objects; `nil` if there are none.
  func objects(of entity: String) -> Provenance? { objects[entity] }

  func property(_ name: String, of entity: String) -> Provenance {
    properties[PropertyKey(entity, name)] ?? Provenance()
  }

  /// Whether the source never had the lost values, which a step has added.
  func added(_ loss: MigrationPlan.Loss) -> Bool {
    guard loss.kind == .values,
      let entity = objects.keys.first(where: { loss.owner.hasPrefix("\($0).") })
    else { return false }
    let values = property(String(loss.owner.dropFirst(entity.count + 1)), of: entity)
    return values.parts.isEmpty
  }

  func mapped(by step: MigrationStep) -> VersionContents {
    let (mapping, model, destination) = (step.mapping, step.source, step.destination)
    var result = self
    (result.objects, result.properties) = ([:], [:])
    let readers = EntityReaders(mapping)
    let migrated = Set(
      model.entities.filter { $0.isAbstract || readers.migrateAll($0) }.map(\.name)
    )
    for maker in mapping.entityMappings {
      guard let source = maker.sourceEntityName, let made = objects[source],
        let entity = maker.destinationEntityName.flatMap({ destination.entity(named: $0) })
      else { continue }
      let isWhole =
        maker.filter == nil && maker.entityMigrationPolicyClassName == nil
        && maker.uniqueness == nil && maker.elements == nil
      func limited(_ found: Provenance) -> Provenance { isWhole ? found : found.atMost }
      let taken = limited(made)
      result.objects[entity.name, default: Provenance()].add(taken)
      for property in maker.attributeMappings where property.valueExpression != nil {
        result.properties[PropertyKey(entity.name, property.name), default: Provenance()]
          .add(limited(values(of: maker.attribute(property.name), of: source, taken)))
      }
      // Derived values have no property mappings.
      for attribute in destination.attributes(of: entity) where attribute.isDerived {
        let former = PropertyKey(source, attribute.canonicalName)
        guard let found = properties[former] else { continue }
        result.properties[PropertyKey(entity.name, attribute.name), default: Provenance()]
          .add(found.atMost)
      }
      for property in maker.relationshipMappings {
        guard let meaning = maker.relationship(property.name) else { continue }
        let links = limited(links(of: meaning, of: source, taken))
        let former = meaning.continuedRelationship.flatMap { name in
          model.entity(named: source).flatMap { model.relationship(named: name, of: $0) }
        }
        let isNarrowed = former.map {
          maker.narrows($0.relationship, in: step)
            || !model.targets(of: $0.relationship).isSubset(of: migrated)
        }
        result.properties[PropertyKey(entity.name, property.name), default: Provenance()]
          .add(isNarrowed == true ? links.atMost : links)
      }
    }
    result.completeInverses(in: destination)
    return result
  }

  private func values(
    of meaning: AttributeMeaning,
    of entity: String,
    _ taken: Provenance
  ) -> Provenance {
    switch meaning {
    case .copy(let name), .copyOrDefault(let name):
      properties[PropertyKey(entity, name)] ?? taken.atMost
    case .defaultValue, .constant: Provenance()
    case .policy, .expression: taken.atMost
    }
  }

  private func links(
    of meaning: RelationshipMeaning,
    of entity: String,
    _ taken: Provenance
  ) -> Provenance {
    if let name = meaning.continuedRelationship,
      let found = properties[PropertyKey(entity, name)]
    {
      return found
    }
    switch meaning {
    case .nothing: return Provenance()
    case .instances(let path, _) where path.count == 1:
      return property(path[0], of: entity).atMost
    case .instances, .policy, .unsupported: return taken.atMost
    }
  }

  /// Adds relationships that only their inverses fill.
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

enum SourcePart: Hashable, Sendable {
  /// The objects of an entity, without those of its subentities.
  case objects(of: String)
  /// The values of an attribute of an entity's objects that are not nil.
  case values(PropertyKey)
  /// The links of a relationship of an entity's objects to objects of some entities or, with `nil`,
  /// of any.
  case links(PropertyKey, to: [String]?)
  /// The values of a column in the rows of an entity that satisfy one of some sets of conditions; with `nil`, in all rows.
  case column(String, ofEntity: String, where: [[ColumnExpression]]? = nil)
  case columnOfPairs(String, table: String)
}

extension SourcePart {
  var property: PropertyKey? {
    switch self {
    case .values(let key), .links(let key, _): key
    case .objects, .column, .columnOfPairs: nil
    }
  }

  func concerns(_ property: PropertyKey) -> Bool { self.property == property }
}

/// The parts of the source store from which some contents of a version are made.
struct Provenance: Sendable {
  /// The parts; contents without any do not come from the source.
  private(set) var parts: [SourcePart]
  /// Whether all of the parts is present, each once.
  private(set) var isExact = true

  init(_ parts: [SourcePart] = []) { self.parts = parts }

  var atMost: Provenance {
    var result = self
    result.isExact = false
    return result
  }

  func concerns(_ property: PropertyKey) -> Bool { parts.contains { $0.concerns(property) } }

  mutating func add(_ other: Provenance) {
    parts += other.parts.filter { !parts.contains($0) }
    isExact = isExact && other.isExact
  }
}
