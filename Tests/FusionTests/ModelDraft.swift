import BulkTestSupport

struct ModelDraft {
  var entities: [EntityDescription] = []

  init() {}

  init(_ model: ManagedObjectModel) { entities = model.entities }

  /// The model, if it is sound and could have been drawn in Xcode.
  var model: ManagedObjectModel? {
    guard let model = try? ManagedObjectModel(entities: entities) else { return nil }
    let isSound = model.entities.allSatisfy { entity in
      let names =
        model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
      return Set(names).count == names.count
        && entity.relationships.allSatisfy { isMutual($0, of: entity, in: model) }
        && entity.uniquenessConstraints.joined().allSatisfy(Set(names).contains)
        && entity.indexes.allSatisfy { index in
          index.elements.allSatisfy { element in
            if case .property(let name) = element.subject { names.contains(name) } else { true }
          }
        }
    }
    return isSound && StoreSchema(model).underivable.isEmpty
      && model.entities.contains { !$0.isAbstract } ? model : nil
  }

  private func isMutual(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription,
    in model: ManagedObjectModel
  ) -> Bool {
    guard relationship.inverseName != nil else { return true }
    guard let inverse = model.inverse(of: relationship) else { return false }
    return inverse.relationship.inverseName == relationship.name
      && inverse.relationship.destinationEntityName == entity.name
      && inverse.owner.name == relationship.destinationEntityName
  }
}

