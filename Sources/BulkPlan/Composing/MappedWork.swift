internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// What a step by a mapping model does to a store, or several steps of which one has a mapping model,
/// done as one: objects are made anew, and of the versions on the way none is made.
struct MappedWork: Sendable {
  /// The layout of the store that is read.
  let layout: StoreLayout
  /// From the model of the store that is read to that of the store that is made.
  let step: VersionStep
  /// The model of the store that is made, and its tables.
  let destination: StoreSchema
  /// The tables that are taken over although no model explains them.
  let carriage: Carriage
  /// The indexes and uniqueness constraints of the store that is made.
  let indexStyle: IndexStyle
  /// The objects that are taken over although no model explains them.
  let objects: ObjectCarriage
  /// How objects are made, as far as it can be told without rows: of the ranges of keys only that they
  /// follow one another.
  let instances: InstanceWork
  /// In which way objects are made.
  let style: InstanceStyle
  /// The partners that are chosen among several.
  let choices: [PartnerChoice]
  /// The columns of the store whose values must not lie in files beside it.
  let externalColumns: [ExternalColumn]
  /// The tables of the store that is read.
  let file: FileSchema
  private let before: StoreOutline

  /// The work of one step by a mapping model.
  ///
  /// - Throws: ``PlanError`` if the store does not fit the model, or if the mapping cannot be carried out.
  init(_ hop: MigrationHop, _ mapping: MappingModel, of store: StoreOutline) throws(PlanError) {
    before = store
    file = store.schema
    do throws(StoreError) {
      layout = try store.layout(for: hop.source)
    } catch {
      throw .store(error, path: store.path)
    }
    step = VersionStep(
      name: hop.name,
      source: hop.source,
      destination: hop.destination,
      mapping: mapping,
      isInferred: false
    )
    destination = StoreSchema(
      hop.destination,
      naming: JoinTableNaming(mapping, layout.schema, hop.destination, store.frameworkVersion)
    )
    instances = try InstanceWork(mapping, from: layout.schema, to: destination)
    style = InstanceStyle()
    choices = instances.choices
    externalColumns = ExternalColumn.all(in: instances.transfers)
    carriage = Carriage(ofTablesIn: layout)
    indexStyle = IndexStyle(destination)
    objects = ObjectCarriage(
      layout,
      to: destination,
      transfers: instances.transfers,
      carriage: carriage
    )
  }

  /// The work of several steps.
  init(
    _ composition: LegComposition,
    _ step: VersionStep,
    _ instances: InstanceWork
  ) {
    (self.step, self.instances) = (step, instances)
    layout = composition.layout
    style = composition.style
    choices = instances.choices + composition.choices.filter { !instances.choices.contains($0) }
    let columns = ExternalColumn.all(in: instances.transfers)
    externalColumns = columns + composition.externalColumns.filter { !columns.contains($0) }
    file = composition.file
    before = composition.version
    destination = composition.next.destination
    indexStyle = composition.next.indexStyle
    carriage = composition.carriage.followed(by: composition.next.carriage)
    objects = composition.objects.followed(by: composition.next.objects)
  }

  /// What the store that is made looks like.
  func outline() throws(PlanError) -> StoreOutline {
    try .version(
      step.name,
      after: before,
      destination,
      indexStyle,
      carriage,
      objects,
      primaryKeys: destination.primaryKeyEntries { _ in 0 }
    )
  }
}

extension MappedWork {
  /// What becomes of every entity.
  var successions: [EntitySuccession] {
    let hop = MigrationHop(
      to: step.name,
      from: step.source,
      step.destination,
      mapping: step.mapping
    )
    return step.mapping.entityMappings.map { EntitySuccession($0, hop) }
  }
}
