internal import BulkMapping
internal import BulkModel

struct EntityChanges {
  let step: MigrationStep
  let mapping: EntityMapping
  private var destination: ManagedObjectModel { step.destination }

  func change(rows: Int64) -> MigrationPlan.EntityChange {
    guard let entity = destination.entity(named: mapping.destinationEntityName) else {
      return .removal(of: mapping.sourceEntityName ?? mapping.name, rows: rows)
    }
    guard let source = mapping.sourceEntityName else {
      let mapping = step.isInferred ? nil : mapping.name
      return MigrationPlan.EntityChange(entity: entity.name, change: .added, mapping: mapping)
    }
    guard step.isInferred else { return customChange(from: source, to: entity, rows: rows) }
    guard let before = step.source.entity(named: source) else {
      return MigrationPlan.EntityChange(entity: entity.name, change: .added)
    }
    let details =
      hierarchy(from: before, to: entity) + attributes(from: before, to: entity)
      + relationships(from: before, to: entity)
    return .continuation(of: source, by: entity.name, rows: rows, details)
  }

  private func hierarchy(from source: EntityDescription, to entity: EntityDescription) -> [String] {
    guard source.superentityName != entity.superentityName else { return [] }
    switch (source.superentityName, entity.superentityName) {
    case (nil, let parent?): return ["now inherits from \(parent)"]
    case (let parent?, nil): return ["no longer inherits from \(parent)"]
    case (let old?, let new?): return ["inherits from \(new) instead of \(old)"]
    case (nil, nil): return []
    }
  }

  private func attributes(from source: EntityDescription, to entity: EntityDescription) -> [String]
  {
    var taken: Set<String> = []
    var result: [String] = []
    let before = step.source.attributes(of: source)
    func addType(of attribute: AttributeDescription, from name: String) {
      guard let old = before.first(where: { $0.name == name })?.attributeType,
        old != attribute.attributeType
      else { return }
      let type = attribute.attributeType.name
      result.append("attribute \(attribute.name) becomes \(type) instead of \(old.name)")
    }
    for attribute in destination.attributes(of: entity) where !attribute.isTransient {
      if attribute.isDerived {
        taken.insert(attribute.name)
        continue
      }
      switch mapping.attribute(attribute.name) {
      case .copy(let name):
        taken.insert(name)
        if name != attribute.name {
          result.append("attribute \(name) renamed to \(attribute.name)")
        }
        addType(of: attribute, from: name)
      case .copyOrDefault(let name):
        taken.insert(name)
        result.append("attribute \(attribute.name) required, nil becomes the default value")
        addType(of: attribute, from: name)
      case .defaultValue, .constant, .policy, .expression:
        let value = attribute.defaultValue == nil ? "nil" : "its default value"
        result.append("attribute \(attribute.name) added with \(value)")
      }
    }
    let gone = before.filter { !$0.isTransient && !taken.contains($0.name) }
    return result + gone.map { "attribute \($0.name) removed" }
  }

  private func relationships(
    from source: EntityDescription,
    to entity: EntityDescription
  ) -> [String] {
    var taken: Set<String> = []
    var result: [String] = []
    let old = Dictionary(firstOf: step.source.relationships(of: source).map { ($0.name, $0) })
    for relationship in destination.relationships(of: entity) where !relationship.isTransient {
      guard
        let name = mapping.relationship(relationship.name)?.continuedRelationship,
        let before = old[name]
      else {
        result.append("relationship \(relationship.name) added")
        continue
      }
      taken.insert(name)
      result += changes(of: relationship, from: before)
    }
    let gone = old.values.filter { !$0.isTransient && !taken.contains($0.name) }.map(\.name)
    return result + gone.sortedByCodeUnit().map { "relationship \($0) removed" }
  }

  private func changes(
    of relationship: RelationshipDescription,
    from before: RelationshipDescription
  ) -> [String] {
    let name = relationship.name
    var result: [String] = []
    if before.name != name { result.append("relationship \(before.name) renamed to \(name)") }
    if before.isToMany != relationship.isToMany {
      let kind = relationship.isToMany ? "to-many" : "to-one, its first object is kept"
      result.append("relationship \(name) becomes \(kind)")
    }
    if relationship.isToMany, before.isOrdered != relationship.isOrdered {
      let kind = relationship.isOrdered ? "ordered, by key" : "unordered"
      result.append("relationship \(name) becomes \(kind)")
    }
    return result
  }
}

