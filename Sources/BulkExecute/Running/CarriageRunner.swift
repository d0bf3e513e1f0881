internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// Takes over what no model explains: tables with their rows, the persistent history, indexes, views,
/// triggers and virtual tables.
struct CarriageRunner {
  private let work: MigrationWork
  private let writer: StoreWriter

  init(_ work: MigrationWork, _ writer: StoreWriter) {
    self.work = work
    self.writer = writer
  }

  /// Takes everything over but triggers, what others stand on first.
  func run() throws {
    let carriage = work.carriage
    for table in carriage.history {
      try writer.create(foreign: table)
      try copyHistory(table)
    }
    for table in carriage.tables {
      try writer.create(foreign: table)
      _ = try writer.copyRows(of: table)
    }
    for index in work.layout.historyIndexes where !carriage.history.isEmpty {
      try writer.create(foreign: index.sql)
    }
    try work.objects.make(with: writer)
  }

  /// Copies a table of the history; the entity numbers of changes follow the destination's, and
  /// changes of entities that are gone are left out.
  private func copyHistory(_ table: FileTable) throws {
    let assignments = table.columns.map { column in
      let value: ColumnExpression =
        table.name == "ACHANGE" && column.name == "ZENTITY"
        ? .renumbered(.column(column.name), work.carriage.entityNumbers) : .column(column.name)
      return RowTransfer.Assignment(column.name, value)
    }
    let kept = work.carriage.entityNumbers.keys.sorted()
    let isChange = table.name == "ACHANGE"
    let transfer = RowTransfer(
      to: table.name,
      from: table.name,
      assignments,
      where: isChange ? [.columnIn("ZENTITY", kept)] : []
    )
    let prepared = try writer.prepare(transfer)
    var ranges = try writer.ranges(of: table.name, rows: try work.store.rows(in: table.name))
    while let range = try ranges.nextRange() { _ = try writer.run(prepared, range: range) }
  }
}
