extension ManagedObjectModel {
  /// One model of the entities of several (`NSManagedObjectModel(byMerging:)`).
  ///
  /// An entity that several of them have must be the same in all of them. Configurations of one name
  /// are united; identifiers and fetch requests come from all.
  ///
  /// - Throws: ``ModelError/duplicateEntity(_:)`` for an entity that is not the same.
  public init(merging models: [ManagedObjectModel]) throws(ModelError) {
    var entities: [String: EntityDescription] = [:]
    var configurations: [String: Set<String>] = [:]
    var requests: [String: FetchRequestDescription] = [:]
    for model in models {
      for entity in model.entities {
        if let known = entities[entity.name], known != entity {
          throw .duplicateEntity(entity.name)
        }
        entities[entity.name] = entity
      }
      for (name, members) in model.configurations {
        configurations[name, default: []].formUnion(members)
      }
      for request in model.fetchRequestTemplates { requests[request.name] = request }
    }
    try self.init(
      entities: Array(entities.values),
      versionIdentifiers: models.flatMap(\.versionIdentifiers),
      configurations: configurations.mapValues { Array($0) },
      fetchRequestTemplates: Array(requests.values)
    )
  }

  /// The model of the entities that a configuration names; `nil` if there is no such configuration.
  ///
  /// - Throws: ``ModelError`` if they need entities that it does not name.
  public func model(ofConfiguration name: String) throws(ModelError) -> ManagedObjectModel? {
    guard let members = configurations[name].map({ Set($0) }) else { return nil }
    return try ManagedObjectModel(
      entities: entities.filter { members.contains($0.name) },
      versionIdentifiers: versionIdentifiers,
      configurations: [name: Array(members)],
      fetchRequestTemplates: fetchRequestTemplates.filter { members.contains($0.entityName) }
    )
  }
}
