internal import BulkLowering
internal import BulkModel
internal import BulkStore

/// What the steps of a route keep of a store beside its objects, step by step: unmanaged tables and columns, and the
/// history.
struct KeptUnmanaged {
  private let store: PersistentStore
  /// What is kept after each step; steps that cannot be worked out end it.
  private var kept: [UnmanagedTables] = []

  init(_ steps: [MigrationStep], of store: PersistentStore, _ outline: StoreOutline) {
    self.store = store
    var outline = outline
    for step in steps {
      guard let work = try? StepWork(step, of: outline), let next = try? work.outline() else {
        return
      }
      kept.append(kept.last?.followed(by: work.unmanagedTables) ?? work.unmanagedTables)
      outline = next
    }
  }

  /// What steps after some first ones leave behind of a store with a layout.
  func losses(
    after first: Int,
    _ layout: StoreLayout,
    _ counter: SourcePartCounter
  ) throws(StoreError) -> [MigrationPlan.Loss] {
    var result: [MigrationPlan.Loss] = []
    for step in kept.indices where step >= first && step > 0 {
      let (before, after) = (kept[step - 1], kept[step])
      func add(
        _ kind: MigrationPlan.Loss.Kind,
        _ place: String,
        _ count: Int64,
        because reason: String
      ) {
        result.append(
          MigrationPlan.Loss(
            kind,
            place,
            count,
            isUpperBound: kind != .unmanaged,
            by: .leftBehind,
            reason: reason,
            step: step + 1
          )
        )
      }
      for table in before.tables where !after.tables.contains(table) {
        guard !MirroringTables.contains(table.name) else {
          let rows = try store.rows(in: table.name)
          add(.mirroring, table.name, rows, because: Ledger.recordsLeft)
          continue
        }
        add(
          .unmanaged,
          table.name,
          try store.rows(in: table.name),
          because: "a model needs its name"
        )
      }
      for column in before.columns
      where !after.columns.contains(where: { $0 == column.sourceTable && $2 == column.column }) {
        let parts = layout.schema.entityTables.filter { $0.name == column.sourceTable }
          .flatMap { layout.schema.entityNumbers(in: $0).sorted() }
          .map {
            SourcePart.column(column.column.name, ofEntity: layout.schema.entityName(ofNumber: $0))
          }
        add(
          .unmanaged,
          "\(column.sourceTable).\(column.column.name)",
          try counter.count(Provenance(parts)),
          because: "the table is gone, is made anew, or needs the name"
        )
      }
      let gone = Set(before.entityNumbers.keys).subtracting(after.entityNumbers.keys).sorted()
      for table in before.history {
        if after.history.isEmpty {
          let reason = "objects are made anew, and with them their history"
          add(.history, table.name, try store.rows(in: table.name), because: reason)
        } else if table.name == AncillaryColumn.history.table {
          let count = try counter.counts.rows(in: table.name, where: [.columnIn("ZENTITY", gone)])
          add(.history, table.name, count, because: "their objects' entities are removed")
        }
      }
    }
    return result
  }
}
