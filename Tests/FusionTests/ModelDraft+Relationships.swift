import BulkTestSupport

extension ModelDraft {
  /// A relationship's place: that of its entity and its own.
  typealias Location = (entity: Int, relationship: Int)

  private func location(of name: String, in entity: String) -> Location? {
    guard
      let index = entities.firstIndex(where: { $0.name == entity }),
      let location = entities[index].relationships.firstIndex(where: { $0.name == name })
    else { return nil }
    return (index, location)
  }

  private subscript(location: Location) -> RelationshipDescription {
    get { entities[location.entity].relationships[location.relationship] }
    set { entities[location.entity].relationships[location.relationship] = newValue }
  }

  private func inverse(of location: Location) -> Location? {
    self[location].inverseName.flatMap {
      self.location(of: $0, in: self[location].destinationEntityName)
    }
  }

  mutating func addRelationship(_ random: inout SeededGenerator) -> String? {
    guard
      let from = entities.indices.randomElement(using: &random),
      let to = entities.indices.randomElement(using: &random),
      let name = Self.relationshipNames.randomElement(using: &random),
      let back = Self.relationshipNames.randomElement(using: &random)
    else { return nil }
    let hasInverse = Int.random(in: 0..<5, using: &random) > 0
    let (first, second) = (entities[from].name, entities[to].name)
    entities[from].relationships.append(
      .random(name, second, inverse: hasInverse ? back : nil, &random)
    )
    if hasInverse, from != to || name != back {
      entities[to].relationships.append(.random(back, first, inverse: name, &random))
    }
    let inverse = location(of: back, in: second).map { self[$0].kindText } ?? "nothing"
    let kind = location(of: name, in: first).map { self[$0].kindText } ?? ""
    return "\(first).\(name) added, \(kind), to \(second), inverse "
      + (hasInverse ? "\(back), \(inverse)" : "none")
  }

  mutating func addOwnInverse(_ random: inout SeededGenerator) -> String? {
    guard
      let index = entities.indices.randomElement(using: &random),
      let name = Self.relationshipNames.randomElement(using: &random)
    else { return nil }
    let entity = entities[index].name
    entities[index].relationships.append(.random(name, entity, inverse: name, &random))
    return "\(entity).\(name) added, its own inverse"
  }

  mutating func removeRelationship(_ random: inout SeededGenerator) -> String? {
    changeRelationship(&random, "removed") { draft, location, inverse, _ in
      let name = draft[location].name
      let other = inverse.map { (draft.entities[$0.entity].name, draft[$0].name) }
      draft.entities[location.entity].relationships.removeAll { $0.name == name }
      guard let other, let left = draft.location(of: other.1, in: other.0) else { return }
      draft.entities[left.entity].relationships.remove(at: left.relationship)
    }
  }

  mutating func changeRelationship(
    _ random: inout SeededGenerator,
    _ what: String,
    _ body: (inout ModelDraft, Location, Location?, inout SeededGenerator) -> Void
  ) -> String? {
    guard
      let index = entities.indices.randomElement(using: &random),
      let relationship = entities[index].relationships.indices.randomElement(using: &random)
    else { return nil }
    let location = (index, relationship)
    let name = self[location].name
    let before = self
    body(&self, location, inverse(of: location), &random)
    guard before.entities != entities else { return nil }
    return "\(entities[index].name).\(name) \(what)"
  }

  mutating func renameRelationship(
    _ location: Location,
    _ inverse: Location?,
    _ random: inout SeededGenerator
  ) {
    let name = Self.relationshipNames.randomElement(using: &random) ?? "other"
    let old = self[location].name
    self[location].renamingIdentifier = self[location].canonicalName
    self[location].name = name
    if let inverse {
      self[inverse].inverseName = name
      if inverse == location { self[location].inverseName = name }
    }
    for index in entities.indices {
      entities[index].attributes.removeAll { $0.isDerived && $0.derivationText.contains(old) }
    }
  }

