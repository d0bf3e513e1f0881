package import BulkModel

/// The source properties that the value expressions of a mapping model read.
///
/// Filters are excluded: they read values, but do not transfer them.
package struct SourceReads {
  private struct Reader: Hashable {
    /// The source entity of the mapping; `nil` if it has none.
    let source: String?
    /// The entity that owns the property.
    let entity: String
  }

  private let model: ManagedObjectModel
  private var readers: [String: Set<Reader>] = [:]

  /// Collects the properties that all value expressions read, or only those that assign relationships.
  package init(
    _ mapping: MappingModel,
    between models: ModelPair,
    ofRelationships: Bool = false
  ) {
    model = models.source
    for entityMapping in mapping.entityMappings {
      var check = ExpressionCheck(
        between: models,
        entity: models.source.entity(named: entityMapping.sourceEntityName),
        mappings: mapping.entityMappings
      )
      if !ofRelationships, let elements = entityMapping.elements { check.visit(elements) }
      let attributes = ofRelationships ? [] : entityMapping.attributeMappings
      for property in attributes + entityMapping.relationshipMappings {
        if let value = property.valueExpression { check.visit(value) }
      }
      if let name = entityMapping.sourceEntityName {
        let taken = attributes.compactMap { entityMapping.attribute($0).sourceName }
        let continued = entityMapping.relationshipMappings.compactMap {
          entityMapping.relationship($0)?.continuedRelationship
        }
        for property in taken + continued {
          readers[property, default: []].insert(Reader(source: name, entity: name))
        }
      }
      for read in check.reads {
        readers[read.name, default: []]
          .insert(Reader(source: entityMapping.sourceEntityName, entity: read.entity))
      }
    }
  }

  /// Whether an expression reads an attribute of the objects of an entity.
  package func reads(_ attribute: AttributeDescription, of entity: EntityDescription) -> Bool {
    isRead(attribute.name, of: entity)
  }

  /// Whether an expression reads a relationship of the objects of an entity, or its inverse.
  package func reads(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription
  ) -> Bool {
    if isRead(relationship.name, of: entity) { return true }
    guard let inverse = model.inverse(of: relationship),
      let target = model.entity(named: relationship.destinationEntityName)
    else { return false }
    return model.hierarchy(from: target).contains { isRead(inverse.relationship.name, of: $0) }
  }

  private func isRead(_ name: String, of entity: EntityDescription) -> Bool {
    guard let readers = readers[name] else { return false }
    if readers.contains(Reader(source: entity.name, entity: entity.name)) { return true }
    let lineage = Set(model.lineage(of: entity).map(\.name))
    return readers.contains { reader in
      // A mapping that reads its own objects does not read those of subentities.
      lineage.contains(reader.entity)
        && (reader.source == entity.name || reader.entity != reader.source)
    }
  }
}

extension AttributeMeaning {
  /// The source attribute whose value is copied.
  fileprivate var sourceName: String? {
    switch self {
    case .copy(let name), .copyOrDefault(let name): name
    case .defaultValue, .constant, .policy, .expression: nil
    }
  }
}
