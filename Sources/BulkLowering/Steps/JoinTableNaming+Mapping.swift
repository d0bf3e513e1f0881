package import BulkMapping
package import BulkModel
package import BulkStore

extension JoinTableNaming {
  /// Gives the destination's join tables the source's names and column orders, where a mapping continues the
  /// relationships that name them.
  package init(
    _ mapping: MappingModel,
    from source: StoreSchema,
    to destination: ManagedObjectModel,
    frameworkVersion: Int64
  ) {
    let successors = Self.successors(mapping, source.model, destination)
    var arrangements: [PropertyKey: JoinTable.Arrangement] = [:]
    for (owner, arrangement) in source.naming.arrangements {
      guard
        let successor = successors[owner],
        source.model.orderOfSides(owner) == destination.orderOfSides(successor)
      else { continue }
      arrangements[successor] = arrangement
    }
    self.init(
      frameworkVersion: frameworkVersion,
      owners: source.naming.owners.compactMap { successors[$0] },
      arrangements: arrangements
    )
  }

  /// The first relationship that continues each one of the source, by the latter.
  private static func successors(
    _ mapping: MappingModel,
    _ source: ManagedObjectModel,
    _ destination: ManagedObjectModel
  ) -> [PropertyKey: PropertyKey] {
    var result: [PropertyKey: PropertyKey] = [:]
    for entityMapping in mapping.entityMappings {
      guard
        let sourceEntity = entityMapping.sourceEntityName.flatMap({ source.entity(named: $0) }),
        let entity = entityMapping.destinationEntityName.flatMap({ destination.entity(named: $0) })
      else { continue }
      for property in entityMapping.relationshipMappings {
        guard
          case .instances(let path, of: _) = entityMapping.relationship(property.name),
          path.count == 1,
          let before = source.relationship(named: path[0], of: sourceEntity),
          let now = destination.relationship(named: property.name, of: entity)
        else { continue }
        let key = PropertyKey(before.owner.name, before.relationship.name)
        guard result[key] == nil else { continue }
        result[key] = PropertyKey(now.owner.name, now.relationship.name)
      }
    }
    return result
  }
}

extension ManagedObjectModel {
  /// Whether a relationship is ordered, and whether its inverse is.
  fileprivate func orderOfSides(_ key: PropertyKey) -> [Bool] {
    guard
      let relationship = entity(named: key.entity)?.relationships
        .first(where: { $0.name == key.property })
    else { return [] }
    return [relationship.isOrdered, inverse(of: relationship)?.relationship.isOrdered ?? false]
  }
}
