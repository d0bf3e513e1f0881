internal import BulkLowering
internal import BulkStore

extension MigrationPlan.WrittenTable {
  /// How the tables of a store will be written.
  ///
  /// - Parameters:
  ///   - work: The migration's work.
  ///   - streamed: The source tables with values that are streamed.
  /// - Returns: The tables in the order of the file, followed by those that no model explains.
  /// - Throws: ``StoreError`` if SQLite refuses to make a table of the model.
  static func all(
    _ work: MigrationWork,
    streaming streamed: [String]
  ) throws(StoreError) -> [MigrationPlan.WrittenTable] {
    try PageForecast(
      of: work.definition,
      path: "the destination of \(work.store.path)",
      filledBy: work.step.fills(streaming: Set(streamed)),
      insertedBecause: work.hasPolicies ? .policies : nil,
      waiting: work.step.reasonsToWait
    ).tables.map(Self.init)
  }

  private init(_ table: PageForecast.Table) {
    self.table = table.name
    switch (table.hasPages, table.reason) {
    case (true, nil): rows = .pages
    case (true, _): rows = .both
    case (false, nil): rows = .none
    case (false, _): rows = .sqlite
    }
    reason = table.reason?.description
    indexes = table.indexes.map {
      MigrationPlan.WrittenIndex(
        index: $0.name,
        isBuiltAsPages: $0.reason == nil,
        reason: $0.reason?.description
      )
    }
  }
}
