internal import BulkLowering
internal import BulkMapping
internal import BulkModel
internal import BulkStore

/// The contents beside a store's objects that a route keeps, step by step: unmanaged tables and
/// columns, and the history.
struct KeptUnmanaged {
  private let store: PersistentStore
  private let schema: StoreSchema
  /// The contents kept after each step; a step that cannot be worked out ends the list.
  private var kept: [UnmanagedTables] = []
  /// The names that the source's entities have after each step, by their names in the source.
  private var names: [[String: String]] = []
  /// The entities of the source in whose rows each unmanaged column is kept after each step.
  private var owners: [[StoredColumn: Set<String>]] = []

  init(
    _ steps: [MigrationStep],
    of store: PersistentStore,
    _ outline: StoreOutline,
    _ layout: StoreLayout
  ) {
    self.store = store
    var outline = outline
    let first = layout.schema
    schema = first
    for step in steps {
      guard let work = try? StepWork(step, of: outline), let next = try? work.outline() else {
        return
      }
      kept.append(kept.last?.followed(by: work.unmanagedTables) ?? work.unmanagedTables)
      follow(step, to: work.destination, first)
      outline = next
    }
  }

  private mutating func follow(
    _ step: MigrationStep,
    to schema: StoreSchema,
    _ first: StoreSchema
  ) {
    let heirs = Dictionary(
      firstOf: step.mapping.entityMappings.compactMap { mapping in
        mapping.sourceEntityName.flatMap { source in
          mapping.destinationEntityName.map { (source, $0) }
        }
      }
    )
    let all = first.model.entities.filter { !$0.isAbstract }
    let former = names.last ?? Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.name) })
    let now = former.compactMapValues { heirs[$0] }
    names.append(now)
    var kept: [StoredColumn: Set<String>] = [:]
    for found in self.kept[self.kept.count - 1].columns {
      let column = StoredColumn(found.column.name, of: found.sourceTable)
      let here = all.filter { entity in
        let heir = now[entity.name].flatMap { schema.model.entity(named: $0) }
        return first.table(of: entity).name == found.sourceTable
          && heir.map { schema.table(of: $0).name } == found.destinationTable
      }
      let before = owners.last.map { $0[column] ?? [] }
      kept[column] = Set(here.map(\.name)).intersection(before ?? Set(all.map(\.name)))
    }
    owners.append(kept)
  }

  func losses(
    after first: Int,
    _ counter: SourcePartCounter
  ) throws(StoreError) -> [MigrationPlan.Loss] {
    var result: [MigrationPlan.Loss] = []
    for step in kept.indices where step >= first && step > 0 {
      let (before, after) = (kept[step - 1], kept[step])
      func add(
        _ kind: MigrationPlan.Loss.Kind,
        _ place: String,
        _ count: Int64,
        isUpperBound: Bool = false,
        because reason: String
      ) {
        result.append(
          MigrationPlan.Loss(
            kind,
            place,
            count,
            isUpperBound: isUpperBound,
            by: .leftBehind,
            reason: reason,
            step: step + 1
          )
        )
      }
      for table in before.tables where !after.tables.contains(table) {
        let rows = try store.rows(in: table.name)
        if MirroringTables.contains(table.name) {
          add(.mirroring, table.name, rows, isUpperBound: true, because: Ledger.recordsLeft)
        } else {
          add(.unmanaged, table.name, rows, because: "a model needs its name")
        }
      }
      for (column, owners) in owners[step - 1].sorted(by: { $0.key.column < $1.key.column }) {
        let left = owners.subtracting(self.owners[step][column] ?? [])
          .intersection(names[step].keys).sorted()
        add(
          .unmanaged,
          "\(column.table).\(column.column)",
          try counter.count(Provenance(left.map { .column(column.column, ofEntity: $0) })),
          because: "the table is removed or rebuilt, or needs the name"
        )
      }
      let former = try before.ancillaryChanges(from: schema, of: store)
      let later = try after.ancillaryChanges(from: schema, of: store)
      for change in former where after.history.isEmpty && change.lossKind == .history {
        let rows = try counter.counts.rows(in: change.table.name, where: change.conditions)
        let reason = "objects are created again, with a new history"
        add(.history, change.table.name, rows, because: reason)
      }
      for change in later {
        let others = former.filter { $0.table == change.table }.map(\.conditions)
        let gone = try counter.counts.rows(
          in: change.table.name,
          where: others.first ?? [],
          besides: [change.conditions]
        )
        add(change.lossKind, change.table.name, gone, because: change.reason)
      }
    }
    return result
  }
}
