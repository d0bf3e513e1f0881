internal import BulkModel

extension MappingResolver {
  /// Adds the properties of an entity mapping, in name order.
  func fill(_ item: inout MappingItem) {
    refuseFilterWithoutSource(item)
    guard item.destination != nil else { return refuseProperties(item) }
    addWrittenAttributes(&item)
    addWrittenRelationships(&item)
    if file.parts[item.part].fillsProperties, item.mapping.kind != .add { addUnmentioned(&item) }
    refuseMissingValues(item)
    item.mapping.attributeMappings.sort { CodeUnitOrder.precedes($0.name, $1.name) }
    item.mapping.relationshipMappings.sort { CodeUnitOrder.precedes($0.name, $1.name) }
    if item.draft.kind == nil, item.mapping.kind == .transform, isCopy(item) {
      item.mapping.kind = .copy
    }
  }

  private func refuseFilterWithoutSource(_ item: MappingItem) {
    guard item.mapping.filter != nil, item.source == nil, item.isSound else { return }
    let location = item.draft.filter?.text.location ?? item.draft.location
    let reason = "there is no source whose objects it chooses"
    report.error(location, "\(item.draft.subject), filter", reason)
  }

  private func addWrittenAttributes(_ item: inout MappingItem) {
    guard let entity = item.destination else { return }
    spreadComposites(&item, entity)
    let names = models.destination.attributes(of: entity).map(\.name)
    for draft in properties(item.draft.attributes, item, names, kind: "attribute") {
      let value = expression(draft, item) { standard.attribute(draft.name, of: $0) }
        .map { draft.choice?.expression(of: $0) ?? $0 }
      if value == nil { refuseChoice(draft, item) }
      item.mapping.attributeMappings.append(PropertyMapping(draft, value))
    }
  }

  /// Replaces what gives a value to a composite attribute by what gives one to each of its elements that is not
  /// written itself.
  private func spreadComposites(_ item: inout MappingItem, _ entity: EntityDescription) {
    let leaves = models.destination.attributes(of: entity).map(\.name)
    let written = Set(item.draft.attributes.map(\.name))
    var result: [PropertyMappingDraft] = []
    for draft in item.draft.attributes {
      let elements = leaves.filter { $0.hasPrefix("\(draft.name).") }
      if elements.isEmpty { result.append(draft) }
      for element in elements where !written.contains(element) {
        let path = String(element.dropFirst(draft.name.count))
        guard let value = self.element(path, of: draft.value, item) else {
          let reason =
            "it is composite: give it another composite attribute, or each element a value, as \(element)"
          report.error(draft.location, "\(item.draft.subject), attribute \(draft.name)", reason)
          break
        }
        var part = PropertyMappingDraft(name: element, location: draft.location)
        (part.value, part.texts) = (value, draft.texts)
        result.append(part)
      }
    }
    item.draft.attributes = result
  }

  /// The value of an element, by the path that follows what has the given value; `nil` if it has no elements.
  private func element(
    _ path: String,
    of value: PropertyMappingDraft.Value,
    _ item: MappingItem
  ) -> PropertyMappingDraft.Value? {
    switch value {
    case .expression(.keyPath(let whole, of: .variable("source"))):
      let names = item.source.map { models.source.attributes(of: $0).map(\.name) } ?? []
      // A composite value without this element gives it none.
      if !names.contains(whole + path), names.contains(where: { $0.hasPrefix("\(whole).") }) {
        return .expression(.constant(.null))
      }
      return .expression(InferredValue.copy(whole + path))
    case .expression(.constant(.null)), .nothing, .standard, .faulty: return value
    case .expression, .lookup: return nil
    }
  }

  private func addWrittenRelationships(_ item: inout MappingItem) {
    guard let entity = item.destination else { return }
    let all = models.destination.relationships(of: entity)
    for draft in properties(item.draft.relationships, item, all.map(\.name), kind: "relationship") {
      let relationship = all.first { $0.name == draft.name }
      let value = expression(draft, item) {
        standard.relationship(draft.name, of: $0, for: relationship)
      }.map { $0.withSource(of: item.mapping.name) }.map { draft.takesFirst ? $0.first : $0 }
      if value == nil { refuseLookup(draft, item) }
      item.mapping.relationshipMappings.append(PropertyMapping(draft, value))
    }
  }

