internal import BulkModel

extension MappingResolver {
  /// The rule by which an entity mapping makes objects once; `nil` if it has none.
  mutating func uniqueness(
    _ draft: EntityMappingDraft,
    of entity: EntityDescription?
  ) -> ObjectUniqueness? {
    guard let names = draft.unique else {
      if let kept = draft.kept {
        let reason = "without unique every source object becomes its own; name the attributes"
        note(DraftFault(kept.place, "\(draft.subject), keep", reason))
      }
      return nil
    }
    let place = names.first?.place ?? draft.place
    if let policy = draft.policy {
      let reason = "policy \(policy.text) makes the objects; let it find them, or leave it out"
      note(DraftFault(place, "\(draft.subject), unique", reason))
    }
    if draft.source == nil || draft.destination == nil {
      let reason = "it takes a source and a destination"
      note(DraftFault(place, "\(draft.subject), unique", reason))
    }
    if let entity { check(names, of: entity, draft) }
    let kept = draft.kept.flatMap { ObjectUniqueness.Kept(rawValue: $0.text) } ?? .first
    if kept == .quarantine, draft.elements != nil {
      let reason =
        "an object of one element of several cannot be left out; keep the first or the last"
      note(DraftFault(draft.kept?.place ?? place, "\(draft.subject), keep", reason))
    }
    return ObjectUniqueness(names.map(\.text), keeping: kept)
  }

  private mutating func check(
    _ names: [PlacedName],
    of entity: EntityDescription,
    _ draft: EntityMappingDraft
  ) {
    var known: Set<String> = []
    for name in names {
      let isRepeated = !known.insert(name.text).inserted
      guard let reason = isRepeated ? "it appears twice" : obstacle(to: name.text, of: entity)
      else { continue }
      note(DraftFault(name.place, "\(draft.subject), unique \(name.text)", reason))
    }
  }

  /// Why objects cannot be found by a property.
  private func obstacle(to name: String, of entity: EntityDescription) -> String? {
    let all = destination.attributes(of: entity)
    guard let attribute = all.first(where: { $0.name == name }) else {
      if destination.relationship(named: name, of: entity) != nil {
        return "it is a relationship, and objects are found by attributes alone"
      }
      return "\(entity.name) has no such attribute" + Self.hint(name, among: all.map(\.name))
    }
    if attribute.isTransient { return "it is transient, so no object in a store has a value" }
    if attribute.isDerived { return "it is derived when all objects are there" }
    if attribute.allowsExternalBinaryDataStorage {
      return "its values may lie in files beside the store, where they are not compared"
    }
    return nil
  }

  /// Objects cannot be found by an attribute that gets no value.
  mutating func refuseMissingValues(_ item: MappingItem) {
    for name in item.draft.unique ?? [] {
      let mapping = item.mapping.attributeMappings.first { $0.name == name.text }
      let written = item.draft.attributes.first { $0.name == name.text }
      let isKnown = item.destination.map { obstacle(to: name.text, of: $0) == nil } ?? false
      guard isKnown, mapping?.valueExpression == nil, written?.value != .faulty else { continue }
      let reason = "it gets no value, so all objects would be one; give it one"
      note(DraftFault(name.place, "\(item.draft.subject), unique \(name.text)", reason))
    }
  }

  /// Entity mappings that share objects must keep the same one.
  mutating func refuseDifferentKept(_ items: [MappingItem]) {
    for (place, item) in items.enumerated() {
      guard let rule = item.mapping.uniqueness else { continue }
      let other = items[..<place].first { other in
        other.mapping.destinationEntityName == item.mapping.destinationEntityName
          && other.mapping.uniqueness?.isShared(with: rule) ?? false
      }
      guard let other, let theirs = other.mapping.uniqueness, theirs.kept != rule.kept else {
        continue
      }
      let reason =
        "it shares its objects with \(other.draft.subject), which keeps \(theirs.kept.phrase); "
        + "keep the same one"
      let position = item.draft.kept?.place ?? item.draft.unique?.first?.place ?? item.draft.place
      note(DraftFault(position, "\(item.draft.subject), keep", reason))
    }
  }
}

extension ObjectUniqueness.Kept {
  /// What is kept, in words.
  fileprivate var phrase: String {
    switch self {
    case .first: "the first"
    case .last: "the last"
    case .quarantine: "the first, and leaves the others out"
    }
  }
}
