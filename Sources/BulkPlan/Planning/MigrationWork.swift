package import BulkMapping
package import BulkModel
package import BulkStore

/// What a migration has to do, worked out from models and store: the mapping, the two schemas and the
/// transfers between them.
///
/// A plan is told from it, and a run does it; both work it out from the same inputs, so that the plan
/// file itself stays short and readable.
package struct MigrationWork {
  /// The store that is read.
  package let store: PersistentStore
  /// Its layout.
  package let layout: StoreLayout
  /// The mapping.
  package let mapping: MappingModel
  /// The schema of the destination.
  package let destination: StoreSchema
  /// What moves the rows.
  package let transfers: TransferSet
  /// How objects are made anew by a mapping model that somebody wrote; `nil` where the mapping is
  /// inferred, and the store is changed as in place.
  package let instances: InstanceWork?
  /// The tables and columns that are taken over although no model explains them.
  package let carriage: Carriage
  /// The indexes and uniqueness constraints of the destination.
  package let indexStyle: IndexStyle
  /// The other objects that are taken over although no model explains them.
  package let objects: ObjectCarriage

  init(_ inputs: PlanInputs) throws(PlanError) {
    try self.init(
      inputs.store,
      from: inputs.sourceModel.model,
      to: inputs.destinationModel.model,
      mapping: inputs.mapping
    )
  }

  /// The work of a migration between two models.
  ///
  /// - Parameters:
  ///   - store: The store that is read.
  ///   - sourceModel: The model that wrote it.
  ///   - destinationModel: The model of what is made.
  ///   - given: How the models map; `nil` to infer it.
  /// - Throws: ``PlanError`` if the store is damaged, or if nothing is given and nothing can be
  ///   inferred.
  package init(
    _ store: PersistentStore,
    from sourceModel: ManagedObjectModel,
    to destinationModel: ManagedObjectModel,
    mapping given: MappingModel?
  ) throws(PlanError) {
    self.store = store
    do {
      layout = try store.layout(for: sourceModel)
    } catch {
      throw .store(error, path: store.path)
    }
    if let given {
      mapping = given
    } else {
      mapping = try Self.inferred(from: sourceModel, to: destinationModel)
    }
    destination = StoreSchema(
      destinationModel,
      naming: Self.naming(mapping, layout.schema, destinationModel, store)
    )
    if let given {
      let work = try InstanceWork(given, from: layout.schema, to: destination, of: store)
      instances = work
      carriage = Carriage(ofTablesIn: layout)
      transfers = work.transfers
      indexStyle = IndexStyle(destination)
    } else {
      instances = nil
      carriage = Carriage(layout, from: layout.schema, to: destination, mapping: mapping)
      transfers = TransferBuilder(
        mapping,
        from: layout.schema,
        to: destination,
        frameworkVersion: store.metadata.frameworkVersion,
        unexplained: carriage.columnNames
      ).transfers()
      indexStyle = IndexStyle(store, from: layout.schema, to: destination, transfers)
    }
    objects = ObjectCarriage(layout, to: destination, transfers: transfers)
  }

  private static func inferred(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) throws(PlanError) -> MappingModel {
    do {
      return try MappingModel.inferred(from: source, to: destination)
    } catch {
      throw .notInferable(error)
    }
  }

  /// Lets the destination name its join tables after the sides that name them in the source.
  private static func naming(
    _ mapping: MappingModel,
    _ source: StoreSchema,
    _ destination: ManagedObjectModel,
    _ store: PersistentStore
  ) -> JoinTableNaming {
    var successors: [PropertyKey: PropertyKey] = [:]
    for entityMapping in mapping.entityMappings {
      guard
        let sourceName = entityMapping.sourceEntityName,
        let sourceEntity = source.model.entity(named: sourceName),
        let name = entityMapping.destinationEntityName,
        let entity = destination.entity(named: name)
      else { continue }
      for property in entityMapping.relationshipMappings {
        guard
          let expression = property.valueExpression,
          case .relationship(let sourceProperty) = InferredMeaning(expression),
          let before = source.model.relationship(named: sourceProperty, of: sourceEntity),

          let now = destination.relationship(named: property.name, of: entity)
        else { continue }
        successors[PropertyKey(before.owner.name, before.relationship.name)] =
          PropertyKey(now.owner.name, now.relationship.name)
      }
    }
    return JoinTableNaming(
      frameworkVersion: store.metadata.frameworkVersion,
      owners: source.naming.owners.compactMap { successors[$0] }
    )
  }
}
