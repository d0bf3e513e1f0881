package import BulkMapping
internal import BulkModel
package import BulkStore

/// The work of a step on a store, or of several steps done as one leg.
///
/// It depends on the models, the mapping and the tables of the store, not on its rows, so it can be derived
/// for a version that is never made.
package struct StepWork: Sendable {
  /// The steps, at least one; inferred steps in front of a custom mapping model count as one with it.
  package internal(set) var steps: [MigrationStep]
  /// The same steps, composed ones each for itself.
  package internal(set) var singleSteps: [MigrationStep]
  package internal(set) var layout: StoreLayout
  package internal(set) var file: FileSchema
  package internal(set) var successions: [EntitySuccession]
  package let destination: StoreSchema
  package internal(set) var transfers: TransferSet
  /// The creation of objects by a custom mapping model; empty where rows keep their keys.
  package internal(set) var instances = InstanceWork.none
  var options = InstanceOptions()
  package internal(set) var unmanagedTables: UnmanagedTables
  package let indexStyle: IndexStyle
  package internal(set) var unmanagedObjects: UnmanagedObjects
  package internal(set) var choices: [PartnerChoice]
  /// The columns of the store whose values must not be in external files.
  package internal(set) var externalColumns: [ExternalSourceColumn]
  /// The rows of the first version that bound the highest key a table ever gave out, by the table of the last
  /// version.
  package internal(set) var firstRows: [String: RowTransfer]
  package internal(set) var entityCount: Int
  private let before: StoreOutline

  /// Throws ``PlanError`` if the store does not fit the model, or if the mapping cannot be executed.
  package init(_ step: MigrationStep, of store: StoreOutline) throws(PlanError) {
    before = store
    (steps, singleSteps) = ([step], [step])
    file = store.schema
    layout = try PlanError.reading(store.path, try store.layout(for: step.source))
    let source = layout.schema
    destination = StoreSchema(
      step.destination,
      continuing: source,
      by: step.mapping,
      store.frameworkVersion
    )
    successions = step.mapping.entityMappings.map { EntitySuccession($0, step) }
    entityCount = source.numbering.entities.count
    if step.isInferred {
      unmanagedTables = UnmanagedTables(layout, from: source, to: destination, by: step)
      transfers = TransferBuilder(
        step.mapping,
        from: source,
        to: destination,
        frameworkVersion: store.frameworkVersion,
        unmanaged: unmanagedTables.columnNames
      ).transfers()
      choices = PartnerChoice.all(in: transfers, describedBy: transfers, to: destination)
      indexStyle = IndexStyle(store.schema, from: source, to: destination, transfers)
      firstRows = transfers.rowsByTable
    } else {
      let made = try InstanceWork(step.mapping, from: source, to: destination)
      instances = made
      unmanagedTables = UnmanagedTables(ofTablesIn: layout, to: destination)
      transfers = made.transfers
      choices = made.choices(to: destination)
      indexStyle = IndexStyle(destination)
      firstRows = [:]
    }
    externalColumns = ExternalSourceColumn.all(in: transfers)
    unmanagedObjects = UnmanagedObjects(
      layout,
      to: destination,
      transfers: transfers,
      unmanagedTables: unmanagedTables,
      indexStyle
    )
  }

  /// Throws ``PlanError/cannotFuse(_:)`` if the steps cannot be done as one.
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

  package var last: MigrationStep { steps[steps.count - 1] }

  /// Whether all steps are inferred: then rows keep their keys, as in a migration in place.
  package var keepsKeys: Bool { steps.allSatisfy(\.isInferred) }

  /// Whether the rules of the destination's model are checked, as Core Data does under a mapping model.
  package var isJudged: Bool { !keepsKeys }

  /// `nil` where rows keep their keys.
  package var made: InstanceWork? { keepsKeys ? nil : instances }

  /// The custom mapping model; without entity mappings where rows keep their keys.
  package var mapping: MappingModel { keepsKeys ? MappingModel() : last.mapping }

  package var definition: StoreDefinition {
    StoreDefinition(
      destination,
      unmanagedTables,
      indexStyle,
      objects: unmanagedObjects,
      historyIndexes: layout.historyIndexes
    )
  }

  /// Throws ``PlanError`` if SQLite refuses to make an unmanaged object.
  package func outline() throws(PlanError) -> StoreOutline {
    let path = "version \(last.name) of \(before.path)"
    return try PlanError.reading(
      path,
      try StoreOutline(
        of: definition,
        path: path,
        frameworkVersion: before.frameworkVersion,
        primaryKeys: keepsKeys
          ? destination.primaryKeyEntries({ _ in 0 }, before: before.primaryKeys, of: entityCount)
          : destination.primaryKeyEntries { _ in 0 }
      )
    )
  }

  /// With a further step in the same leg, or why the last version must be made before the step.
  package func followed(by step: MigrationStep) throws(PlanError) -> Result<StepWork, FusionBarrier>
  {
    let next = try StepWork(step, of: try outline())
    guard keepsKeys else { return .failure(FusionBarrier("\(last.name) makes new objects")) }
    do throws(FusionBarrier) {
      return .success(
        next.keepsKeys
          ? try KeptComposition(first: self, next: next).composed()
          : try MadeComposition(first: self, next: next).composed()
      )
    } catch {
      return .failure(error)
    }
  }

  /// The rules of the destination's model that are not checked although Core Data would check them, a
  /// sentence each.
  ///
  /// An inferred step checks no rules, as in Core Data.
  package var uncheckedRules: [String] {
    keepsKeys ? [] : destination.uncheckedRules.map(\.description)
  }
}

extension TransferSet {
  /// With those that stay empty, by destination table.
  var rowsByTable: [String: RowTransfer] {
    Dictionary(firstOf: (entityRows + emptyTables).map { ($0.destination, $0) })
  }
}

/// An entity from the first version that has it to the last, step by step.
package struct EntitySuccession: Sendable {
  package struct Step: Sendable {
    package let step: MigrationStep
    package let mapping: EntityMapping
  }

  /// In the source store; `nil` for one that a step adds.
  package let source: String?
  /// In the destination; `nil` for one that a step removes.
  package private(set) var destination: String?
  package private(set) var steps: [Step]

  package init(_ mapping: EntityMapping, _ step: MigrationStep) {
    source = mapping.sourceEntityName
    destination = mapping.destinationEntityName
    steps = [Step(step: step, mapping: mapping)]
  }

  /// `nil` for an entity that one step adds and another removes.
  private func followed(by mapping: EntityMapping, _ step: MigrationStep) -> EntitySuccession? {
    guard source != nil || mapping.destinationEntityName != nil else { return nil }
    var result = self
    result.destination = mapping.destinationEntityName
    result.steps.append(Step(step: step, mapping: mapping))
    return result
  }

  static func continued(
    _ successions: [EntitySuccession],
    by step: MigrationStep
  ) -> [EntitySuccession] {
    let gone = successions.filter { $0.destination == nil }
    let continued = successions.compactMap { succession in
      succession.destination.flatMap { step.mappings(reading: $0).first }
        .flatMap { succession.followed(by: $0, step) }
    }
    let new = step.mapping.entityMappings.filter { $0.sourceEntityName == nil }
    return gone + continued + new.map { EntitySuccession($0, step) }
  }
}
