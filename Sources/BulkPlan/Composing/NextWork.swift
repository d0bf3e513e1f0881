internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// What the step behind a leg does, by itself, to the version that the leg leads to.
struct NextWork {
  let step: VersionStep
  let destination: StoreSchema
  let carriage: Carriage
  let indexStyle: IndexStyle
  let objects: ObjectCarriage
  /// How a mapping model makes objects; `nil` for an inferred step.
  let instances: InstanceWork?
  /// The rows that an inferred step moves.
  let transfers: TransferSet

  /// - Throws: ``PlanError`` if the step cannot be done at all.
  init(_ hop: MigrationHop, of version: StoreOutline) throws(PlanError) {
    if let mapping = hop.mapping {
      let work = try MappedWork(hop, mapping, of: version)
      (step, destination, carriage) = (work.step, work.destination, work.carriage)
      (indexStyle, objects, instances) = (work.indexStyle, work.objects, work.instances)
      transfers = work.instances.transfers
    } else {
      let work = try InPlaceWork(hop, of: version)
      (step, destination, carriage) = (work.step, work.destination, work.carriage)
      (indexStyle, objects, instances) = (work.indexStyle, work.objects, nil)
      transfers = work.transfers
    }
  }

  /// The names of the entity mappings in the order in which their rows are written.
  var order: [String] {
    if let instances { return instances.creations.map(\.mapping.mapping.name) }
    let tables = transfers.entityRows.map(\.destination)
    let mappings = step.mapping.entityMappings.compactMap { mapping -> (Int, String)? in
      let entity = mapping.destinationEntityName.flatMap { step.destination.entity(named: $0) }
      let table = entity.map { destination.table(of: $0).name }
      return table.flatMap { tables.firstIndex(of: $0) }.map { ($0, mapping.name) }
    }
    return mappings.sorted { $0.0 < $1.0 }.map(\.1)
  }
}
