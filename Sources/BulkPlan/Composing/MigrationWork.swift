package import BulkMapping
internal import BulkModel
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
  /// The mapping model that somebody wrote; without entity mappings where all is inferred.
  package let mapping: MappingModel
  /// What becomes of every entity.
  package let successions: [EntitySuccession]
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
  /// The partners that are chosen among several.
  let choices: [PartnerChoice]
  /// The columns of the store whose values must not lie in files beside it.
  let externalColumns: [ExternalColumn]
  /// The rows that the first step takes, by the destination table in which what is left of them ends:
  /// no key that one of them had is given out again.
  package let firstRows: [String: RowTransfer]
  /// The most entities that any version before the destination has.
  package let entityCount: Int

  init(_ inputs: PlanInputs) throws(PlanError) {
    try self.init(inputs.store, inputs.steps.map(\.hop))
  }

  /// The work of a step, or of several that are done as one.
  ///
  /// - Parameters:
  ///   - store: The store that is read.
  ///   - hops: The steps, at least one; several are those of a leg of ``RouteFusion``.
  /// - Throws: ``PlanError`` if the store is damaged, if nothing can be inferred where no mapping is
  ///   given, or if the steps cannot be done as one.
  package init(_ store: PersistentStore, _ hops: [MigrationHop]) throws(PlanError) {
    precondition(!hops.isEmpty, "a migration has at least one step")
    let outline: StoreOutline
    do throws(StoreError) {
      outline = try store.outline()
    } catch {
      throw .store(error, path: store.path)
    }
    switch try LegWork(hops, of: outline) {
    case .inPlace(let work): self.init(store, work)
    case .mapped(let work): try self.init(store, work)
    }
  }

  private init(_ store: PersistentStore, _ work: FusedWork) {
    self.store = store
    layout = work.layout
    mapping = MappingModel()
    successions = work.successions
    destination = work.destination
    transfers = work.transfers
    instances = nil
    carriage = work.carriage
    indexStyle = work.indexStyle
    objects = work.objects
    choices = work.choices
    externalColumns = work.externalColumns
    firstRows = work.firstRows
    entityCount = work.entityCount
  }

  private init(_ store: PersistentStore, _ work: MappedWork) throws(PlanError) {
    self.store = store
    layout = work.layout
    mapping = work.step.mapping
    successions = work.successions
    destination = work.destination
    let made = try InstanceWork(
      mapping,
      from: layout.schema,
      to: destination,
      of: store,
      style: work.style
    )
    instances = made
    carriage = work.carriage
    transfers = made.transfers
    indexStyle = work.indexStyle
    objects = work.objects
    (choices, externalColumns) = (work.choices, work.externalColumns)
    firstRows = [:]
    entityCount = layout.schema.numbering.entities.count
  }
}
