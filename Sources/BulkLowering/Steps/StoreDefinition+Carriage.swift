package import BulkStore

extension StoreDefinition {
  /// What a migration makes.
  ///
  /// - Parameters:
  ///   - destination: The tables of the destination's model.
  ///   - carriage: The tables and columns that are taken over although no model explains them.
  ///   - style: The indexes and uniqueness constraints.
  ///   - objects: The other objects that are taken over.
  ///   - historyIndexes: The indexes of the persistent history before the step.
  package init(
    _ destination: StoreSchema,
    _ carriage: Carriage,
    _ style: IndexStyle,
    _ objects: ObjectCarriage? = nil,
    historyIndexes: [FileObject] = []
  ) {
    self.init(
      destination,
      indexes: style.indexes,
      constraints: style.constraints,
      addedColumns: Dictionary(grouping: carriage.columns, by: \.destinationTable)
        .mapValues { $0.map(\.column) },
      history: carriage.history,
      historyIndexes: historyIndexes,
      tables: carriage.tables,
      objects: objects?.kept.map { Object($0.object, sql: $0.sql) } ?? []
    )
  }
}
