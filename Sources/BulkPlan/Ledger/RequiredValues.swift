internal import BulkMapping
internal import BulkModel

/// Finds required properties that get no value, which inference does not check.
struct RequiredValues {
  private let destination: ManagedObjectModel
  private let rows: (String) -> Int64

  /// - Parameters:
  ///   - destination: The model to which an inferred step leads.
  ///   - rows: The objects of a source entity.
  init(to destination: ManagedObjectModel, rows: @escaping (String) -> Int64) {
    self.destination = destination
    self.rows = rows
  }

  /// The warnings of an entity mapping, a sentence each.
  ///
  /// For mapping models, validation against the destination's model reports missing values before
  /// publication.
  func warnings(_ mapping: EntityMapping) -> [String] {
    guard let source = mapping.sourceEntityName, rows(source) > 0,
      let entity = mapping.destinationEntityName.flatMap({ destination.entity(named: $0) })
    else { return [] }
    let given = Set(
      (mapping.attributeMappings + mapping.relationshipMappings)
        .filter { $0.valueExpression != nil }.map(\.name)
    )
    return required(of: entity).filter { !given.contains($0) }.map {
      "\(entity.name).\($0) is required, but new and without a default value: it is nil in "
        + "\(rows(source)) \(rows(source) == 1 ? "object" : "objects")"
    }
  }

  /// The required properties of an entity that have no default value.
  private func required(of entity: EntityDescription) -> [String] {
    destination.attributes(of: entity).filter {
      $0.isStored && !$0.isOptional && $0.defaultValue == nil
    }.map(\.name)
      + destination.relationships(of: entity).filter {
        !$0.isTransient && !$0.isOptional && (!$0.isToMany || $0.minCount > 0)
      }.map(\.name)
  }
}
