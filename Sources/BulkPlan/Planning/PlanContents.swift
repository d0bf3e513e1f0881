internal import BulkMapping
internal import BulkStore

/// Describes a migration: its passes with their rows and costs, and its warnings.
struct PlanContents {
  let passes: [MigrationPlan.Pass]
  let counts: RowCounts
  let memory: PlannedMemory
  let carried: MigrationPlan.Carried
  let losses: [MigrationPlan.Loss]
  let externalFiles: MigrationPlan.ExternalFiles?
  let warnings: [String]

  /// Losses are counted by a new counter where none has counted some already.
  init(
    _ work: MigrationWork,
    _ trace: LossTrace,
    _ counter: SourcePartCounter?,
    passes requests: [PassRequest],
    allowing allowed: Set<PlanAllowance>,
    report: (PlanningProgress) -> Void
  ) throws(PlanError) {
    do {
      report(PlanningProgress(.pages))
      try work.store.refuseSharedPages()
      report(PlanningProgress(.counting))
      counts = try RowCounts(work.store, work.layout.schema)
      guard counts.strays.isEmpty else {
        // It is planned again without them.
        (passes, memory, losses, warnings) = ([], PlannedMemory(), [], [])
        (carried, externalFiles) = (MigrationPlan.Carried(), nil)
        return
      }
      report(PlanningProgress(.losses))
      let missing = try work.store.missingExternalFiles(in: work.layout.schema)
      externalFiles = try MigrationPlan.ExternalFiles(
        of: work.store.path,
        missing: missing.reduce(0) { $0 + $1.count },
        unless: allowed
      )
      let ledger = try Ledger(
        trace,
        work,
        counter ?? SourcePartCounter(work.store, work.layout.schema),
        missing: missing
      )
      losses = ledger.losses
      report(PlanningProgress(.values))
      let needs = MemoryNeeds(work: work, largeRows: try LargeRowNeeds(work))
      passes = try PassBuilder(
        work: work,
        counts: counts,
        memory: needs,
        leftOut: ledger.leftOut,
        requests: requests
      ).passes()
      memory = needs.memory()
      carried = try Self.carried(work)
      warnings = try PlanWarnings(work: work, counts: counts).warnings(missing)
    } catch let error as StoreError {
      throw .store(error, path: work.store.path)
    } catch let error as PlanError {
      throw error
    } catch {
      throw .badRows(["\(error)"])
    }
  }

  /// Describes a change of the schema alone; nothing is counted.
  init(unread work: MigrationWork) throws(PlanError) {
    (passes, memory, losses) = ([], PlannedMemory(), [])
    (counts, carried, externalFiles) = (RowCounts(), MigrationPlan.Carried(), nil)
    do {
      warnings = try PlanWarnings(work: work, counts: counts).warnings([])
    } catch let error as PlanError {
      throw error
    } catch {
      throw .badRows(["\(error)"])
    }
  }

  private static func carried(_ work: MigrationWork) throws(StoreError) -> MigrationPlan.Carried {
    var result = MigrationPlan.Carried()
    for table in work.unmanagedTables.tables + work.unmanagedTables.history {
      result.tables.append(
        MigrationPlan.CarriedTable(name: table.name, rows: try work.store.rows(in: table.name))
      )
    }
    result.columns = work.unmanagedTables.columns.map { "\($0.destinationTable).\($0.column.name)" }
    result.objects = work.unmanagedObjects.kept.map {
      "\($0.object.kind.rawValue) \($0.object.name)"
    }
    let computed = work.unmanagedObjects.kept.filter(\.isComputed)
    result.computed = computed.isEmpty ? nil : computed.map { "index \($0.object.name): \($0.sql)" }
    result.leftBehind =
      work.unmanagedTables.tablesLeftBehind.map { "table \($0.name)" }
      + work.unmanagedTables.columnsLeftBehind
      + work.unmanagedObjects.left.map { "\($0.object.kind.rawValue) \($0.object.name)" }
    return result
  }
}

extension MigrationPlan.Carried {
  package var columnTitles: [String] {
    columns.map { text in
      let names = text.split(separator: ".", maxSplits: 1).map(String.init)
      return FileTable.Column(name: names.last ?? text, declaredType: "").title(in: names[0])
    }
  }
}