  /// Refuses a table or a default value without a value to which it could be applied.
  private func refuseChoice(_ draft: PropertyMappingDraft, _ item: MappingItem) {
    guard draft.choice != nil, draft.value == .standard else { return }
    let source = item.source.map { "the source entity \($0.name) has no attribute \(draft.name)" }
    let reason = source ?? "there is no source"
    report.error(
      draft.location,
      "\(item.draft.subject), attribute \(draft.name)",
      "it has no value, and \(reason)"
    )
  }

  /// Refuses the objects of an entity mapping where the source has no relationship of the same name to look in.
  private func refuseLookup(_ draft: PropertyMappingDraft, _ item: MappingItem) {
    guard case .lookup(let mapping?, nil) = draft.value, !file.parts[item.part].isXcode else {
      return
    }
    let source = item.source.map {
      "the source entity \($0.name) has no relationship \(draft.name)"
    }
    report.error(
      draft.location,
      "\(item.draft.subject), relationship \(draft.name)",
      "\(source ?? "there is no source"); write of which source objects \(mapping) makes those, as in "
        + "\"of\": \"$source.…\""
    )
  }

  private func warn(_ item: MappingItem, _ sentence: String) {
    report.warn(item.draft.location.origin, sentence)
  }

  private func refuseProperties(_ item: MappingItem) {
    guard let first = (item.draft.attributes + item.draft.relationships).first else { return }
    let reason = "it has no destination whose \(first.name) it could give a value"
    report.error(first.location, item.draft.subject, reason)
  }

  /// The drafts of properties that the destination has, with unique names.
  private func properties(
    _ drafts: [PropertyMappingDraft],
    _ item: MappingItem,
    _ names: [String],
    kind: String
  ) -> [PropertyMappingDraft] {
    var known: Set<String> = []
    let entity = item.destination?.name ?? ""
    var result: [PropertyMappingDraft] = []
    for draft in drafts {
      let subject = "\(item.draft.subject), \(kind) \(draft.name)"
      guard names.contains(draft.name) else {
        if file.parts[item.part].isXcode {
          // Xcode keeps them when a model changes.
          warn(item, "\(subject): \(entity) has no such \(kind), so it is ignored")
        } else {
          let hint = Self.hint(draft.name, among: names)
          report.error(draft.location, subject, "\(entity) has no such \(kind)\(hint)")
        }
        continue
      }
      guard known.insert(draft.name).inserted else {
        warn(item, "\(subject): it is mapped twice, and the first mapping counts")
        continue
      }
      result.append(draft)
    }
    return result
  }

  private func expression(
    _ draft: PropertyMappingDraft,
    _ item: MappingItem,
    byName: (EntityDescription) -> ValueExpression?
  ) -> ValueExpression? {
    switch draft.value {
    case .expression(let expression): return expression
    case .nothing, .faulty: return nil
    case .standard: return item.source.flatMap(byName)
    case .lookup(let mapping, let instances):
      guard let mapping else { return instances }
      let named = item.source.flatMap { models.source.relationship(named: draft.name, of: $0) }
      let given = instances ?? named.map { .keyPath($0.relationship.name, of: .variable("source")) }
      return given.map { InferredValue.objects(madeBy: mapping, from: $0) }
    }
  }

  /// Whether every property is copied from the one with the same name.
  private func isCopy(_ item: MappingItem) -> Bool {
    guard item.mapping.filter == nil, item.mapping.uniqueness == nil,
      item.mapping.elements == nil, let from = item.source, let to = item.destination
    else { return false }
    let relationships = models.destination.relationships(of: to)
    return item.mapping.attributeMappings.allSatisfy {
      $0.valueExpression == standard.attribute($0.name, of: from)
    }
      && item.mapping.relationshipMappings.allSatisfy { mapping in
        let relationship = relationships.first { $0.name == mapping.name }
        return mapping.valueExpression
          == standard.relationship(mapping.name, of: from, for: relationship)
      }
  }
}

extension PropertyMapping {
  fileprivate init(_ draft: PropertyMappingDraft, _ expression: ValueExpression?) {
    self.init(draft.name, expression)
    userInfo = draft.userInfo
  }
}

extension MappingResolver {
  /// The collection whose elements become objects; `nil` if it has none.
  func elements(_ draft: EntityMappingDraft) -> ValueExpression? {
    guard let elements = draft.elements else { return nil }
    refuse("forEach", draft, elements.text.location, "let it make one for each, or leave it out")
    return elements.value
  }

