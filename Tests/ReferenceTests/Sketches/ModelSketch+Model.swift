import BulkModel
import BulkTestSupport

extension ModelSketch {
  /// The model of the source, or of what a migration made.
  func model(isMade: Bool = false) throws -> ManagedObjectModel {
    let marks = [AttributeDescription.optional("n", .integer32), .optional("text")]
    let made = isMade ? ["loud", "maker"] : []
    let attributes = marks + made.map { .optional($0) }
    return try ManagedObjectModel(
      entities: entities.map { entity in
        EntityDescription(
          entity.name,
          under: entity.parent,
          isAbstract: entity.isAbstract,
          entity.parent == nil ? attributes : [],
          entity.relationships.map(\.description)
        )
      }
    )
  }
}

extension RelationshipSketch {
  fileprivate var description: RelationshipDescription {
    var result: RelationshipDescription =
      isToMany
      ? .toMany(name, destination, inverse: inverse, isOrdered: isOrdered)
      : .toOne(name, destination, inverse: inverse)
    result.isOptional = !isRequired
    return result
  }
}
