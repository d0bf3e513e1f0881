package import BulkModel

/// The source properties that the value expressions of a mapping model read.
///
/// Filters are excluded: they read values, but do not transfer them.
package struct SourceReads {
  private struct Reader: Hashable {
    /// The source entity of the mapping.
    let source: String
    /// The entity that owns the property.
    let entity: String
  }

  private let model: ManagedObjectModel
  private var readers: [String: Set<Reader>] = [:]

  /// Collects the properties that all value expressions read, or only those that assign relationships.
  ///
  /// An expression that cannot be evaluated reads nothing.
  package init(
    _ mapping: MappingModel,
    between models: ModelPair,
    ofRelationships: Bool = false
  ) {
    model = models.source
    for mapping in mapping.entityMappings {
      guard let name = mapping.sourceEntityName, let entity = model.entity(named: name) else {
        continue
      }
      var values = mapping.relationshipMappings.flatMap { mapping.relationship($0)?.parts ?? [] }
      if !ofRelationships {
        values += mapping.attributeMappings.flatMap { mapping.attribute($0).parts }
        if let elements = mapping.elements { values.append(elements) }
      }
      let elements = mapping.elements.flatMap {
        try? ExpressionProgram(elements: $0, of: entity, in: model)
      }
      let element = elements?.elementType ?? .unknown
      for value in values {
        let program = try? ExpressionProgram(value, of: entity, in: model, element: element)
        for input in program?.inputs ?? [] { add(input, of: entity, by: name) }
      }
    }
  }

  private mutating func add(_ input: SourceInput, of entity: EntityDescription, by source: String) {
    var entity = entity
    for key in input.path {
      readers[key, default: []].insert(Reader(source: source, entity: entity.name))
      guard let link = model.relationship(named: key, of: entity)?.relationship,
        let target = model.entity(named: link.destinationEntityName)
      else { break }
      entity = target
    }
    for member in input.members { add(member, of: entity, by: source) }
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
  /// The expressions that are evaluated for the source object.
  var parts: [ValueExpression] {
    switch self {
    case .copy(let path), .copyOrDefault(let path): [InferredValue.copy(path)]
    case .policy(_, let arguments): arguments
    case .expression(let value): [value]
    case .defaultValue, .constant: []
    }
  }
}

extension RelationshipMeaning {
  /// The expressions whose objects are looked up, or that a policy gets.
  var parts: [ValueExpression] {
    switch self {
    case .instances(let path, _): [InferredValue.copy(path.joined(separator: "."))]
    case .policy(_, let arguments): arguments
    case .nothing, .unsupported: []
    }
  }
}
