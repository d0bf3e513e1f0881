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
  func findings() -> [Diagnostic] {
    model.entityMappings.flatMap { required(in: $0) + removed(by: $0) }
      + lost()
  }

  /// Required properties that get no value; a policy may provide one.
  private func required(in mapping: EntityMapping) -> [Diagnostic] {
    guard
      mapping.sourceEntityName != nil, mapping.entityMigrationPolicyClassName == nil,
      let entity = models.destination.entity(named: mapping.destinationEntityName)
    else { return [] }
    return attributes(of: entity, in: mapping) + relationships(of: entity, in: mapping)
  }

  private func attributes(
    of entity: EntityDescription,
    in mapping: EntityMapping
  ) -> [Diagnostic] {
    models.destination.attributes(of: entity).compactMap { attribute -> Diagnostic? in
      let value = mapping.attributeMappings.first { $0.name == attribute.name }?.valueExpression
      guard attribute.needsValue, value ?? .constant(.null) == .constant(.null) else { return nil }
      return Diagnostic(
        .error,
        "\(subject(mapping)), attribute \(attribute.name)",
        "it is required, but gets no value and has no default value"
      )
    }
  }

  private func relationships(
    of entity: EntityDescription,
    in mapping: EntityMapping
  ) -> [Diagnostic] {
    models.destination.relationships(of: entity).compactMap { relationship -> Diagnostic? in
      guard relationship.isMandatory else { return nil }
      let property = mapping.relationshipMappings.first { $0.name == relationship.name }
      guard property?.valueExpression == nil else { return nil }
      return Diagnostic(
        .warning,
        "\(subject(mapping)), relationship \(relationship.name)",
        "it is required, but only its inverse can fill it"
      )
    }
  }

  private func removed(by mapping: EntityMapping) -> [Diagnostic] {
    guard mapping.kind == .remove, let name = mapping.sourceEntityName else { return [] }
    return [Diagnostic(.warning, subject(mapping), "all objects of \(name) are removed")]
  }

  /// The properties of source entities that no mapping of their objects reads.
  private func lost() -> [Diagnostic] {
    let source = models.source
    return source.entities.flatMap { owner in
      let read = source.hierarchy(from: owner).filter(isMapped)
      let attributes = owner.leaves.filter(\.isStored).map { attribute in
        ("attribute \(attribute.name)", read.filter { !reads.reads(attribute, of: $0) })
      }
      // Data that the inverse preserves is not lost.
      let relationships = owner.relationships.filter { !$0.isTransient }.map { relationship in
        ("relationship \(relationship.name)", read.filter { !reads.reads(relationship, of: $0) })
      }
      return (attributes + relationships).filter { !$0.1.isEmpty }.map { property, losers in
        let shown = losers.prefix(3).map(\.name).joined(separator: ", ")
        let others = losers.count > 3 ? " and \(losers.count - 3) more" : ""
        return Diagnostic(
          .warning,
          "source entity \(losers.count == 1 ? losers[0].name : owner.name)",
          "its \(property) is read by nothing and lost"
            + (losers.count == 1 ? "" : ", for objects of \(shown)\(others)")
        )
      }
    }
  }

  /// Whether mappings make something of the objects of an entity, and all that they read is known.
  private func isMapped(_ entity: EntityDescription) -> Bool {
    let mappings = model.entityMappings.filter {
      $0.sourceEntityName == entity.name && $0.destinationEntityName != nil
    }
    return !mappings.isEmpty
      && mappings.allSatisfy { $0.entityMigrationPolicyClassName == nil }
  }

  private func subject(_ mapping: EntityMapping) -> String { "entity mapping \(mapping.name)" }
}
