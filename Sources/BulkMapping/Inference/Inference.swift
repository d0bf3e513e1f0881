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
    return matching.mappingModel()
  }
}

extension EntityMatching {
  /// One mapping for every entity of the two models: those of the destination by name, then the removed
  /// ones by name.
  fileprivate func mappingModel() -> MappingModel {
    let kept = destination.entities.map { entity in
      source(of: entity).map { mapping(from: $0, to: entity) }
        ?? EntityMapping("IEM_Add_\(entity.name)", .add, from: nil, to: entity.name)
    }
    let removed = source.entities.filter { destination(of: $0) == nil }
      .map { EntityMapping("IEM_Remove_\($0.name)", .remove, from: $0.name, to: nil) }
    return MappingModel(entityMappings: kept + removed)
  }

  func mapping(
    from source: EntityDescription,
    to destination: EntityDescription
  ) -> EntityMapping {
    let isCopy =
      source.name == destination.name
      && sourceHashes[source.name] == destinationHashes[destination.name]
    var result = EntityMapping(
      isCopy ? "IEM_Copy_\(destination.name)" : "IEM_Transform_\(destination.name)",
      isCopy ? .copy : .transform,
      from: source.name,
      to: destination.name
    )
    result.attributeMappings = self.destination.attributes(of: destination)
      .filter(\.isStored)
      .map { to in
        let from = attribute(to, in: source)
        return PropertyMapping(to.name, from.map { InferredValue.value(of: to, from: $0) })
      }
    result.relationshipMappings = self.destination.relationships(of: destination)
      .filter { !$0.isTransient }
      .map { to in
        let from = relationship(to, in: source)?.relationship
        return PropertyMapping(to.name, from.map { InferredValue.relationship($0.name) })
      }
    return result
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
    let subject = [entity, property].compactMap(\.self).joined(separator: ".")
    return "\(subject): \(reason)"
  }
}
