internal import BulkModel

/// The rules by which Core Data refuses to infer a mapping.
///
/// Whether required attributes get values is left to the rows, as in Core Data
/// (formats/migration.md 2.10, 2.11). It is a rule only for a mapping file, which can state
/// values.
struct InferenceRules {
  let matching: EntityMatching
  /// The destination entities that a mapping file leaves to inference; `nil` without a file.
  var entities: Set<String>?
  private var source: ManagedObjectModel { matching.source }
  private var destination: ManagedObjectModel { matching.destination }

  private func isReported(_ entity: String) -> Bool { entities?.contains(entity) ?? true }

  func refusals() -> [InferenceError.Refusal] {
    let all =
      ambiguities() + mergedHierarchies()
      + destination.entities.flatMap { entity in
        entity.leaves.flatMap { refusals(of: $0, in: entity) }
      }
    return all.sorted { first, second in
      first.entity == second.entity
        ? CodeUnitOrder.precedes(first.property ?? "", second.property ?? "")
        : CodeUnitOrder.precedes(first.entity, second.entity)
    }
  }

  private func ambiguities() -> [InferenceError.Refusal] {
    matching.ambiguities.filter { isReported($0.entity) }.map { ambiguity in
      let others = ambiguity.property == nil ? "model" : "entity"
      return InferenceError.Refusal(
        entity: ambiguity.entity,
        property: ambiguity.property,
        reason: "another \(ambiguity.kind) of the same \(others) also goes by "
          + "\(ambiguity.canonicalName); give each a renaming identifier of its own"
      )
    }
  }

  /// Entities without a common parent in the source may not share one in the destination.
  private func mergedHierarchies() -> [InferenceError.Refusal] {
    destination.entities.filter { $0.superentityName == nil }.compactMap { root in
      var firstOfRoot: [String: String] = [:]
      for entity in destination.hierarchy(from: root) {
        guard isReported(entity.name), let match = matching.source(of: entity) else { continue }
        let sourceRoot = source.root(of: match).name
        if firstOfRoot[sourceRoot] == nil { firstOfRoot[sourceRoot] = entity.name }
      }
      guard firstOfRoot.count > 1 else { return nil }
      let names = firstOfRoot.values.sortedByCodeUnit().joined(separator: ", ")
      return InferenceError.Refusal(
        entity: root.name,
        property: nil,
        reason: "hierarchies cannot be merged: \(names) have no common parent in the source, "
          + "so they may not share one in the destination; write a mapping model"
      )
    }
  }

  /// The source entities whose rows need a value for an attribute of an entity: those of the entity itself and of
  /// its subentities.
  private func sources(of entity: EntityDescription) -> [EntityDescription] {
    destination.hierarchy(from: entity).filter { isReported($0.name) }
      .compactMap { matching.source(of: $0) }
      .filter { !$0.isAbstract }
  }

  private func refusals(
    of attribute: AttributeDescription,
    in entity: EntityDescription
  ) -> [InferenceError.Refusal] {
    guard attribute.isStored,
      let reason = sources(of: entity).lazy.compactMap({ reason(against: attribute, from: $0) })
        .first
    else { return [] }
    return [InferenceError.Refusal(entity: entity.name, property: attribute.name, reason: reason)]
  }

  private func reason(
    against attribute: AttributeDescription,
    from source: EntityDescription
  ) -> String? {
    let needsDefault =
      entities != nil && !attribute.isOptional && attribute.defaultValue == nil
    guard let match = matching.attribute(attribute, in: source) else {
      guard needsDefault else { return nil }
      return "it is new and required but has no default value for the objects that are there; "
        + "make it optional or give it one"
    }
    // The column's affinity converts numbers (formats/migration.md 2.6).
    guard
      match.attributeType == attribute.attributeType
        || match.attributeType.isNumber && attribute.attributeType.isNumber
        || attribute.allowsBytes(of: match)
    else {
      let renamed = match.name == attribute.name ? "" : "it continues \(match.name), and "
      return renamed + "its type changes from \(match.attributeType.name) to "
        + "\(attribute.attributeType.name); say how in a mapping file, which mapping init begins"
    }
    if needsDefault && match.isOptional {
      return "it becomes required but has no default value for objects without one; "
        + "keep it optional or give it one"
    }
    return nil
  }
}

extension AttributeDescription {
  /// Whether the model says that it takes over the bytes of an attribute: those of a transformed object, or of one that is
  /// archived in them (formats/migration.md 2.8).
  fileprivate func allowsBytes(of other: AttributeDescription) -> Bool {
    Set([attributeType, other.attributeType]) == [.transformable, .binaryData]
      && !allowsExternalBinaryDataStorage && !other.allowsExternalBinaryDataStorage
      && userInfo[UserInfoKey.allowsTypeTransformation] != nil
  }
}
