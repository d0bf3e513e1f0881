internal import BulkModel

/// The values that Xcode's compiler gives to properties without an explicit value.
///
/// Source: mapping-model-format.md 3.5 and 3.6.
struct StandardValues {
  private let source: ManagedObjectModel
  /// The entity mappings that make objects, by their source entities.
  private let bySource: [String: [EntityMapping]]
  /// All entity mappings, in order, possibly without their properties.
  let mappings: [EntityMapping]

  init(from source: ManagedObjectModel, _ mappings: [EntityMapping]) {
    self.source = source
    self.mappings = mappings
    bySource = Dictionary(
      grouping: mappings.filter { $0.destinationEntityName != nil && $0.sourceEntityName != nil },
      by: { $0.sourceEntityName ?? "" }
    )
  }

  /// The objects that an entity mapping made from source objects.
  static func destinationInstances(
    of mapping: String,
    from instances: ValueExpression
  ) -> ValueExpression {
    .function(
      target: .variable("manager"),
      selector: ManagerSelector.instancesOfMapping.rawValue,
      arguments: [.constant(.string(mapping)), instances]
    )
  }

  /// The value of the source attribute with a name; `nil` if there is none.
  func attribute(_ name: String, of entity: EntityDescription) -> ValueExpression? {
    let exists = source.lineage(of: entity).contains { owner in
      owner.attributes.contains { $0.name == name }
    }
    return exists ? InferredValue.copy(name) : nil
  }

  /// The objects made from those of the source relationship with a name.
  ///
  /// - Parameters:
  ///   - name: The source relationship.
  ///   - entity: The source entity.
  ///   - relationship: The relationship to fill; it selects between two possible mappings.
  /// - Returns: The expression; `nil` if the source has no such relationship.
  func relationship(
    _ name: String,
    of entity: EntityDescription,
    for relationship: RelationshipDescription?
  ) -> ValueExpression? {
    guard
      let found = source.relationship(named: name, of: entity)?.relationship,
      let target = source.entity(named: found.destinationEntityName)
    else { return nil }
    var candidates = bySource[target.name, default: []]
    if candidates.count > 1, let wanted = relationship?.destinationEntityName {
      candidates = candidates.filter { $0.destinationEntityName == wanted }
    }
    guard source.subentities(of: target).isEmpty, candidates.count == 1 else {
      return InferredValue.relationship(name)
    }
    return Self.destinationInstances(
      of: candidates[0].name,
      from: .keyPath(name, of: .variable("source"))
    )
  }

  /// Whether several mappings read the objects of an entity or of one of its subentities.
  func isDivided(_ entityName: String) -> Bool {
    guard let entity = source.entity(named: entityName) else { return false }
    return source.hierarchy(from: entity).contains { bySource[$0.name, default: []].count > 1 }
  }
}
