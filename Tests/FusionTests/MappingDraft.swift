import BulkTestSupport

/// A mapping model that somebody might have written for a step that could also be inferred.
struct MappingDraft {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private(set) var mapping: MappingModel
  /// What was written otherwise than it is inferred.
  private(set) var changes: [String] = []

  /// The inferred mapping, with names of its own.
  init(from source: ManagedObjectModel, to destination: ManagedObjectModel) throws {
    self.source = source
    self.destination = destination
    mapping = try .inferred(from: source, to: destination)
    mapping.entityMappings.removeAll { mapping in
      let made = mapping.destinationEntityName.flatMap { destination.entity(named: $0) }
      return made?.isAbstract ?? false
    }
    for index in mapping.entityMappings.indices {
      let entity = mapping.entityMappings[index]
      mapping.entityMappings[index].name =
        "\(entity.sourceEntityName ?? "nothing") to \(entity.destinationEntityName ?? "nothing")"
    }
  }

  mutating func change(_ random: inout SeededGenerator) {
    guard let index = mapping.entityMappings.indices.randomElement(using: &random) else { return }
    switch Int.random(in: 0..<8, using: &random) {
    case 0: filter(index, &random)
    case 1, 2: compute(index, &random)
    case 3: leaveOut(index, &random)
    case 4: leaveOutRelationship(index, &random)
    case 5: nameMapping(index, &random)
    case 6: makeAnother(index, &random)
    default: remove(index)
    }
  }

  private func entity(_ index: Int) -> EntityDescription? {
    mapping.entityMappings[index].sourceEntityName.flatMap { source.entity(named: $0) }
  }

  private mutating func note(_ index: Int, _ text: String) {
    changes.append("\(mapping.entityMappings[index].name): \(text)")
  }

  private mutating func filter(_ index: Int, _ random: inout SeededGenerator) {
    guard
      let attribute = entity(index).flatMap({
        source.attributes(of: $0).filter { !$0.isTransient && $0.attributeType != .composite }
          .randomElement(using: &random)
      })
    else { return }
    let predicate = ValuePredicate.comparison(
      .init(.keyPath(attribute.name, of: .evaluatedObject), .notEqualTo, .constant(.null))
    )
    mapping.entityMappings[index].filter = predicate
    note(index, "where \(predicate)")
  }

  private mutating func compute(_ index: Int, _ random: inout SeededGenerator) {
    guard
      let name = mapping.entityMappings[index].destinationEntityName,
      let entity = destination.entity(named: name),
      let number = mapping.entityMappings[index].attributeMappings.indices
        .randomElement(using: &random),
      let attribute = destination.attributes(of: entity).first(where: {
        $0.name == mapping.entityMappings[index].attributeMappings[number].name
      }),
      let value = value(of: attribute, for: index, &random)
    else { return }
    mapping.entityMappings[index].attributeMappings[number].valueExpression = value
    note(index, "\(attribute.name) = \(value)")
  }

  private func value(
    of attribute: AttributeDescription,
    for index: Int,
    _ random: inout SeededGenerator
  ) -> ValueExpression? {
    guard let entity = entity(index) else { return nil }
    let others = source.attributes(of: entity).filter {
      $0.attributeType == attribute.attributeType && !$0.isTransient && !$0.isDerived
        && $0.allowsExternalBinaryDataStorage == attribute.allowsExternalBinaryDataStorage
    }
    guard let other = others.randomElement(using: &random) else { return nil }
    let path = InferredValue.copy(other.name)
    switch (attribute.attributeType, Int.random(in: 0..<4, using: &random)) {
    case (.string, 0): return .predefined(selector: "uppercase:", arguments: [path])
    case (.string, 1):
      return .ternary(
        .comparison(.init(path, .equalTo, .constant(.null))),
        then: .constant(.string("none")),
        otherwise: path
      )
    case (.string, 2):
      return .function(
        target: path,
        selector: "stringByAppendingString:",
        arguments: [.constant(.string("!"))]
      )
    case (.integer16, 0), (.integer32, 0), (.integer64, 0): return .constant(.integer(7))
    case (.double, 0):
      return .predefined(selector: "multiply:by:", arguments: [path, .constant(.double(2))])
    default: return path
    }
  }

  private mutating func leaveOut(_ index: Int, _ random: inout SeededGenerator) {
    let all = mapping.entityMappings[index].attributeMappings.indices
    guard let number = all.randomElement(using: &random) else { return }
    let gone = mapping.entityMappings[index].attributeMappings.remove(at: number)
    note(index, "without \(gone.name)")
  }

  private mutating func leaveOutRelationship(_ index: Int, _ random: inout SeededGenerator) {
    let all = mapping.entityMappings[index].relationshipMappings.indices
    guard let number = all.randomElement(using: &random) else { return }
    let gone = mapping.entityMappings[index].relationshipMappings.remove(at: number)
    note(index, "without \(gone.name)")
  }

  /// Says of the objects of a relationship which entity mapping makes them.
  private mutating func nameMapping(_ index: Int, _ random: inout SeededGenerator) {
    let all = mapping.entityMappings[index].relationshipMappings.indices
    guard
      let number = all.randomElement(using: &random),
      let path = mapping.entityMappings[index].relationshipMappings[number].valueExpression
        .flatMap({ RelationshipMeaning($0).continuedRelationship }),
      let entity = entity(index),
      let end = source.relationship(named: path, of: entity)?.relationship.destinationEntityName,
      let maker = mapping.entityMappings.first(where: { $0.sourceEntityName == end })
    else { return }
    mapping.entityMappings[index].relationshipMappings[number].valueExpression = .function(
      target: .variable("manager"),
      selector: "destinationInstancesForEntityMappingNamed:sourceInstances:",
      arguments: [.constant(.string(maker.name)), InferredValue.copy(path)]
    )
    note(index, "\(path) made by \(maker.name)")
  }

  /// Makes objects of an entity that is new, or of one more entity.
  private mutating func makeAnother(_ index: Int, _ random: inout SeededGenerator) {
    let new = mapping.entityMappings.indices.filter {
      mapping.entityMappings[$0].sourceEntityName == nil
    }
    guard let number = new.randomElement(using: &random), let entity = entity(index),
      !entity.isAbstract, let name = mapping.entityMappings[number].destinationEntityName,
      let made = destination.entity(named: name), !made.isAbstract
    else { return }
    var added = EntityMapping(
      "\(entity.name) into \(name)",
      .transform,
      from: entity.name,
      to: name
    )
    for attribute in destination.attributes(of: made)
    where !attribute.isTransient && !attribute.isDerived {
      let twin = source.attributes(of: entity).first {
        $0.name == attribute.name && $0.attributeType == attribute.attributeType
      }
      added.attributeMappings.append(
        PropertyMapping(attribute.name, twin.map { InferredValue.copy($0.name) })
      )
    }
    mapping.entityMappings[number] = added
    changes.append("\(added.name)")
  }

  private mutating func remove(_ index: Int) {
    guard let name = mapping.entityMappings[index].sourceEntityName else { return }
    let gone = mapping.entityMappings[index].name
    let destination = mapping.entityMappings[index].destinationEntityName
    mapping.entityMappings[index] = EntityMapping("remove \(name)", .remove, from: name, to: nil)
    if let destination {
      mapping.entityMappings.append(
        EntityMapping("add \(destination)", .add, from: nil, to: destination)
      )
    }
    changes.append("\(gone) is removed")
  }
}