extension ModelDraft {
  /// Makes one change by chance, and tells it; `nil` if there was nothing to change in that way.
  mutating func change(_ random: inout SeededGenerator) -> String? {
    guard !entities.isEmpty else { return addEntity(&random) }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<8: return addEntity(&random)
    case 8..<12: return removeEntity(&random)
    case 12..<16: return renameEntity(&random)
    case 16..<30: return addAttribute(&random)
    case 30..<36: return removeAttribute(&random)
    case 36..<42: return changeAttribute(&random, "renamed") { rename(&$0, &$1) }
    case 42..<48: return changeAttribute(&random, "optional or not") { $0.toggleOptional(&$1) }
    case 48..<52: return changeAttribute(&random, "default value") { $0.changeDefault(&$1) }
    case 52..<54: return changeAttribute(&random, "external or not") { $0.toggleExternal(&$1) }
    case 54..<58: return moveAttribute(&random)
    case 58..<65: return addRelationship(&random)
    case 65..<67: return addOwnInverse(&random)
    case 67..<70: return removeRelationship(&random)
    case 70..<73:
      return changeRelationship(&random, "renamed") { $0.renameRelationship($1, $2, &$3) }
    case 73..<76:
      return changeRelationship(&random, "led elsewhere") { $0.retarget($1, $2, &$3) }
    case 76..<80:
      return changeRelationship(&random, "to-many or not") { $0.toggleToMany($1, $2, &$3) }
    case 80..<84:
      return changeRelationship(&random, "ordered or not") { $0.toggleOrdered($1, $2, &$3) }
    case 84..<86:
      return changeRelationship(&random, "inverse dropped") { $0.dropInverse($1, $2, &$3) }
    case 86..<91: return changeParent(&random)
    case 91..<93: return toggleAbstract(&random)
    case 93..<96: return toggleUnique(&random)
    case 96..<98: return toggleIndex(&random)
    default: return addDerived(&random)
    }
  }

  static let entityNames = ["Alpha", "Beta", "Delta", "Gamma", "Kappa", "Omega", "Sigma"]
  static let attributeNames = ["amount", "blob", "code", "day", "flag", "label", "size", "title"]
  static let relationshipNames = ["after", "before", "child", "inner", "outer", "owner", "parts"]

  // MARK: Entities

  private mutating func addEntity(_ random: inout SeededGenerator) -> String? {
    let free = Self.entityNames.filter { name in !entities.contains { $0.name == name } }
    guard let name = free.randomElement(using: &random) else { return nil }
    var entity = EntityDescription(name)
    if Int.random(in: 0..<3, using: &random) == 0 {
      entity.superentityName = entities.randomElement(using: &random)?.name
    }
    entity.attributes = [.random(Self.attributeNames.randomElement(using: &random) ?? "a", &random)]
    entities.append(entity)
    return "entity \(name) added under \(entity.superentityName ?? "nothing")"
  }

  private mutating func removeEntity(_ random: inout SeededGenerator) -> String? {
    guard entities.count > 2, let name = entities.randomElement(using: &random)?.name else {
      return nil
    }
    guard !entities.contains(where: { $0.superentityName == name }) else { return nil }
    entities.removeAll { $0.name == name }
    for index in entities.indices {
      entities[index].relationships.removeAll { $0.destinationEntityName == name }
    }
    return "entity \(name) removed"
  }

  private mutating func renameEntity(_ random: inout SeededGenerator) -> String? {
    let free = Self.entityNames.filter { name in !entities.contains { $0.name == name } }
    guard
      let index = entities.indices.randomElement(using: &random),
      let name = free.randomElement(using: &random)
    else { return nil }
    let old = entities[index].name
    entities[index].renamingIdentifier = entities[index].canonicalName
    entities[index].name = name
    for index in entities.indices {
      if entities[index].superentityName == old { entities[index].superentityName = name }
      for number in entities[index].relationships.indices
      where entities[index].relationships[number].destinationEntityName == old {
        entities[index].relationships[number].destinationEntityName = name
      }
    }
    return "entity \(old) renamed to \(name)"
  }

  private mutating func changeParent(_ random: inout SeededGenerator) -> String? {
    guard let index = entities.indices.randomElement(using: &random) else { return nil }
    let old = entities[index].superentityName
    let new = Bool.random(using: &random) ? entities.randomElement(using: &random)?.name : nil
    guard new != old, new != entities[index].name else { return nil }
    entities[index].superentityName = new
    return "\(entities[index].name) under \(new ?? "nothing") instead of \(old ?? "nothing")"
  }

  private mutating func toggleAbstract(_ random: inout SeededGenerator) -> String? {
    guard let index = entities.indices.randomElement(using: &random) else { return nil }
    entities[index].isAbstract.toggle()
    return "\(entities[index].name) abstract or not"
  }

  private mutating func toggleUnique(_ random: inout SeededGenerator) -> String? {
    guard
      let index = entities.indices.randomElement(using: &random),
      let attribute = entities[index].attributes.filter({ !$0.isDerived })
        .randomElement(using: &random)
    else { return nil }
    let isUnique = entities[index].uniquenessConstraints.isEmpty
    entities[index].uniquenessConstraints = isUnique ? [[attribute.name]] : []
    return "\(entities[index].name).\(attribute.name) \(isUnique ? "unique" : "not unique")"
  }

  private mutating func toggleIndex(_ random: inout SeededGenerator) -> String? {
    guard
      let index = entities.indices.randomElement(using: &random),
      let attribute = entities[index].attributes.randomElement(using: &random)
    else { return nil }
    let isThere = !entities[index].indexes.isEmpty
    entities[index].indexes =
      isThere
      ? [] : [FetchIndexDescription("byIt", elements: [.init(.property(attribute.name))])]
    return "\(entities[index].name).\(attribute.name) indexed or not"
  }

  // MARK: Attributes

  private mutating func addAttribute(_ random: inout SeededGenerator) -> String? {
    guard let index = entities.indices.randomElement(using: &random) else { return nil }
    guard let name = Self.attributeNames.randomElement(using: &random) else { return nil }
    let attribute = AttributeDescription.random(name, &random)
    entities[index].attributes.append(attribute)
    return "\(entities[index].name).\(name) added, \(attribute.attributeType.name), "
      + "\(attribute.isOptional ? "optional" : "required")"
  }

  private mutating func removeAttribute(_ random: inout SeededGenerator) -> String? {
    guard
      let index = entities.indices.randomElement(using: &random),
      let number = entities[index].attributes.indices.randomElement(using: &random)
    else { return nil }
    let attribute = entities[index].attributes.remove(at: number)
    return "\(entities[index].name).\(attribute.name) removed"
  }

  private mutating func changeAttribute(
    _ random: inout SeededGenerator,
    _ what: String,
    _ body: (inout AttributeDescription, inout SeededGenerator) -> Void
  ) -> String? {
    guard
      let index = entities.indices.randomElement(using: &random),
      let number = entities[index].attributes.indices.randomElement(using: &random)
    else { return nil }
    let old = entities[index].attributes[number]
    body(&entities[index].attributes[number], &random)
    let new = entities[index].attributes[number]
    guard old != new else { return nil }
    if old.name != new.name {
      entities[index].uniquenessConstraints = []
      entities[index].indexes = []
    }
    return
      "\(entities[index].name).\(old.name) \(what)\(old.name == new.name ? "" : " " + new.name)"
  }

  private mutating func moveAttribute(_ random: inout SeededGenerator) -> String? {
    guard
      let index = entities.indices.randomElement(using: &random),
      let name = entities[index].superentityName,
      let parent = entities.firstIndex(where: { $0.name == name })
    else { return nil }
    let (from, to) = Bool.random(using: &random) ? (index, parent) : (parent, index)
    guard let number = entities[from].attributes.indices.randomElement(using: &random) else {
      return nil
    }
    let attribute = entities[from].attributes.remove(at: number)
    entities[to].attributes.append(attribute)
    for index in [from, to] {
      entities[index].uniquenessConstraints = []
      entities[index].indexes = []
    }
    return "\(entities[from].name).\(attribute.name) moved to \(entities[to].name)"
  }

  private mutating func addDerived(_ random: inout SeededGenerator) -> String? {
    guard
      let index = entities.indices.randomElement(using: &random),
      let (expression, type) = derivations(of: entities[index]).randomElement(using: &random)
    else { return nil }
    entities[index].attributes.append(.derived("derived", type, expression))
    return "\(entities[index].name).derived from \(expression)"
  }

  /// What attributes of an entity may be derived from, with their types.
  private func derivations(of entity: EntityDescription) -> [(ValueExpression, AttributeType)] {
    func path(_ names: String...) -> ValueExpression {
      .keyPath(names.joined(separator: "."), of: .evaluatedObject)
    }
    func plain(_ entity: EntityDescription?) -> [AttributeDescription] {
      (entity?.attributes ?? []).filter {
        !$0.isDerived && !$0.isTransient && $0.elements.isEmpty
          && !$0.allowsExternalBinaryDataStorage
      }
    }
    let own = plain(entity).filter { $0.attributeType == .string }.map {
      (
        ValueExpression.predefined(selector: "canonical:", arguments: [path($0.name)]),
        $0.attributeType
      )
    }
    let linked = entity.relationships.flatMap { link -> [(ValueExpression, AttributeType)] in
      let others = plain(entities.first { $0.name == link.destinationEntityName })
      guard link.isToMany else {
        return others.map { (path(link.name, $0.name), $0.attributeType) }
      }
      let count = ValueExpression.predefined(selector: "count:", arguments: [path(link.name)])
      return [(count, .integer64)]
        + others.map {
          let members = [path(link.name, $0.name)]
          return (.predefined(selector: "max:", arguments: members), $0.attributeType)
        }
    }
    return own + linked
  }
}

private func rename(_ attribute: inout AttributeDescription, _ random: inout SeededGenerator) {
  guard !attribute.isDerived else { return }
  attribute.renamingIdentifier = attribute.canonicalName
  attribute.name = ModelDraft.attributeNames.randomElement(using: &random) ?? attribute.name
}
