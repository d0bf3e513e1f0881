internal import BulkCoding
internal import BulkModel

/// Makes a mapping model of what a file says and what two models have, and notes every contradiction.
struct MappingResolver {
  /// An entity mapping with what it names.
  private struct Item {
    let draft: EntityMappingDraft
    var mapping: EntityMapping
    let source: EntityDescription?
    let destination: EntityDescription?
    /// Whether all entities that it names are there.
    let isSound: Bool
  }

  private let file: MappingFile
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private(set) var faults: [DraftFault] = []
  /// What deserves a look, a sentence each.
  private(set) var warnings: [String] = []

  init(_ file: MappingFile, from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.file = file
    self.source = source
    self.destination = destination
  }

  /// The mapping model, which is of use only if there are no faults.
  mutating func mappingModel() -> MappingModel {
    var items: [Item] = []
    for draft in file.drafts { items.append(item(draft)) }
    refuseRepeatedNames(items)
    checkHashes(items)
    var inferred: [EntityMapping] = []
    if file.infer == .unmentioned, items.allSatisfy(\.isSound) {
      inferred = unmentioned(items)
    }
    let heads = items.map(\.mapping) + inferred
    let standard = StandardValues(from: source, heads)
    var result = MappingModel()
    for var item in items {
      if item.isSound { fill(&item, standard) }
      result.entityMappings.append(item.mapping)
    }
    let values = InferredMappings(from: source, to: destination, standard)
    result.entityMappings += inferred.map(values.filled)
    result.entityMappings += removed(heads)
    warnOfDoubles(result)
    return result
  }

  // MARK: Entities

  private mutating func item(_ draft: EntityMappingDraft) -> Item {
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
    mapping.entityMigrationPolicyClassName = draft.policy
    mapping.userInfo = draft.userInfo
    return Item(draft: draft, mapping: mapping, source: from, destination: to, isSound: isSound)
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
    faults.append(
      DraftFault(name.place, draft.subject, "the \(side) model has no entity \(name.text)\(hint)")
    )
    return nil
  }

