package import BulkMapping
package import BulkModel
internal import BulkSupport

/// A step of a migration, from one version of a model to another.
package struct MigrationStep: Sendable {
  /// As in plans.
  package let name: String
  package let source: ManagedObjectModel
  package let destination: ManagedObjectModel
  package let mapping: MappingModel
  private let indexes: [String?: [Int]]
  package let isInferred: Bool
  /// Whether the history before the last change of a removed entity stays, without the changes of that entity.
  package var keepsPartialHistory = false
  /// Whether the store gets an identifier of its own.
  package var takesNewIdentifier = false
  /// The points in which an inferred step differs from Core Data: changes that it refuses or makes
  /// otherwise.
  package let differences: [CoreDataDifference]

  /// Whether no entity continues, although no mapping says so.
  package var replacesAll: Bool {
    isInferred && !source.entities.isEmpty
      && mapping.entityMappings.allSatisfy {
        $0.sourceEntityName == nil || $0.destinationEntityName == nil
      }
  }

  /// Whether its versions have equal hashes.
  var keepsVersion: Bool {
    source.entityVersionHashesByName == destination.entityVersionHashesByName
  }

  package var models: ModelPair { ModelPair(from: source, to: destination) }

  package init(
    to name: String,
    from source: ManagedObjectModel,
    _ destination: ManagedObjectModel,
    by mapping: MappingModel,
    isInferred: Bool = false
  ) {
    self.name = name
    self.source = source
    self.destination = destination
    self.mapping = mapping
    indexes = Dictionary(grouping: mapping.entityMappings.indices) {
      mapping.entityMappings[$0].sourceEntityName
    }
    self.isInferred = isInferred
    let models = ModelPair(from: source, to: destination)
    differences = isInferred ? CoreDataDifference.all(between: models) : []
  }

  package init(
    from source: LocatedModel,
    to destination: LocatedModel,
    mapping: MappingModel?
  ) throws(PlanError) {
    self.init(
      to: destination.versionName,
      from: source.model,
      destination.model,
      by: try Self.mapping(mapping, from: source.model, to: destination.model),
      isInferred: mapping == nil
    )
  }

  private static func mapping(
    _ written: MappingModel?,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) throws(PlanError) -> MappingModel {
    if let written { return written }
    do throws(InferenceError) {
      return try MappingModel.inferred(from: source, to: destination)
    } catch {
      throw .notInferable(error)
    }
  }
}

extension MappingModel {
  func continuations(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> [(mapping: EntityMapping, source: EntityDescription, destination: EntityDescription)] {
    entityMappings.compactMap { mapping in
      guard let from = source.entity(named: mapping.sourceEntityName),
        let to = destination.entity(named: mapping.destinationEntityName)
      else { return nil }
      return (mapping, from, to)
    }
  }
}

extension EntityMapping {
  func copiedAttribute(for name: String) -> String? {
    if case .copy(let source) = attribute(name) { source } else { nil }
  }

  /// With or without a default value in place of nil.
  func takenAttribute(for name: String) -> String? {
    switch attribute(name) {
    case .copy(let source), .copyOrDefault(let source): source
    case .defaultValue, .constant, .policy, .expression: nil
    }
  }

  func copiedRelationship(for name: String) -> String? {
    guard case .instances(let path, _) = relationship(name), path.count == 1 else { return nil }
    return path[0]
  }
}

extension MigrationStep {
  package func mappings(reading entity: String) -> [EntityMapping] {
    (indexes[entity] ?? []).map { mapping.entityMappings[$0] }
  }

  package func makers(under entity: EntityDescription) -> [EntityMapping] {
    let names = Set(destination.hierarchy(from: entity).filter { !$0.isAbstract }.map(\.name))
    return mapping.entityMappings.filter { mapping in
      makesObjects(mapping) && mapping.destinationEntityName.map(names.contains) ?? false
    }
  }

  func makesObjects(_ mapping: EntityMapping) -> Bool {
    mapping.destinationEntityName != nil
      && source.entity(named: mapping.sourceEntityName)?.isAbstract == false
  }

  /// Of every object of the entity or its descendants.
  package func isWhole(_ makers: [EntityMapping], from entity: EntityDescription) -> Bool {
    let concrete = source.hierarchy(from: entity).filter { !$0.isAbstract }.map(\.name)
    return concrete.allSatisfy { name in
      let own = makers.filter { $0.sourceEntityName == name }
      return own.count == 1 && own[0].filter == nil
    }
  }
}
