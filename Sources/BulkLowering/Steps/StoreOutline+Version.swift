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
      return try StoreOutline(
        of: StoreDefinition(
          destination,
          carriage,
          indexStyle,
          objects,
          historyIndexes: historyIndexes
        ),
        path: path,
        frameworkVersion: before.frameworkVersion,
        primaryKeys: primaryKeys
      )
    } catch {
      throw .store(error, path: path)
    }
  }
}
