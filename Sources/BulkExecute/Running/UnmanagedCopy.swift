internal import BulkLowering
internal import BulkPlan
internal import BulkStore

/// Copies the rows of the persistent history and of unmanaged tables.
struct UnmanagedCopy {
  private let work: MigrationWork
  private let session: StoreSession
  private let sink: any RowSink

  init(_ work: MigrationWork, _ session: StoreSession, _ sink: any RowSink) {
    self.work = work
    self.session = session
    self.sink = sink
  }

  /// Copies the rows of a table that exists already.
  func copy(_ table: FileTable) throws {
    if work.unmanagedTables.history.contains(table) {
      try copyHistory(table)
    } else {
      _ = try sink.copy(table)
    }
  }

  /// Copies a table of the history; the entity numbers of changes follow the destination's, and changes of
  /// removed entities are left out.
  private func copyHistory(_ table: FileTable) throws {
    let assignments = table.columns.map { column in
      let value: ColumnExpression =
        table.name == "ACHANGE" && column.name == "ZENTITY"
        ? .renumbered(.column(column.name), work.unmanagedTables.entityNumbers)
        : .column(column.name)
      return RowTransfer.Assignment(column.name, value)
    }
    let kept = work.unmanagedTables.entityNumbers.keys.sorted()
    let isChange = table.name == "ACHANGE"
    let transfer = RowTransfer(
      to: table.name,
      from: table.name,
      assignments,
      where: isChange ? [.columnIn("ZENTITY", kept)] : []
    )
    try sink.fill(by: transfer, streamsLargeValues: false) { rows in
      var ranges = try KeyRanges(
        of: table.name,
        rows: try work.store.rows(in: table.name),
        session
      )
      while let range = try ranges.nextRange() { _ = try rows.append(range) }
    }
  }
}
