internal import BulkModel

extension MappingResolver {
  /// An entity mapping with the entities that it names.
  func item(_ draft: EntityMappingDraft, ofPart part: Int) -> MappingItem {
    let from = draft.source.flatMap { models.entity($0, .source, draft.subject, report) }
    let to = draft.destination.flatMap { models.entity($0, .destination, draft.subject, report) }
    let isSound = (draft.source == nil || from != nil) && (draft.destination == nil || to != nil)
    var mapping = EntityMapping(
      draft.effectiveName,
      kind(draft),
      from: draft.source?.text,
      to: draft.destination?.text
    )
    mapping.filter = draft.filter?.value
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

  /// The type, explicit or inferred from the entities; the values distinguish copy from transform.
  private func kind(_ draft: EntityMappingDraft) -> EntityMapping.Kind {
    let (takes, makes) = (draft.source != nil, draft.destination != nil)
    let name = draft.kind?.name ?? ""
    let half = "its type is \(name), but it lacks a source or a destination"
    let contradictions: [(kind: EntityMapping.Kind?, holds: Bool, reason: String)] = [
      (nil, !takes && !makes, "it names neither a source nor a destination"),
      (.add, takes, "its type is add, but it has a source"),
      (.add, !makes, "its type is add, but it has no destination"),
      (.remove, makes, "its type is remove, but it has a destination"),
      (.remove, !takes, "its type is remove, but it has no source"),
      (.copy, !takes || !makes, half), (.transform, !takes || !makes, half),
      (.custom, draft.policy == nil, "its type is custom, but it names no policy"),
    ]
    let found = contradictions.first { $0.kind == draft.kind && $0.holds }
    if let found { report.error(draft.location, draft.subject, found.reason) }
    if let kind = draft.kind { return kind }
    if draft.policy != nil { return .custom }
    return draft.source == nil ? .add : draft.destination == nil ? .remove : .transform
  }

  /// The entity mappings that count: without the removals and additions that another file overrides.
  ///
  /// Xcode lists the whole model in every mapping model, so the removal or the addition of an entity in one file
  /// says nothing against an entity mapping in another.
  func withoutOverridden(_ items: [MappingItem]) -> [MappingItem] {
    var said: Set<String> = []
    let read = Set(items.compactMap { $0.draft.destination == nil ? nil : $0.draft.source?.text })
    let made = Set(items.compactMap { $0.draft.source == nil ? nil : $0.draft.destination?.text })
    return items.filter { item in
      switch (item.draft.source?.text, item.draft.destination?.text) {
      case (let source?, nil): !read.contains(source) && said.insert("-\(source)").inserted
      case (nil, let destination?) where item.draft.policy == nil:
        !made.contains(destination) && said.insert("+\(destination)").inserted
      case (nil, _?), (_?, _?), (nil, nil): true
      }
    }
  }

  /// Names must be unique, because expressions refer to them.
  func refuseRepeatedNames(_ items: [MappingItem]) {
    var first: [String: MappingItem] = [:]
    for item in items {
      guard let other = first[item.mapping.name] else {
        first[item.mapping.name] = item
        continue
      }
      let location = item.draft.name?.location ?? item.draft.location
      if other.part == item.part {
        let reason = "another entity mapping has this name; give it one"
        report.error(location, item.draft.subject, reason)
      } else if !makeSameObjects(item, other) {
        let reason =
          "\(other.text) has an entity mapping of this name too; give it another one"
        report.error(location, item.draft.subject, reason)
      }
    }
  }

  /// Two files must not certainly make objects of the same entity from the same rows.
  func refuseRepeatedObjects(_ items: [MappingItem]) {
    var known: [[String?]: [MappingItem]] = [:]
    for item in items {
      let key = [item.draft.source?.text, item.draft.destination?.text]
      let others = known[key, default: []]
      known[key, default: []].append(item)
      guard let other = others.first(where: { $0.part != item.part && makeSameObjects(item, $0) })
      else { continue }
      let reason =
        "\(other.text) makes objects of \(item.draft.destination?.text ?? "") from the same "
        + "\(item.draft.source?.text ?? "") too; leave one of them out, or give each a filter"
      report.error(item.draft.location, item.draft.subject, reason)
    }
  }

  private func makeSameObjects(_ first: MappingItem, _ second: MappingItem) -> Bool {
    guard let source = first.draft.source?.text, let made = first.draft.destination?.text,
      source == second.draft.source?.text, made == second.draft.destination?.text
    else { return false }
    guard let filter = first.draft.filter?.value, let other = second.draft.filter?.value else {
      return true
    }
    return filter == other
  }

  /// A compiled mapping fits only the entities that it was compiled with.
  func checkHashes(_ items: [MappingItem]) {
    guard items.contains(where: { $0.draft.sourceHash != nil || $0.draft.destinationHash != nil })
    else { return }
    for side in [MappingFile.Side.source, .destination] {
      let hashes = models[side].entityVersionHashesByName
      for item in items {
        let name = side == .source ? item.source?.name : item.destination?.name
        let hash = side == .source ? item.draft.sourceHash : item.draft.destinationHash
        guard let name, let hash, hashes[name] != hash else { continue }
        let reason =
          "it was compiled for another version of the \(side.rawValue) entity \(name) than the "
          + "\(side.rawValue) model has; compile it again, or name the model that it was compiled with"
        report.error(item.draft.location, item.draft.subject, reason)
      }
    }
  }

  /// Mappings, without their properties, for the destination entities that the file does not mention.
  ///
  /// While the file contains unknown names, it is undefined which entities it mentions, so refusals are
  /// deferred.
  func unmentioned(_ items: [MappingItem]) -> [EntityMapping] {
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
      report.error(MappingLocation(file.origin), subject, reason)
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
  func warnOfRepeatedObjects(_ model: MappingModel) {
    var known: [String: EntityMapping] = [:]
    for mapping in model.entityMappings
    where mapping.filter == nil && mapping.uniqueness == nil && mapping.elements == nil {
      guard
        let from = mapping.sourceEntityName,
        let to = models.destination.entity(named: mapping.destinationEntityName)
      else { continue }
      let root = models.destination.root(of: to).name
      guard let other = known.updateValue(mapping, forKey: "\(from)\0\(root)") else { continue }
      report.warn(
        nil,
        "entity mappings \(other.name) and \(mapping.name) both make objects of the hierarchy of "
          + "\(root) from every \(from), so each appears twice; remove one or give them filters"
      )
    }
  }

  /// Maps the properties that an entity mapping does not mention by their names or renaming
  /// identifiers.
  func addUnmentioned(_ item: inout MappingItem) {
    guard let from = item.source, let to = item.destination else { return }
    let mentioned = Set((item.draft.attributes + item.draft.relationships).map(\.name))
    let matching = PropertyMatching(from, to, models, keepsNames: false, takesRest: true)
    for attribute in models.destination.attributes(of: to)
    where !mentioned.contains(attribute.name) && attribute.isStored {
      let value = matching.attributes.sourceNames[attribute.name]
        .flatMap { models.source.leaf(named: $0, of: from) }
        .map { InferredValue.value(of: attribute, from: $0.attribute) }
      item.mapping.attributeMappings.append(PropertyMapping(attribute.name, value))
    }
    for relationship in models.destination.relationships(of: to)
    where !mentioned.contains(relationship.name) && !relationship.isTransient {
      let value = matching.relationships.sourceNames[relationship.name].flatMap {
        standard.relationship($0, of: from, for: relationship)?
          .narrowed(
            to: relationship,
            from: models.source.relationship(named: $0, of: from)?.relationship
          )
      }
      item.mapping.relationshipMappings.append(PropertyMapping(relationship.name, value))
    }
  }
}

extension MappingItem {
  /// The entity mapping with its file, line and column, within a sentence.
  fileprivate var text: String { "\(draft.location.text), \(draft.subject)," }
}
