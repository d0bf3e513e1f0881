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

  /// A property of source entities that no mapping of their objects reads.
  private struct Loss: Hashable {
    /// The entity that declares the property.
    let owner: String
    let property: String
  }

  /// The lost properties of source entities, an inherited one once for all subentities.
  private func lost() -> [Diagnostic] {
    let all = models.source.entities.flatMap { entity in
      lost(of: entity).map { (loss: $0, entity: entity.name) }
    }
    let losers = Dictionary(grouping: all, by: \.loss)
    return all.filter { losers[$0.loss]?.first?.entity == $0.entity }.map { loss, entity in
      let names = losers[loss]?.map(\.entity) ?? []
      let shown = names.prefix(3).joined(separator: ", ")
      let others = names.count > 3 ? " and \(names.count - 3) more" : ""
      return Diagnostic(
        .warning,
        "source entity \(names.count == 1 ? entity : loss.owner)",
        "its \(loss.property) is read by nothing and lost"
          + (names.count == 1 ? "" : ", for objects of \(shown)\(others)")
      )
    }
  }

  private func lost(of entity: EntityDescription) -> [Loss] {
    let mappings = model.entityMappings.filter {
      $0.sourceEntityName == entity.name && $0.destinationEntityName != nil
    }
    // The properties that a policy reads are unknown.
    guard !mappings.isEmpty, mappings.allSatisfy({ $0.entityMigrationPolicyClassName == nil })
    else { return [] }
    let source = models.source
    let attributes = source.attributes(of: entity)
      .filter { $0.isStored && !reads.reads($0, of: entity) }
      .map { ("attribute", $0.name, source.leaf(named: $0.name, of: entity)?.owner.name) }
    // Data that the inverse preserves is not lost.
    let relationships = source.relationships(of: entity)
      .filter { !$0.isTransient && !reads.reads($0, of: entity) }
      .map {
        ("relationship", $0.name, source.relationship(named: $0.name, of: entity)?.owner.name)
      }
    return (attributes + relationships).compactMap { kind, name, owner in
      owner.map { Loss(owner: $0, property: "\(kind) \(name)") }
    }
  }

  private func subject(_ mapping: EntityMapping) -> String { "entity mapping \(mapping.name)" }
}
