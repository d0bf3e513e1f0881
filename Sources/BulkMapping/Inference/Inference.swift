package import BulkModel

extension MappingModel {
  /// Infers a mapping model from the differences between two models.
  ///
  /// Entities and properties are matched by renaming identifier, otherwise by name. New properties get the
  /// model's default values, removed ones are dropped. It corresponds to
  /// `NSMappingModel.inferredMappingModel(forSourceModel:destinationModel:)`.
  package static func inferred(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) throws(InferenceError) -> MappingModel {
    let matching = EntityMatching(between: ModelPair(from: source, to: destination))
    let refusals = InferenceRules(matching: matching).refusals()
    guard refusals.isEmpty else { throw InferenceError(refusals: refusals) }
    return Inference(matching: matching).mappingModel()
  }
}

struct Inference {
  let matching: EntityMatching

  /// One mapping for every entity of the two models: those of the destination by name, then the removed
  /// ones by name.
  func mappingModel() -> MappingModel {
    let kept = matching.destination.entities.map { entity in
      matching.source(of: entity).map { mapping(from: $0, to: entity) }
        ?? EntityMapping("IEM_Add_\(entity.name)", .add, from: nil, to: entity.name)
    }
    let removed = matching.source.entities.filter { matching.destination(of: $0) == nil }
      .map { EntityMapping("IEM_Remove_\($0.name)", .remove, from: $0.name, to: nil) }
    return MappingModel(entityMappings: kept + removed)
  }

  func mapping(
    from source: EntityDescription,
    to destination: EntityDescription
  ) -> EntityMapping {
    let isCopy =
      source.name == destination.name
      && matching.sourceHashes[source.name] == matching.destinationHashes[destination.name]
    var result = EntityMapping(
      isCopy ? "IEM_Copy_\(destination.name)" : "IEM_Transform_\(destination.name)",
      isCopy ? .copy : .transform,
      from: source.name,
      to: destination.name
    )
    result.attributeMappings = matching.destination.attributes(of: destination)
      .filter(\.isStored)
      .map { PropertyMapping($0.name, value(of: $0, from: source)) }
    result.relationshipMappings = matching.destination.relationships(of: destination)
      .filter { !$0.isTransient }
      .map { relationship in
        let match = matching.relationship(relationship, in: source)
        return PropertyMapping(
          relationship.name,
          match.map { InferredValue.relationship($0.relationship.name) }
        )
      }
    return result
  }

  private func value(
    of attribute: AttributeDescription,
    from source: EntityDescription
  ) -> ValueExpression? {
    matching.attribute(attribute, in: source)
      .map { InferredValue.value(of: attribute, from: $0) }
  }
}

/// Why no mapping model can be inferred, with all reasons.
package struct InferenceError: Error, Equatable, Sendable {
  package struct Refusal: Hashable, Sendable {
    package let entity: String
    package let property: String?
    package let reason: String
  }

  /// The refusals, by entity and property.
  package let refusals: [Refusal]
}

extension InferenceError: CustomStringConvertible {
  package var description: String {
    let lines = refusals.map { "  \($0)" }
    let count = refusals.count == 1 ? "1 reason" : "\(refusals.count) reasons"
    return "no mapping can be inferred between the two models, for \(count):\n"
      + lines.joined(separator: "\n")
  }
}

extension InferenceError.Refusal: CustomStringConvertible {
  package var description: String {
    let place = [entity, property].compactMap(\.self).joined(separator: ".")
    return "\(place): \(reason)"
  }
}
