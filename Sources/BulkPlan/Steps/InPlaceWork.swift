internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// What one inferred step does to a store that is changed as in place: keys are kept, and rows move
/// table by table.
///
/// It needs no row of the store, so it can also be told of a store that is never made.
struct InPlaceWork: Sendable {
  /// The step.
  let hop: MigrationHop
  /// The mapping, inferred.
  let mapping: MappingModel
  /// The layout of the store before.
  let layout: StoreLayout
  /// The schema of the store afterwards.
  let destination: StoreSchema
  /// What moves the rows.
  let transfers: TransferSet
  /// The tables and columns that are taken over although no model explains them.
  let carriage: Carriage
  /// The indexes and uniqueness constraints of the store afterwards.
  let indexStyle: IndexStyle
  /// The other objects that are taken over although no model explains them.
  let objects: ObjectCarriage
  private let before: StoreOutline

  /// - Throws: ``PlanError`` if the store does not fit the model, or if nothing can be inferred.
  init(_ hop: MigrationHop, of store: StoreOutline) throws(PlanError) {
    self.hop = hop
    before = store
    do throws(StoreError) {
      layout = try store.layout(for: hop.source)
    } catch {
      throw .store(error, path: store.path)
    }
    do throws(InferenceError) {
      mapping = try MappingModel.inferred(from: hop.source, to: hop.destination)
    } catch {
      throw .notInferable(error)
    }
    let source = layout.schema
    destination = StoreSchema(
      hop.destination,
      naming: JoinTableNaming(mapping, source, hop.destination, store.frameworkVersion)
    )
    carriage = Carriage(layout, from: source, to: destination, mapping: mapping)
    transfers = TransferBuilder(
      mapping,
      from: source,
      to: destination,
      frameworkVersion: store.frameworkVersion,
      unexplained: carriage.columnNames
    ).transfers()
    indexStyle = IndexStyle(store.schema, from: source, to: destination, transfers)
    objects = ObjectCarriage(
      layout,
      to: destination,
      transfers: transfers,
      carriage: carriage
    )
  }

  /// What the store looks like afterwards.
  ///
  /// - Throws: ``PlanError`` if SQLite refuses to make something that is taken over.
  func outline() throws(PlanError) -> StoreOutline {
    try .version(
      hop.name,
      after: before,
      destination,
      indexStyle,
      carriage,
      objects,
      historyIndexes: layout.historyIndexes,
      primaryKeys: destination.primaryKeyEntries(
        { _ in 0 },
        before: before.primaryKeys,
        of: layout.schema.numbering.entities.count
      )
    )
  }

  /// The step with its mapping.
  var step: VersionStep {
    VersionStep(
      name: hop.name,
      source: hop.source,
      destination: hop.destination,
      mapping: mapping,
      isInferred: true
    )
  }
}