  mutating func toggleToMany(
    _ location: Location,
    _ inverse: Location?,
    _ random: inout SeededGenerator
  ) {
    self[location].isToMany.toggle()
    self[location].maxCount = self[location].isToMany ? 0 : 1
    self[location].isOrdered = false
  }

  /// Lets a relationship lead to a subentity or to the superentity of what it led to.
  mutating func retarget(
    _ location: Location,
    _ inverse: Location?,
    _ random: inout SeededGenerator
  ) {
    let target = self[location].destinationEntityName
    let near = entities.filter { $0.superentityName == target }.map(\.name)
    let above = entities.first { $0.name == target }?.superentityName
    guard
      inverse.map({ $0 != location }) ?? true,
      let name = (near + near + [above].compactMap(\.self)).randomElement(using: &random),
      let index = entities.firstIndex(where: { $0.name == name })
    else { return }
    self[location].destinationEntityName = name
    // The inverse is a relationship of the entity that is led to.
    guard let inverse else { return }
    let back = self[inverse]
    entities[inverse.entity].relationships.remove(at: inverse.relationship)
    entities[index].relationships.append(back)
  }

  mutating func toggleOrdered(
    _ location: Location,
    _ inverse: Location?,
    _ random: inout SeededGenerator
  ) {
    if self[location].isToMany { self[location].isOrdered.toggle() }
  }

  mutating func dropInverse(
    _ location: Location,
    _ inverse: Location?,
    _ random: inout SeededGenerator
  ) {
    guard let inverse, inverse != location else { return }
    self[location].inverseName = nil
    entities[inverse.entity].relationships.remove(at: inverse.relationship)
  }
}

extension AttributeDescription {
  fileprivate var derivationText: String { derivationExpression?.description ?? "" }

  static func random(_ name: String, _ random: inout SeededGenerator) -> AttributeDescription {
    let types: [AttributeType] = [
      .string, .string, .integer32, .integer64, .boolean, .double, .date, .binaryData, .decimal,
      .uuid,
    ]
    var result = optional(name, types.randomElement(using: &random) ?? .string)
    result.preservesValueInHistoryOnDeletion = ["amount", "code", "size", "title"].contains(name)
    if Bool.random(using: &random) { result.changeDefault(&random) }
    if result.defaultValue != nil, Bool.random(using: &random) { result.isOptional = false }
    return result
  }

  mutating func changeDefault(_ random: inout SeededGenerator) {
    let number = Int64.random(in: 0..<9, using: &random)
    switch attributeType {
    case .string: defaultValue = .string("text \(number)")
    case .integer32, .integer64: defaultValue = .integer(number)
    case .boolean: defaultValue = .boolean(number > 4)
    case .double: defaultValue = .double(Double(number) / 2)
    case .date: defaultValue = .date(Double(number) * 86_400)
    case .undefined, .integer16, .decimal, .float, .binaryData, .uuid, .uri, .transformable,
      .objectID, .composite:
      return
    }
    if isDerived { defaultValue = nil }
  }

  mutating func toggleOptional(_ random: inout SeededGenerator) {
    guard !isDerived else { return }
    if isOptional, defaultValue == nil { changeDefault(&random) }
    if defaultValue != nil || !isOptional { isOptional.toggle() }
  }

  mutating func toggleExternal(_ random: inout SeededGenerator) {
    if attributeType == .binaryData { allowsExternalBinaryDataStorage.toggle() }
  }
}

extension RelationshipDescription {
  fileprivate static func random(
    _ name: String,
    _ destination: String,
    inverse: String?,
    _ random: inout SeededGenerator
  ) -> RelationshipDescription {
    let end = destination + (inverse.map { ".\($0)" } ?? "")
    guard Bool.random(using: &random) else { return toOne(name, end) }
    let isOrdered = Int.random(in: 0..<3, using: &random) == 0
    return toMany(name, end, isOrdered: isOrdered)
  }

  fileprivate var kindText: String {
    isToMany ? isOrdered ? "ordered to-many" : "to-many" : "to-one"
  }
}
