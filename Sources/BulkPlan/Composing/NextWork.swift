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
}
