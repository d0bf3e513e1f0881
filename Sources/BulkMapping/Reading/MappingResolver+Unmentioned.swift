internal import BulkModel

extension MappingResolver {
  /// Mappings, without their properties, for the destination entities that the file does not mention.
  ///
  /// While the file contains unknown names, it is undefined which entities it mentions, so refusals are
  /// deferred.
  mutating func unmentioned(_ items: [MappingItem]) -> [EntityMapping] {
    let mentioned = Set(items.compactMap { $0.destination?.name })
    let names = Set(destination.entities.map(\.name)).subtracting(mentioned)
    let inferred = InferredMappings.heads(
      from: source,
      to: destination,
      entities: names,
      avoiding: Set(items.map(\.mapping.name))
    )
    for refusal in inferred.refusals where items.allSatisfy(\.isSound) {
      let subject =
        "entity \(refusal.entity)" + (refusal.property.map { ", property \($0)" } ?? "")
      let reason =
        "no entity mapping is written for it, and none can be inferred: \(refusal.reason)"
      note(DraftFault(.none, subject, reason))
    }
    return inferred.mappings
  }

  /// A mapping for every non-abstract source entity that no mapping reads.
  func removed(_ mappings: [EntityMapping]) -> [EntityMapping] {
    let read = Set(mappings.compactMap(\.sourceEntityName))
    var names = Set(mappings.map(\.name))
    return source.entities.filter { !$0.isAbstract && !read.contains($0.name) }.map { entity in
      let candidates = [entity.name, "Remove\(entity.name)"]
      var name = candidates.first { !names.contains($0) } ?? entity.name
      while !names.insert(name).inserted { name += "_" }
      return EntityMapping(name, .remove, from: entity.name, to: nil)
    }
  }

  /// Two mappings that make objects of one hierarchy from the same rows.
  mutating func warnOfRepeatedObjects(_ model: MappingModel) {
    var known: [String: EntityMapping] = [:]
    for mapping in model.entityMappings
    where mapping.filter == nil && mapping.uniqueness == nil && mapping.elements == nil {
      guard
        let from = mapping.sourceEntityName,
        let to = mapping.destinationEntityName.flatMap({ destination.entity(named: $0) })
      else { continue }
      let root = destination.root(of: to).name
      guard let other = known.updateValue(mapping, forKey: "\(from)\0\(root)") else { continue }
      warn(
        "entity mappings \(other.name) and \(mapping.name) both make objects of the hierarchy of "
          + "\(root) from every \(from), so each appears twice; remove one or give them filters"
      )
    }
  }

  /// Maps the properties that an entity mapping does not mention by their names or renaming
  /// identifiers.
  mutating func addUnmentioned(_ item: inout MappingItem, _ standard: StandardValues) {
    guard let from = item.source, let to = item.destination else { return }
    let mentioned = Set((item.draft.attributes + item.draft.relationships).map(\.name))
    addAttributes(&item, except: mentioned, from, destination.attributes(of: to))
    let relationships = destination.relationships(of: to)
    let links = Counterparts(
      source.relationships(of: from).filter { !$0.isTransient }
        .map { .init(name: $0.name, identifier: $0.renamingIdentifier) },
      relationships.map { .init(name: $0.name, identifier: $0.renamingIdentifier) }
    )
    for relationship in relationships
    where !mentioned.contains(relationship.name) && !relationship.isTransient {
      let value = links.sourceName(of: relationship.name).flatMap {
        standard.relationship($0, of: from, for: relationship)
      }
      item.mapping.relationshipMappings.append(PropertyMapping(relationship.name, value))
    }
  }

  private mutating func addAttributes(
    _ item: inout MappingItem,
    except mentioned: Set<String>,
    _ from: EntityDescription,
    _ attributes: [AttributeDescription]
  ) {
    let before = source.attributes(of: from).filter { !$0.isTransient }
    let counterparts = Counterparts(
      before.map { .init(name: $0.name, identifier: $0.renamingIdentifier) },
      attributes.map { .init(name: $0.name, identifier: $0.renamingIdentifier) }
    )
    for attribute in attributes
    where !mentioned.contains(attribute.name) && !attribute.isTransient && !attribute.isDerived {
      let name = counterparts.sourceName(of: attribute.name)
      item.mapping.attributeMappings.append(
        PropertyMapping(attribute.name, name.map(InferredValue.copy))
      )
      guard let counterpart = before.first(where: { $0.name == name }),
        let reason = attribute.typeChange(from: counterpart)
      else { continue }
      warn("\(item.draft.subject), attribute \(attribute.name): \(reason)")
    }
  }
}

/// Determines which source property a destination property continues if the file does not mention it.
///
/// Renaming identifiers take precedence over names; a name that another property has as its identifier is
/// taken.
struct Counterparts {
  private var names: [String: String] = [:]

  init(_ source: [NameMatching.Item], _ destination: [NameMatching.Item]) {
    let sourceNames = Set(source.map(\.name))
    let byCanonicalName = Dictionary(grouping: source, by: \.canonicalName)
    var claimed: Set<String> = []
    for item in destination {
      let candidates = byCanonicalName[item.canonicalName, default: []]
      let same = candidates.first { $0.name == item.name }
      guard let found = same ?? (candidates.count == 1 ? candidates.first : nil) else { continue }
      names[item.name] = found.name
      claimed.insert(found.name)
    }
    for item in destination where names[item.name] == nil {
      guard
        let name = [item.canonicalName, item.name].first(where: {
          sourceNames.contains($0) && !claimed.contains($0)
        })
      else { continue }
      names[item.name] = name
      claimed.insert(name)
    }
  }

  /// The source property that a destination property continues.
  func sourceName(of name: String) -> String? { names[name] }
}
