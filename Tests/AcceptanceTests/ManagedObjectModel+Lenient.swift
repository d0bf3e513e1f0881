import BulkModel

extension ManagedObjectModel {
  /// The same model without rules about values, which synthetic objects would not keep.
  func lenient() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: entities.map { entity in
        var entity = entity
        for place in entity.attributes.indices {
          entity.attributes[place].isOptional = true
          entity.attributes[place].validationPredicates = []
        }
        for place in entity.relationships.indices {
          entity.relationships[place].isOptional = true
          entity.relationships[place].minCount = 0
        }
        return entity
      }
    )
  }
}
