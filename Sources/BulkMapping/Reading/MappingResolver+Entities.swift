internal import BulkModel

extension MappingResolver {
  /// An entity mapping with the entities that it names.
  mutating func item(_ draft: EntityMappingDraft, ofPart part: Int) -> MappingItem {
    let from = entity(draft.source, of: models.source, "source", draft)
    let to = entity(draft.destination, of: models.destination, "destination", draft)
    let isSound = (draft.source == nil || from != nil) && (draft.destination == nil || to != nil)
    var mapping = EntityMapping(
      draft.effectiveName,
      kind(draft),
      from: draft.source?.text,
      to: draft.destination?.text
    )
    mapping.filter = draft.filter
    mapping.entityMigrationPolicyClassName = draft.policy?.text
    mapping.userInfo = draft.userInfo
    mapping.elements = elements(draft)
    mapping.uniqueness = uniqueness(draft, of: to)
    return MappingItem(
      draft: draft,
      mapping: mapping,
      source: from,
      destination: to,
      isSound: isSound,
      part: part
    )
  }

  private mutating func entity(
    _ name: PlacedName?,
    of model: ManagedObjectModel,
    _ side: String,
    _ draft: EntityMappingDraft
  ) -> EntityDescription? {
    guard let name else { return nil }
    if let entity = model.entity(named: name.text) { return entity }
    let hint = Self.hint(name.text, among: model.entities.map(\.name))
    note(name.place, draft.subject, "the \(side) model has no entity \(name.text)\(hint)")
    return nil
  }

  /// The type, explicit or inferred from the entities; the values distinguish copy from transform.
  private mutating func kind(_ draft: EntityMappingDraft) -> EntityMapping.Kind {
    let hasBoth = draft.source != nil && draft.destination != nil
    let contradiction: String? =
      switch draft.kind {
      case nil where draft.source == nil && draft.destination == nil:
        "it names neither a source nor a destination"
      case .add? where draft.source != nil: "its type is add, but it has a source"
      case .add? where draft.destination == nil: "its type is add, but it has no destination"
      case .remove? where draft.destination != nil: "its type is remove, but it has a destination"
      case .remove? where draft.source == nil: "its type is remove, but it has no source"
      case .copy? where !hasBoth, .transform? where !hasBoth:
        "its type is \(draft.kind?.name ?? ""), but it lacks a source or a destination"
      case .custom? where draft.policy == nil: "its type is custom, but it names no policy"
      case nil, .add?, .remove?, .copy?, .transform?, .custom?: nil
      }
    if let contradiction { note(draft.place, draft.subject, contradiction) }
    if let kind = draft.kind { return kind }
    if draft.policy != nil { return .custom }
    return draft.source == nil ? .add : draft.destination == nil ? .remove : .transform
  }

  /// Names must be unique, because expressions refer to them.
  mutating func refuseRepeatedNames(_ items: [MappingItem]) {
    var known: Set<String> = []
    for item in items where !known.insert(item.mapping.name).inserted {
      let place = item.draft.name?.place ?? item.draft.place
      note(place, item.draft.subject, "another entity mapping has this name; give it one")
    }
  }

  /// A compiled mapping fits only the entities that it was compiled with.
  mutating func checkHashes(_ items: [MappingItem]) {
    guard items.contains(where: { $0.draft.sourceHash != nil || $0.draft.destinationHash != nil })
    else { return }
    let sides = [
      (models.source.entityVersionHashesByName, "source", \EntityMappingDraft.sourceHash),
      (
        models.destination.entityVersionHashesByName, "destination",
        \EntityMappingDraft.destinationHash
      ),
    ]
    for item in items {
      for (hashes, side, hash) in sides {
        let name = side == "source" ? item.source?.name : item.destination?.name
        guard let name, let compiled = item.draft[keyPath: hash], hashes[name] != compiled else {
          continue
        }
        let reason =
          "it was compiled for another version of the \(side) entity \(name) than the \(side) "
          + "model has; compile it again, or name the model that it was compiled with"
        note(item.draft.place, item.draft.subject, reason)
      }
    }
  }

  /// Mappings, without their properties, for the destination entities that the file does not mention.
  ///
  /// While the file contains unknown names, it is undefined which entities it mentions, so refusals are
  /// deferred.
  mutating func unmentioned(_ items: [MappingItem]) -> [EntityMapping] {
    let mentioned = Set(items.compactMap { $0.destination?.name })
    let names = Set(models.destination.entities.map(\.name)).subtracting(mentioned)
    let inferred = InferredMappings.heads(
      between: models,
      entities: names,
      avoiding: Set(items.map(\.mapping.name))
    )
    for refusal in inferred.refusals where items.allSatisfy(\.isSound) {
      let subject =
        "entity \(refusal.entity)" + (refusal.property.map { ", property \($0)" } ?? "")
      let reason =
        "no entity mapping is written for it, and none can be inferred: \(refusal.reason)"
      note(.none, subject, reason)
    }
    return inferred.mappings
  }

  /// A mapping for every non-abstract source entity that no mapping reads.
  func removed(_ mappings: [EntityMapping]) -> [EntityMapping] {
    let read = Set(mappings.compactMap(\.sourceEntityName))
    var names = Set(mappings.map(\.name))
    return models.source.entities.filter { !$0.isAbstract && !read.contains($0.name) }.map {
      entity in
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
        let to = models.destination.entity(named: mapping.destinationEntityName)
      else { continue }
      let root = models.destination.root(of: to).name
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
    addAttributes(&item, except: mentioned, from, models.destination.attributes(of: to))
    let relationships = models.destination.relationships(of: to)
    let links = Counterparts(
      models.source.relationships(of: from).filter { !$0.isTransient }.map(NameMatching.Item.init),
      relationships.map(NameMatching.Item.init)
    )
    for relationship in relationships
    where !mentioned.contains(relationship.name) && !relationship.isTransient {
      let value = links.names[relationship.name].flatMap {
        standard.relationship($0, of: from, for: relationship)?
          .narrowed(
            to: relationship,
            from: models.source.relationship(named: $0, of: from)?.relationship
          )
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
    let before = models.source.attributes(of: from).filter { !$0.isTransient }
    let counterparts = Counterparts(
      before.map(NameMatching.Item.init),
      attributes.map(NameMatching.Item.init)
    )
    for attribute in attributes
    where !mentioned.contains(attribute.name) && attribute.isStored {
      let name = counterparts.names[attribute.name]
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
  /// The source properties, by the destination properties that continue them.
  private(set) var names: [String: String] = [:]

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
}
