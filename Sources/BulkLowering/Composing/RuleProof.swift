internal import BulkMapping
internal import BulkModel

/// Finds the rules of a version that can be checked only by making the version.
///
/// New objects are validated against the rules of their version, and a violation ends the migration there. A
/// version that is not made validates nothing, so the next one must check the same rules of the same values.
struct RuleProof {
  /// The step that makes the version.
  let first: MigrationStep
  /// The step behind it.
  let second: MigrationStep

  /// The rules that only objects of the version can prove, and those of the next version that would be
  /// checked although no single step checks them; a sentence each.
  func unprovenRules() -> [String] {
    guard !first.isInferred else { return [] }
    return first.mapping.entityMappings.filter(first.makesObjects).flatMap(unprovenRules)
      + (second.isInferred ? second.mapping.entityMappings.flatMap(added) : [])
  }

  private func unprovenRules(_ maker: EntityMapping) -> [String] {
    guard let entity = first.destination.entity(named: maker.destinationEntityName) else {
      return []
    }
    let readers = second.mapping.entityMappings.filter {
      $0.sourceEntityName == entity.name && $0.filter == nil && $0.destinationEntityName != nil
    }
    let attributes = first.destination.attributes(of: entity).filter { attribute in
      !isKept(attribute, by: maker)
        && !readers.contains { isCheckedAgain(attribute.rules, by: $0, attribute.name) }
    }
    let relationships = first.destination.relationships(of: entity)
    let several = relationships.filter { mayHaveSeveral($0, by: maker) }.map(\.name)
    let ruled = relationships.filter { relationship in
      !relationship.rules.isEmpty && !several.contains(relationship.name)
        && !readers.contains { isCheckedAgain(relationship.rules, by: $0, relationship.name) }
    }
    return (attributes.map(\.name) + ruled.map(\.name)).map {
      "\(first.name) has rules for \(entity.name).\($0) that its objects must show to be kept"
    }
      + several.map {
        "\(first.name) may give \(entity.name).\($0) several objects, which only its objects show; "
          + "[FIRST] or anyObject takes one"
      }
  }

  /// Whether no object can violate the rules of an attribute.
  private func isKept(_ attribute: AttributeDescription, by maker: EntityMapping) -> Bool {
    let rules = attribute.rules
    guard rules == ["required"] else { return rules.isEmpty }
    switch maker.attribute(attribute.name) {
    case .defaultValue, .copyOrDefault: return attribute.defaultValue.map { $0 != .null } ?? false
    case .constant(let value): return value != .null
    case .copy, .policy, .expression: return false
    }
  }

  /// Whether a maker may give a to-one relationship several objects (formats/migration.md 8.11), which no rule of
  /// the next version excludes.
  private func mayHaveSeveral(
    _ relationship: RelationshipDescription,
    by maker: EntityMapping
  ) -> Bool {
    let reach = RelationshipReach(first.mapping, between: first.models)
    return maker.relationshipMappings.first { $0.name == relationship.name }
      .map { reach.mayGiveSeveral($0, of: maker) } ?? false
  }

  /// Whether an entity mapping of the second step checks rules again, of the same property under its name in
  /// that version.
  private func isCheckedAgain(
    _ rules: Set<String>,
    by reader: EntityMapping,
    _ name: String
  ) -> Bool {
    guard let entity = second.destination.entity(named: reader.destinationEntityName) else {
      return false
    }
    return second.destination.attributes(of: entity).contains {
      reader.copiedAttribute(for: $0.name) == name && rules.isSubset(of: $0.rules)
    }
      || second.destination.relationships(of: entity).contains { relationship in
        reader.copiedRelationship(for: relationship.name) == name
          && rules.isSubset(of: relationship.rules) && isWhole(name, of: reader)
      }
  }

  /// Whether all objects of a relationship of the version are made into objects of the next.
  private func isWhole(_ name: String, of reader: EntityMapping) -> Bool {
    guard
      let entity = second.source.entity(named: reader.sourceEntityName),
      let end = second.source.relationship(named: name, of: entity)?.relationship,
      let target = second.source.entity(named: end.destinationEntityName)
    else { return false }
    let makers = second.mapping.entityMappings.filter(second.makesObjects)
    return second.isWhole(makers, from: target)
  }

  /// The rules of the next version that are new for the objects that an entity mapping reads.
  private func added(_ reader: EntityMapping) -> [String] {
    guard let entity = second.destination.entity(named: reader.destinationEntityName),
      let source = second.source.entity(named: reader.sourceEntityName)
    else { return [] }
    let attributes = second.destination.attributes(of: entity).filter { attribute in
      let name = reader.copiedAttribute(for: attribute.name)
      let before = name.flatMap { second.source.leaf(named: $0, of: source)?.attribute }?.rules
      return !isKept(attribute, by: reader) && !attribute.rules.isSubset(of: before ?? [])
    }
    let relationships = second.destination.relationships(of: entity).filter { relationship in
      let name = reader.copiedRelationship(for: relationship.name)
      let before = second.source.relationships(of: source).first { $0.name == name }?.rules
      return !relationship.rules.isSubset(of: before ?? [])
    }
    return (attributes.map(\.name) + relationships.map(\.name)).map {
      "\(second.name) has rules for \(entity.name).\($0) that are not checked for rows that move"
    }
  }
}

extension AttributeDescription {
  /// The rules for its values, as texts.
  fileprivate var rules: Set<String> {
    guard !isDerived, !isTransient else { return [] }
    return Set(validationPredicates.map(\.description) + (isOptional ? [] : ["required"]))
  }
}

extension RelationshipDescription {
  /// The rules for its objects, as texts.
  fileprivate var rules: Set<String> {
    guard !isTransient else { return [] }
    guard isToMany else { return isOptional ? [] : ["required"] }
    return Set(
      (minCount > 0 ? ["at least \(minCount), optional \(isOptional)"] : [])
        + (maxCount > 0 ? ["at most \(maxCount)"] : [])
    )
  }
}
