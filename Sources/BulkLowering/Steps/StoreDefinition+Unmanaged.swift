package import BulkStore

extension StoreDefinition {
  /// The definition of a migration's destination.
  ///
  /// - Parameters:
  ///   - destination: The tables of the destination's model.
  ///   - unmanagedTables: The unmanaged tables and columns to keep.
  ///   - style: The indexes and uniqueness constraints.
  ///   - objects: The other unmanaged objects to keep.
  ///   - historyIndexes: The indexes of the persistent history before the step.
  package init(
    _ destination: StoreSchema,
    _ unmanagedTables: UnmanagedTables,
    _ style: IndexStyle,
    objects: UnmanagedObjects? = nil,
    historyIndexes: [FileObject] = []
  ) {
    self.init(
      destination,
      indexes: style.indexes,
      constraints: style.constraints,
      addedColumns: Dictionary(grouping: unmanagedTables.columns, by: \.destinationTable)
        .mapValues { $0.map(\.column) },
      history: unmanagedTables.history,
      historyIndexes: historyIndexes,
      tables: unmanagedTables.tables,
      objects: objects?.kept.map { Object($0.object, sql: $0.sql) } ?? []
    )
  }
}
