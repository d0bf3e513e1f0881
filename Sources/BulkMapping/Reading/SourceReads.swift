package import BulkModel

/// The properties of the source whose values the value expressions of a mapping model read.
///
/// Filters are not among them: they read, but carry nothing over.
package struct SourceReads {
  private struct Reader: Hashable {
    /// The entity whose objects the mapping reads; `nil` where it reads none.
    let source: String?
    /// The entity of which the property is asked.
    let entity: String
  }

  private let model: ManagedObjectModel
  private var readers: [String: Set<Reader>] = [:]

  /// What the value expressions of a mapping model read.
  ///
  /// - Parameters:
  ///   - mapping: The mapping model.
  ///   - source: The model before.
  ///   - destination: The model afterwards.
  ///   - ofRelationships: Whether only expressions that give relationships their objects are asked.
  package init(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    ofRelationships: Bool = false
  ) {
    model = source
    for entityMapping in mapping.entityMappings {
      var check = ExpressionCheck(
        from: source,
        to: destination,
        entity: entityMapping.sourceEntityName.flatMap { source.entity(named: $0) },
        mappings: mapping.entityMappings,
        hasPolicy: true
      )
      let attributes = ofRelationships ? [] : entityMapping.attributeMappings
      for property in attributes + entityMapping.relationshipMappings {
        guard let value = property.valueExpression else { continue }
        check.visit(value)
      }
      if let name = entityMapping.sourceEntityName {
        let taken = attributes.compactMap { entityMapping.attribute($0.name).sourceName }
        let continued = entityMapping.relationshipMappings.compactMap {
          entityMapping.relationship($0.name)?.continuedRelationship
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
    let lineage = Set(model.lineage(of: entity).map(\.name))
    return readers.contains { reader in
      // What a mapping asks its own objects says nothing of those of subentities.
      lineage.contains(reader.entity)
        && (reader.source == entity.name || reader.entity != reader.source)
    }
  }
}

extension AttributeMeaning {
  /// The attribute of the source that is taken over.
  fileprivate var sourceName: String? {
    switch self {
    case .copy(let name), .copyOrDefault(let name): name
    case .defaultValue, .constant, .policy, .expression: nil
    }
  }
}
