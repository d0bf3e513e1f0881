internal import BulkMapping
internal import BulkModel

/// A step between two versions of a model, by a mapping model that somebody wrote or that is inferred.
struct VersionStep: Sendable {
  /// What plans call the version that the step leads to.
  let name: String
  /// The model before.
  let source: ManagedObjectModel
  /// The model afterwards.
  let destination: ManagedObjectModel
  /// How the models map.
  let mapping: MappingModel
  /// Whether nothing of the mapping was written by somebody.
  let isInferred: Bool

  /// The entity mappings that make objects of an entity or of one that inherits from it.
  func makers(under entity: EntityDescription) -> [EntityMapping] {
    let names = Set(destination.hierarchy(from: entity).filter { !$0.isAbstract }.map(\.name))
    return mapping.entityMappings.filter { mapping in
      makesObjects(mapping) && mapping.destinationEntityName.map(names.contains) ?? false
    }
  }

  /// Whether an entity mapping has objects to read and makes some of them.
  func makesObjects(_ mapping: EntityMapping) -> Bool {
    guard mapping.destinationEntityName != nil else { return false }
    return mapping.sourceEntityName.flatMap { source.entity(named: $0) }
      .map { !$0.isAbstract } ?? false
  }

  /// Whether every object of an entity, or of one that inherits from it, is made into exactly one by
  /// some of the entity mappings.
  func isWhole(_ makers: [EntityMapping], from entity: EntityDescription) -> Bool {
    let concrete = source.hierarchy(from: entity).filter { !$0.isAbstract }.map(\.name)
    return concrete.allSatisfy { name in
      let own = makers.filter { $0.sourceEntityName == name }
      return own.count == 1 && own[0].filter == nil
    }
  }
}
