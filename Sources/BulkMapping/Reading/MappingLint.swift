internal import BulkModel

/// Finds effects of a valid mapping model that are perhaps not intended.
struct MappingLint {
  private let model: MappingModel
  private let models: ModelPair
  /// The properties that all expressions read.
  private let reads: SourceReads

  init(_ model: MappingModel, between models: ModelPair) {
    (self.model, self.models) = (model, models)
    reads = SourceReads(model, between: models)
  }

  /// The findings, in entity mapping order, then by source entity.
  func findings() -> [MappingFinding] {
    model.entityMappings.flatMap { required(in: $0) + removed(by: $0) }
      + lost()
  }

  /// Required properties that get no value; a policy may provide one.
  private func required(in mapping: EntityMapping) -> [MappingFinding] {
    guard
      mapping.sourceEntityName != nil, mapping.entityMigrationPolicyClassName == nil,
      let entity = models.destination.entity(named: mapping.destinationEntityName)
    else { return [] }
    return attributes(of: entity, in: mapping) + relationships(of: entity, in: mapping)
  }

  private func attributes(
    of entity: EntityDescription,
    in mapping: EntityMapping
  ) -> [MappingFinding] {
    let from = models.source.entity(named: mapping.sourceEntityName)
    let optional = Set(
      from.map { models.source.attributes(of: $0) }?.filter(\.isOptional).map(\.name) ?? []
    )
    return models.destination.attributes(of: entity).compactMap { attribute -> MappingFinding? in
      guard attribute.needsValue else { return nil }
      let subject = "\(subject(mapping)), attribute \(attribute.name)"
      let value = mapping.attributeMappings.first { $0.name == attribute.name }?.valueExpression
      guard let value, value != .constant(.null) else {
        return .init(.error, subject, "it is required, but gets no value and has no default value")
      }
      guard
        case .keyPath(let name, of: .variable("source")) = value, optional.contains(name),
        mapping.filter?.excludesNil(of: name) != true
      else { return nil }
      return .init(.warning, subject, "it is required, but \(name) may be nil in the source")
    }
  }

  private func relationships(
    of entity: EntityDescription,
    in mapping: EntityMapping
  ) -> [MappingFinding] {
    models.destination.relationships(of: entity).compactMap { relationship -> MappingFinding? in
      guard relationship.isMandatory else { return nil }
      let property = mapping.relationshipMappings.first { $0.name == relationship.name }
      guard property?.valueExpression == nil else { return nil }
      return MappingFinding(
        .warning,
        "\(subject(mapping)), relationship \(relationship.name)",
        "it is required, but only its inverse can fill it"
      )
    }
  }

  private func removed(by mapping: EntityMapping) -> [MappingFinding] {
    guard mapping.kind == .remove, let name = mapping.sourceEntityName else { return [] }
    return [MappingFinding(.warning, subject(mapping), "all objects of \(name) are removed")]
  }

  /// The lost properties of source entities, an inherited one once for all subentities.
  private func lost() -> [MappingFinding] {
    struct Loss: Hashable {
      let owner: String
      let property: String
    }
    var losers: [Loss: [String]] = [:]
    var losses: [Loss] = []
    for entity in models.source.entities {
      for (owner, property) in lost(of: entity) {
        let loss = Loss(owner: owner.name, property: property)
        if losers[loss] == nil { losses.append(loss) }
        losers[loss, default: []].append(entity.name)
      }
    }
    return losses.map { loss in
      let names = losers[loss] ?? []
      let shown = names.prefix(3).joined(separator: ", ")
      let others = names.count > 3 ? " and \(names.count - 3) more" : ""
      return MappingFinding(
        .warning,
        "source entity \(names.count == 1 ? names[0] : loss.owner)",
        "its \(loss.property) is read by nothing and lost"
          + (names.count == 1 ? "" : ", for objects of \(shown)\(others)")
      )
    }
  }

  /// The properties of a source entity that no mapping of its objects reads, with the entities that declare them.
  private func lost(of entity: EntityDescription) -> [(EntityDescription, String)] {
    let mappings = model.entityMappings.filter {
      $0.sourceEntityName == entity.name && $0.destinationEntityName != nil
    }
    // The properties that a policy reads are unknown.
    guard !mappings.isEmpty, mappings.allSatisfy({ $0.entityMigrationPolicyClassName == nil })
    else { return [] }
    let attributes = models.source.attributes(of: entity).filter { attribute in
      attribute.isStored && !reads.reads(attribute, of: entity)
    }.compactMap { attribute in
      models.source.leaf(named: attribute.name, of: entity).map {
        ($0.owner, "attribute \(attribute.name)")
      }
    }
    let relationships = models.source.relationships(of: entity).filter { relationship in
      // Data that the inverse preserves is not lost.
      !relationship.isTransient && !reads.reads(relationship, of: entity)
    }.compactMap { relationship in
      models.source.relationship(named: relationship.name, of: entity).map {
        ($0.owner, "relationship \(relationship.name)")
      }
    }
    return attributes + relationships
  }

  private func subject(_ mapping: EntityMapping) -> String { "entity mapping \(mapping.name)" }
}

extension ValuePredicate {
  /// Whether the predicate holds only for objects with a value for a key.
  fileprivate func excludesNil(of key: String) -> Bool {
    switch self {
    case .comparison(let comparison):
      comparison.operator == .notEqualTo && comparison.right == .constant(.null)
        && comparison.left == .keyPath(key, of: .evaluatedObject)
    case .and(let parts): parts.contains { $0.excludesNil(of: key) }
    case .constant, .not, .or: false
    }
  }
}
