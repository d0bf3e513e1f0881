internal import BulkMapping
internal import BulkModel

/// Describes what a custom entity mapping does.
struct MappedChanges {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel

  init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
  }

  /// The change to the objects of the mapping's source entity, given their number.
  func change(_ mapping: EntityMapping, rows: Int64) -> MigrationPlan.EntityChange {
    guard let name = mapping.destinationEntityName, let entity = destination.entity(named: name)
    else {
      return .removal(of: mapping.sourceEntityName ?? mapping.name, rows: rows)
    }
    guard let sourceName = mapping.sourceEntityName else {
      return MigrationPlan.EntityChange(entity: name, change: .added, mapping: mapping.name)
    }
    let details = attributes(mapping, of: entity) + relationships(mapping, of: entity)
    let isSame = sourceName == name
    let isCopied = details.isEmpty && mapping.uniqueness == nil && mapping.elements == nil
    return MigrationPlan.EntityChange(
      entity: name,
      from: isSame ? nil : sourceName,
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

  private func attributes(_ mapping: EntityMapping, of entity: EntityDescription) -> [String] {
    destination.attributes(of: entity).filter { !$0.isTransient && !$0.isDerived }
      .compactMap { attribute in
        let expression = mapping.attributeMappings.first { $0.name == attribute.name }?
          .valueExpression
        switch expression {
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

  private func relationships(_ mapping: EntityMapping, of entity: EntityDescription) -> [String] {
    destination.relationships(of: entity).filter { !$0.isTransient }.compactMap { relationship in
      let expression = mapping.relationshipMappings.first { $0.name == relationship.name }?
        .valueExpression
      guard let expression, let meaning = mapping.relationship(relationship.name) else {
        if mapping.entityMigrationPolicyClassName != nil {
          return "relationship \(relationship.name) is left to its inverse or the policy"
        }
        let source = relationship.inverseName == nil ? "stays empty" : "follows its inverse"
        return "relationship \(relationship.name) \(source)"
      }
      switch meaning {
      case .instances([relationship.name], of: _): return nil
      case .instances(let path, of: let name):
        let place = (["$source"] + path).joined(separator: ".")
        return "relationship \(relationship.name) = objects made"
          + (name.map { " by \($0)" } ?? "") + " from \(place)"
      case .nothing: return "relationship \(relationship.name) is empty"
      case .policy, .unsupported: return "relationship \(relationship.name) = \(expression)"
      }
    }
  }
}
