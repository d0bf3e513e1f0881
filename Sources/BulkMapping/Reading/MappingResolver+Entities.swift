internal import BulkModel

extension MappingResolver {
  /// An entity mapping with the entities that it names.
  mutating func item(_ draft: EntityMappingDraft) -> MappingItem {
    let from = entity(draft.source, of: source, "source", draft)
    let to = entity(draft.destination, of: destination, "destination", draft)
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
      isSound: isSound
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
    note(
      DraftFault(name.place, draft.subject, "the \(side) model has no entity \(name.text)\(hint)")
    )
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
    if let contradiction { note(DraftFault(draft.place, draft.subject, contradiction)) }
    if let kind = draft.kind { return kind }
    if draft.policy != nil { return .custom }
    return draft.source == nil ? .add : draft.destination == nil ? .remove : .transform
  }

  /// Names must be unique, because expressions refer to them.
  mutating func refuseRepeatedNames(_ items: [MappingItem]) {
    var known: Set<String> = []
    for item in items where !known.insert(item.mapping.name).inserted {
      let place = item.draft.name?.place ?? item.draft.place
      note(
        DraftFault(place, item.draft.subject, "another entity mapping has this name; give it one")
      )
    }
  }

  /// A compiled mapping fits only the entities that it was compiled with.
  mutating func checkHashes(_ items: [MappingItem]) {
    guard items.contains(where: { $0.draft.sourceHash != nil || $0.draft.destinationHash != nil })
    else { return }
    let sides = [
      (source.entityVersionHashesByName, "source", \EntityMappingDraft.sourceHash),
      (destination.entityVersionHashesByName, "destination", \EntityMappingDraft.destinationHash),
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
        note(DraftFault(item.draft.place, item.draft.subject, reason))
      }
    }
  }
}