  /// The type, given or by the entities; which of copy and transform it is shows with the values.
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
      default: nil
      }
    if let contradiction { faults.append(DraftFault(draft.place, draft.subject, contradiction)) }
    if let kind = draft.kind { return kind }
    if draft.policy != nil { return .custom }
    return draft.source == nil ? .add : draft.destination == nil ? .remove : .transform
  }

  private mutating func refuseRepeatedNames(_ items: [Item]) {
    var known: Set<String> = []
    for item in items where !known.insert(item.mapping.name).inserted {
      let place = item.draft.name?.place ?? item.draft.place
      faults.append(
        DraftFault(place, item.draft.subject, "another entity mapping has this name; give it one")
      )
    }
  }

  /// A compiled mapping applies only to the entities that it was compiled with.
  private mutating func checkHashes(_ items: [Item]) {
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
        faults.append(DraftFault(item.draft.place, item.draft.subject, reason))
      }
    }
  }

  // MARK: What is not mentioned

  private mutating func unmentioned(_ items: [Item]) -> [EntityMapping] {
    let mentioned = Set(items.compactMap { $0.destination?.name })
    let names = Set(destination.entities.map(\.name)).subtracting(mentioned)
    let inferred = InferredMappings.heads(
      from: source,
      to: destination,
      entities: names,
      avoiding: Set(items.map(\.mapping.name))
    )
    faults += inferred.refusals.map { refusal in
      let subject =
        "entity \(refusal.entity)" + (refusal.property.map { ", property \($0)" } ?? "")
      return DraftFault(
        .none,
        subject,
        "no entity mapping is written for it, and none can be inferred: \(refusal.reason)"
      )
    }
    return inferred.mappings
  }

  /// A mapping for every source entity with objects of its own that nothing reads.
  private func removed(_ mappings: [EntityMapping]) -> [EntityMapping] {
    let read = Set(mappings.compactMap(\.sourceEntityName))
    var names = Set(mappings.map(\.name))
    return source.entities.filter { !$0.isAbstract && !read.contains($0.name) }.map { entity in
      let candidates = [entity.name, "Remove\(entity.name)"]
      var name = candidates.first { !names.contains($0) } ?? entity.name
      while !names.insert(name).inserted { name += "_" }
      return EntityMapping(name, .remove, from: entity.name, to: nil)
    }
  }

  /// Two mappings that make objects of one kind from the same rows.
  private mutating func warnOfDoubles(_ model: MappingModel) {
    var known: [String: EntityMapping] = [:]
    for mapping in model.entityMappings where mapping.filter == nil {
      guard
        let from = mapping.sourceEntityName,
        let to = mapping.destinationEntityName.flatMap({ destination.entity(named: $0) })
      else { continue }
      let root = destination.root(of: to).name
      guard let other = known.updateValue(mapping, forKey: "\(from)\0\(root)") else { continue }
      warnings.append(
        "entity mappings \(other.name) and \(mapping.name) both make objects of the hierarchy of "
          + "\(root) from every \(from), so each is there twice; remove one or give them filters"
      )
    }
  }

  // MARK: Properties

  private mutating func fill(_ item: inout Item, _ standard: StandardValues) {
    guard let entity = item.destination else {
      refuseProperties(item)
      return checkFilter(item, standard)
    }
    let attributes = destination.attributes(of: entity)
    let relationships = destination.relationships(of: entity)
    for draft in properties(item.draft.attributes, item, attributes.map(\.name), "attribute") {
      let attribute = attributes.first { $0.name == draft.name }
      let expression = expression(draft, item, standard, "attribute") {
        standard.attribute(draft.name, of: $0)
      }
      if let attribute { check(draft, expression, for: attribute, item, standard) }
      item.mapping.attributeMappings.append(PropertyMapping(draft, expression))
    }
    for draft in properties(
      item.draft.relationships,
      item,
      relationships.map(\.name),
      "relationship"
    ) {
      let relationship = relationships.first { $0.name == draft.name }
      let expression = expression(draft, item, standard, "relationship") {
        standard.relationship(draft.name, of: $0, for: relationship)
      }
      if let relationship { check(draft, expression, for: relationship, item, standard) }
      item.mapping.relationshipMappings.append(PropertyMapping(draft, expression))
    }
    if file.fillsProperties, item.mapping.kind != .add, let from = item.source {
      addUnmentioned(&item, from, attributes, relationships, standard)
    }
    item.mapping.attributeMappings.sort { CodeUnitOrder.precedes($0.name, $1.name) }
    item.mapping.relationshipMappings.sort { CodeUnitOrder.precedes($0.name, $1.name) }
    checkFilter(item, standard)
    if item.draft.kind == nil, item.mapping.kind == .transform, isCopy(item, standard) {
      item.mapping.kind = .copy
    }
  }

  private mutating func refuseProperties(_ item: Item) {
    guard let first = (item.draft.attributes + item.draft.relationships).first else { return }
    let reason = "it has no destination whose \(first.name) it could give a value"
    faults.append(DraftFault(first.place, item.draft.subject, reason))
  }

  /// The drafts of properties that the destination has, each name once.
  private mutating func properties(
    _ drafts: [PropertyMappingDraft],
    _ item: Item,
    _ names: [String],
    _ kind: String
  ) -> [PropertyMappingDraft] {
    var known: Set<String> = []
    let entity = item.destination?.name ?? ""
    var result: [PropertyMappingDraft] = []
    for draft in drafts {
      let subject = "\(item.draft.subject), \(kind) \(draft.name)"
      guard names.contains(draft.name) else {
        if file.xcode != nil {
          // Xcode leaves them behind when a model is changed.
          warnings.append("\(subject): \(entity) has no such \(kind), so it is ignored")
        } else {
          let hint = Self.hint(draft.name, among: names)
          faults.append(DraftFault(draft.place, subject, "\(entity) has no such \(kind)\(hint)"))
        }
        continue
      }
      guard known.insert(draft.name).inserted else {
        warnings.append("\(subject): it is mapped twice, and the first mapping counts")
        continue
      }
      result.append(draft)
    }
    return result
  }

  /// The expression that a draft means.
  private mutating func expression(
    _ draft: PropertyMappingDraft,
    _ item: Item,
    _ standard: StandardValues,
    _ kind: String,
    byName: (EntityDescription) -> ValueExpression?
  ) -> ValueExpression? {
    switch draft.value {
    case .expression(let expression): return expression
    case .nothing, .faulty: return nil
    case .standard: return item.source.flatMap(byName)
    case .lookup(let mapping, let instances):
      guard let mapping else { return instances }
      let named = item.source.flatMap { source.relationship(named: draft.name, of: $0) }
      let given = instances ?? named.map { .keyPath($0.relationship.name, of: .variable("source")) }
      return given.map { StandardValues.destinationInstances(of: mapping, from: $0) }
    }
  }

  private func addUnmentioned(
    _ item: inout Item,
    _ from: EntityDescription,
    _ attributes: [AttributeDescription],
    _ relationships: [RelationshipDescription],
    _ standard: StandardValues
  ) {
    let mentioned = Set((item.draft.attributes + item.draft.relationships).map(\.name))
    let counterparts = Counterparts(
      source.attributes(of: from).filter { !$0.isTransient }
        .map { .init(name: $0.name, identifier: $0.renamingIdentifier) },
      attributes.map { .init(name: $0.name, identifier: $0.renamingIdentifier) }
    )
    for attribute in attributes
    where !mentioned.contains(attribute.name) && !attribute.isTransient && !attribute.isDerived {
      let value = counterparts.sourceName(of: attribute.name).map(InferredValue.copy)
      item.mapping.attributeMappings.append(PropertyMapping(attribute.name, value))
    }
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

  /// Whether every property gets the value of its own name.
  private func isCopy(_ item: Item, _ standard: StandardValues) -> Bool {
    guard item.mapping.filter == nil, let from = item.source, let to = item.destination else {
      return false
    }
    let relationships = destination.relationships(of: to)
    return item.mapping.attributeMappings.allSatisfy {
      $0.valueExpression == standard.attribute($0.name, of: from)
    }
      && item.mapping.relationshipMappings.allSatisfy { mapping in
        let relationship = relationships.first { $0.name == mapping.name }
        return mapping.valueExpression
          == standard.relationship(mapping.name, of: from, for: relationship)
      }
  }

  // MARK: Expressions

  /// After how many faults no expression is looked at any more.
  private static let faultLimit = 1000

  private func expressionCheck(_ item: Item, _ standard: StandardValues) -> ExpressionCheck {
    ExpressionCheck(
      from: source,
      to: destination,
      entity: item.source,
      mappings: standard.mappings,
      hasPolicy: item.mapping.entityMigrationPolicyClassName != nil
    )
  }

  private mutating func checkFilter(_ item: Item, _ standard: StandardValues) {
    guard let filter = item.mapping.filter else { return }
    let subject = "\(item.draft.subject), filter"
    guard item.source != nil else {
      let place = item.draft.filterText?.place ?? item.draft.place
      return faults.append(
        DraftFault(place, subject, "there is no source whose objects it chooses")
      )
    }
    var check = expressionCheck(item, standard)
    check.checkFilter(filter)
    report(check, item.draft.filterText, item.draft.place, subject)
  }

  private mutating func check(
    _ draft: PropertyMappingDraft,
    _ expression: ValueExpression?,
    for attribute: AttributeDescription,
    _ item: Item,
    _ standard: StandardValues
  ) {
    guard let expression, draft.value != .standard, faults.count < Self.faultLimit else { return }
    var check = expressionCheck(item, standard)
    check.checkValue(expression, for: attribute)
    report(check, draft.text, draft.place, "\(item.draft.subject), attribute \(draft.name)")
  }

  private mutating func check(
    _ draft: PropertyMappingDraft,
    _ expression: ValueExpression?,
    for relationship: RelationshipDescription,
    _ item: Item,
    _ standard: StandardValues
  ) {
    guard let expression, draft.value != .standard, faults.count < Self.faultLimit else { return }
    var check = expressionCheck(item, standard)
    check.checkValue(expression, for: relationship)
    report(check, draft.text, draft.place, "\(item.draft.subject), relationship \(draft.name)")
  }

  private mutating func report(
    _ check: ExpressionCheck,
    _ text: PlacedName?,
    _ place: MappingPlace,
    _ subject: String
  ) {
    warnings += check.warnings.map { "\(subject): \($0)" }
    faults += check.faults.map { fault in
      DraftFault(text.map { $0.place(of: fault.word) } ?? place, subject, fault.reason)
    }
  }

  static func hint(_ name: String, among names: [String]) -> String {
    NearestName.of(name, among: names).map { "; did you mean \($0)?" } ?? ""
  }
}

extension PropertyMapping {
  fileprivate init(_ draft: PropertyMappingDraft, _ expression: ValueExpression?) {
    self.init(draft.name, expression)
    userInfo = draft.userInfo
  }
}