extension EntitySuccession {
  func change(rows: Int64) -> MigrationPlan.EntityChange {
    let changes = steps.map { EntityChanges(step: $0.step, mapping: $0.mapping).change(rows: rows) }
    guard changes.count > 1 else { return changes[0] }
    guard let source else {
      return MigrationPlan.EntityChange(entity: destination ?? changes[0].entity, change: .added)
    }
    guard let destination else { return .removal(of: source, rows: rows) }
    let details = zip(steps, changes).flatMap { step, change in
      change.details.map { "\(step.step.name): \($0)" }
    }
    return .continuation(of: source, by: destination, rows: rows, details)
  }
}

extension MigrationPlan.EntityChange {
  static func removal(of entity: String, rows: Int64) -> MigrationPlan.EntityChange {
    MigrationPlan.EntityChange(entity: entity, change: .removed, rows: rows, rowsLost: rows)
  }

  /// The change of an entity that another one continues; `details` say what else changes, a phrase each.
  fileprivate static func continuation(
    of source: String,
    by destination: String,
    rows: Int64,
    _ details: [String]
  ) -> MigrationPlan.EntityChange {
    let isSame = source == destination
    return MigrationPlan.EntityChange(
      entity: destination,
      from: isSame ? nil : source,
      change: !isSame ? .renamed : details.isEmpty ? .copied : .transformed,
      rows: rows,
      details: details
    )
  }
}

extension EntityChanges {
  fileprivate func customChange(
    from source: String,
    to entity: EntityDescription,
    rows: Int64
  ) -> MigrationPlan.EntityChange {
    let details = attributes(of: entity) + relationships(of: entity)
    let isSame = source == entity.name
    let isCopied = details.isEmpty && mapping.uniqueness == nil && mapping.elements == nil
    return MigrationPlan.EntityChange(
      entity: entity.name,
      from: isSame ? nil : source,
      change: !isSame ? .made : isCopied ? .copied : .transformed,
      rows: rows,
      details: details,
      mapping: mapping.name,
      filter: mapping.filter?.description,
      policy: mapping.entityMigrationPolicyClassName,
      uniqueness: mapping.uniqueness,
      elements: mapping.elements
    )
  }

  private func attributes(of entity: EntityDescription) -> [String] {
    destination.attributes(of: entity).filter(\.isStored).compactMap { attribute in
      switch mapping.attributeMappings.first(where: { $0.name == attribute.name })?.valueExpression
      {
      case nil where mapping.entityMigrationPolicyClassName != nil:
        return "attribute \(attribute.name) is left to the policy"
      case nil:
        let value = attribute.defaultValue == nil ? "nil" : "its default value"
        return "attribute \(attribute.name) is \(value)"
      case .keyPath(attribute.name, of: .variable("source")): return nil
      case let expression?: return "attribute \(attribute.name) = \(expression)"
      }
    }
  }

  private func relationships(of entity: EntityDescription) -> [String] {
    destination.relationships(of: entity).filter { !$0.isTransient }.compactMap { relationship in
      let expression = mapping.relationshipMappings.first { $0.name == relationship.name }?
        .valueExpression
      guard let expression, let meaning = mapping.relationship(relationship.name) else {
        if mapping.entityMigrationPolicyClassName != nil {
          return "relationship \(relationship.name) is left to its inverse or the policy"
        }
        let source = relationship.inverseName == nil ? "stays empty" : "is set through its inverse"
        return "relationship \(relationship.name) \(source)"
      }
      let first = expression.takesFirst ? "the first of the " : ""
      switch meaning {
      case .instances([relationship.name], of: _) where first.isEmpty: return nil
      case .instances(let path, of: let name):
        let written = (["$source"] + path).joined(separator: ".")
        return "relationship \(relationship.name) = \(first)objects made"
          + (name.map { " by \($0)" } ?? "") + " from \(written)"
      case .nothing: return "relationship \(relationship.name) is empty"
      case .policy, .unsupported: return "relationship \(relationship.name) = \(expression)"
      }
    }
  }
}
