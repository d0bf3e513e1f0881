package import BulkVersions
package import BulkMapping
internal import BulkModel
package import BulkStore

/// What a step does to a store, or several steps that are done as one.
///
/// It follows from the models, the mapping and the tables of the store, not from its rows, so it can also
/// be told of a version that is never made.
package struct StepWork: Sendable {
  /// The steps, at least one; those that are done by one mapping model are one.
  package var steps: [MigrationStep]
  /// The layout of the store that is read.
  package internal(set) var layout: StoreLayout
  /// The tables of the store that is read.
  package var file: FileSchema
  /// What becomes of every entity.
  package internal(set) var successions: [EntitySuccession]
  /// The model of the store that is made, and its tables.
  package let destination: StoreSchema
  /// What moves the rows, from the store that is read into the last version.
  package internal(set) var transfers: TransferSet
  /// How objects are made anew; nothing of it where rows keep their keys.
  package internal(set) var instances = InstanceWork.none
  /// In which way objects are made.
  var style = InstanceStyle()
  /// The tables and columns that are taken over although no model explains them.
  package internal(set) var unmanagedTables: UnmanagedTables
  /// The indexes and uniqueness constraints of the store that is made.
  package let indexStyle: IndexStyle
  /// The other objects that are taken over although no model explains them.
  package internal(set) var unmanagedObjects: UnmanagedObjects
  /// The partners that are chosen among several.
  package var choices: [PartnerChoice]
  /// The columns of the store whose values must not lie in files beside it.
  package var externalColumns: [ExternalColumn]
  /// The rows among which the highest keys are looked for that a table ever gave out: those of the first
  /// version, by the table of the last one.
  package internal(set) var firstRows: [String: RowTransfer]
  /// The most entities that any version before the last one has.
  package internal(set) var entityCount: Int
  /// The version before the last step.
  private let before: StoreOutline

  /// The work of one step.
  ///
  /// - Throws: ``PlanError`` if the store does not fit the model, or if the mapping cannot be carried out.
  package init(_ step: MigrationStep, of store: StoreOutline) throws(PlanError) {
    before = store
    steps = [step]
    file = store.schema
    do throws(StoreError) {
      layout = try store.layout(for: step.source)
    } catch {
      throw .store(error, path: store.path)
    }
    let source = layout.schema
    destination = StoreSchema(
      step.destination,
      naming: JoinTableNaming(step.mapping, source, step.destination, store.frameworkVersion)
    )
    successions = step.mapping.entityMappings.map { EntitySuccession($0, step) }
    entityCount = source.numbering.entities.count
    if step.isInferred {
      unmanagedTables = UnmanagedTables(
        layout,
        from: source,
        to: destination,
        mapping: step.mapping
      )
      transfers = TransferBuilder(
        step.mapping,
        from: source,
        to: destination,
        frameworkVersion: store.frameworkVersion,
        unmanaged: unmanagedTables.columnNames
      ).transfers()
      choices = PartnerChoice.all(in: transfers, toldIn: transfers)
      indexStyle = IndexStyle(store.schema, from: source, to: destination, transfers)
      firstRows = transfers.rowsByTable
    } else {
      let made = try InstanceWork(step.mapping, from: source, to: destination)
      instances = made
      unmanagedTables = UnmanagedTables(ofTablesIn: layout)
      transfers = made.transfers
      choices = made.choices
      indexStyle = IndexStyle(destination)
      firstRows = [:]
    }
    externalColumns = ExternalColumn.all(in: transfers)
    unmanagedObjects = UnmanagedObjects(
      layout,
      to: destination,
      transfers: transfers,
      unmanagedTables: unmanagedTables
    )
  }

  /// The work of several steps.
  ///
  /// - Throws: ``PlanError/cannotFuse(_:)`` if they cannot be done as one.
  package init(_ steps: [MigrationStep], of store: StoreOutline) throws(PlanError) {
    var work = try StepWork(steps[0], of: store)
    for step in steps.dropFirst() {
      switch try work.followed(by: step) {
      case .success(let longer): work = longer
      case .failure(let barrier): throw .cannotFuse(barrier.reasons)
      }
    }
    self = work
  }

  /// The last step.
  package var last: MigrationStep { steps[steps.count - 1] }

  /// Whether all steps are inferred: then rows keep their keys, as if the store were changed in place.
  package var keepsKeys: Bool { steps.allSatisfy(\.isInferred) }

  /// The mapping model by which objects are made anew; without entity mappings where rows keep their keys.
  package var mapping: MappingModel { keepsKeys ? MappingModel() : last.mapping }

  /// What the store that is made looks like.
  ///
  /// - Throws: ``PlanError`` if SQLite refuses to make something that is taken over.
  package func outline() throws(PlanError) -> StoreOutline {
    try .version(
      last.name,
      after: before,
      destination,
      indexStyle,
      unmanagedTables,
      unmanagedObjects,
      historyIndexes: layout.historyIndexes,
      primaryKeys: keepsKeys
        ? destination.primaryKeyEntries({ _ in 0 }, before: before.primaryKeys, of: entityCount)
        : destination.primaryKeyEntries { _ in 0 }
    )
  }

  /// The work with a further step, done as one.
  ///
  /// - Returns: The work, or why the last version must be made before the step.
  /// - Throws: ``PlanError`` if the step cannot be done at all.
  package func followed(by step: MigrationStep) throws(PlanError) -> Result<StepWork, FusionBarrier>
  {
    let next = try StepWork(step, of: try outline())
    do throws(FusionBarrier) {
      if keepsKeys && next.keepsKeys {
        return .success(try KeptComposition(self, next).composed())
      }
      return .success(try MadeComposition(self, next).composed())
    } catch {
      return .failure(error)
    }
  }

  /// The names of the entity mappings in the order in which their rows are written.
  var order: [String] {
    guard keepsKeys else { return instances.creations.map(\.mapping.mapping.name) }
    let tables = transfers.entityRows.map(\.destination)
    let mappings = last.mapping.entityMappings.compactMap { mapping -> (Int, String)? in
      let entity = mapping.destinationEntityName.flatMap { last.destination.entity(named: $0) }
      let table = entity.map { destination.table(of: $0).name }
      return table.flatMap { tables.firstIndex(of: $0) }.map { ($0, mapping.name) }
    }
    return mappings.sorted { $0.0 < $1.0 }.map(\.1)
  }
}

extension TransferSet {
  /// What fills each entity table, and the sources of those that stay empty, by destination table.
  var rowsByTable: [String: RowTransfer] {
    Dictionary(
      (entityRows + emptyTables).map { ($0.destination, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }
}
