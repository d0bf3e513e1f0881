package import BulkVersions
package import BulkStore

extension StoreOutline {
  /// What a store looks like after a step, without its rows.
  ///
  /// The tables and other objects are made in memory, so that nothing is told but what SQLite has made.
  ///
  /// - Parameters:
  ///   - name: What plans call the version.
  ///   - before: The store before the step.
  ///   - destination: The model of the version, and its tables.
  ///   - indexStyle: Its indexes and uniqueness constraints.
  ///   - carriage: The tables and columns that are taken over although no model explains them.
  ///   - objects: The objects that are taken over although no model explains them.
  ///   - historyIndexes: The indexes of the persistent history before the step.
  ///   - primaryKeys: The rows of `Z_PRIMARYKEY`.
  /// - Returns: The store without its rows.
  /// - Throws: ``PlanError`` if SQLite refuses to make something that is taken over.
  package static func version(
    _ name: String,
    after before: StoreOutline,
    _ destination: StoreSchema,
    _ indexStyle: IndexStyle,
    _ carriage: Carriage,
    _ objects: ObjectCarriage,
    historyIndexes: [FileObject] = [],
    primaryKeys: [PrimaryKeyEntry]
  ) throws(PlanError) -> StoreOutline {
    let path = "version \(name) of \(before.path)"
    do throws(StoreError) {
      let writer = try StoreWriter(inMemoryFor: path)
      for sql in destination.tableStatements(carriage, indexStyle) { try writer.create(sql) }
      for index in indexStyle.indexes { try writer.create(index.sql) }
      for table in carriage.history { try writer.create(foreign: table) }
      for table in carriage.tables { try writer.create(foreign: table) }
      for index in historyIndexes where !carriage.history.isEmpty {
        try writer.create(foreign: index.sql)
      }
      try objects.make(with: writer)
      for trigger in destination.derivedAttributes.flatMap(\.triggers) {
        try writer.create(trigger.sql)
      }
      try objects.makeTriggers(with: writer)
      return StoreOutline(
        path: path,
        frameworkVersion: before.frameworkVersion,
        schema: try writer.schema(),
        primaryKeys: primaryKeys
      )
    } catch {
      throw .store(error, path: path)
    }
  }
}