  /// Refuses something that takes a source and a destination, and no policy.
  private func refuse(
    _ name: String,
    _ draft: EntityMappingDraft,
    _ location: MappingLocation,
    _ remedy: String
  ) {
    let subject = "\(draft.subject), \(name)"
    if let policy = draft.policy {
      report.error(location, subject, "policy \(policy.text) makes the objects; \(remedy)")
    }
    if draft.source == nil || draft.destination == nil {
      report.error(location, subject, "it takes a source and a destination")
    }
  }

  func uniqueness(
    _ draft: EntityMappingDraft,
    of entity: EntityDescription?
  ) -> ObjectUniqueness? {
    guard let names = draft.unique else {
      if let kept = draft.kept {
        let reason = "without unique every source object becomes its own; name the attributes"
        report.error(kept.location, "\(draft.subject), keep", reason)
      }
      return nil
    }
    let location = names.first?.location ?? draft.location
    refuse("unique", draft, location, "let it find them, or leave it out")
    if let entity { check(names, of: entity, draft) }
    let kept = draft.kept.flatMap { ObjectUniqueness.Kept(rawValue: $0.text) } ?? .first
    if kept == .quarantine, draft.elements != nil {
      let reason =
        "an object of one element of several cannot be left out; keep the first or the last"
      report.error(draft.kept?.location ?? location, "\(draft.subject), keep", reason)
    }
    return ObjectUniqueness(names.map(\.text), keeping: kept)
  }

  private func check(
    _ names: [LocatedName],
    of entity: EntityDescription,
    _ draft: EntityMappingDraft
  ) {
    var known: Set<String> = []
    for name in names {
      let isRepeated = !known.insert(name.text).inserted
      guard let reason = isRepeated ? "it appears twice" : obstacle(to: name.text, of: entity)
      else { continue }
      report.error(name.location, "\(draft.subject), unique \(name.text)", reason)
    }
  }

  /// Why objects cannot be found by a property.
  private func obstacle(to name: String, of entity: EntityDescription) -> String? {
    let all = models.destination.attributes(of: entity)
    guard let attribute = all.first(where: { $0.name == name }) else {
      if models.destination.relationship(named: name, of: entity) != nil {
        return "it is a relationship, and objects are found by attributes alone"
      }
      return "\(entity.name) has no such attribute" + Self.hint(name, among: all.map(\.name))
    }
    let obstacles: [(holds: Bool, reason: String)] = [
      (attribute.isTransient, "it is transient, so no object in a store has a value"),
      (attribute.isDerived, "it is derived when all objects are there"),
      (
        attribute.allowsExternalBinaryDataStorage,
        "its values may lie in files beside the store, where they are not compared"
      ),
    ]
    return obstacles.first(where: \.holds)?.reason
  }

  /// Objects cannot be found by an attribute that gets no value.
  func refuseMissingValues(_ item: MappingItem) {
    for name in item.draft.unique ?? [] {
      let mapping = item.mapping.attributeMappings.first { $0.name == name.text }
      let written = item.draft.attributes.first { $0.name == name.text }
      let isKnown = item.destination.map { obstacle(to: name.text, of: $0) == nil } ?? false
      guard isKnown, mapping?.valueExpression == nil, written?.value != .faulty else { continue }
      let reason = "it gets no value, so all objects would be one; give it one"
      report.error(name.location, "\(item.draft.subject), unique \(name.text)", reason)
    }
  }

  /// Entity mappings that share objects must keep the same one.
  func refuseDifferentKept(_ items: [MappingItem]) {
    for (number, item) in items.enumerated() {
      guard let rule = item.mapping.uniqueness else { continue }
      let other = items[..<number].first { other in
        other.mapping.destinationEntityName == item.mapping.destinationEntityName
          && other.mapping.uniqueness?.isShared(with: rule) ?? false
      }
      guard let other, let theirs = other.mapping.uniqueness, theirs.kept != rule.kept else {
        continue
      }
      let reason =
        "it shares its objects with \(other.draft.subject), which keeps \(theirs.kept.phrase); "
        + "keep the same one"
      let position =
        item.draft.kept?.location ?? item.draft.unique?.first?.location ?? item.draft.location
      report.error(position, "\(item.draft.subject), keep", reason)
    }
  }
}

extension ObjectUniqueness.Kept {
  fileprivate var phrase: String {
    switch self {
    case .first: "the first"
    case .last: "the last"
    case .quarantine: "the first, and leaves the others out"
    }
  }
}
