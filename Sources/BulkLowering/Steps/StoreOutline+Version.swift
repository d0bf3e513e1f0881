package import BulkVersions
package import BulkStore

extension StoreOutline {
  /// The outline of a store after a step, without its rows.
  ///
  /// The tables and other objects are made in memory, so the outline describes what SQLite has made.
  ///
  /// - Parameters:
  ///   - name: The version's name in plans.
  ///   - before: The store before the step.
  ///   - destination: The model of the version, and its tables.
  ///   - indexStyle: Its indexes and uniqueness constraints.
  ///   - unmanagedTables: The unmanaged tables and columns to keep.
  ///   - objects: The unmanaged objects to keep.
  ///   - historyIndexes: The indexes of the persistent history before the step.
  ///   - primaryKeys: The rows of `Z_PRIMARYKEY`.
  /// - Returns: The store without its rows.
  /// - Throws: ``PlanError`` if SQLite refuses to make an unmanaged object.
  package static func version(
    _ name: String,
    after before: StoreOutline,
    _ destination: StoreSchema,
    _ indexStyle: IndexStyle,
    _ unmanagedTables: UnmanagedTables,
    _ objects: UnmanagedObjects,
    historyIndexes: [FileObject] = [],
    primaryKeys: [PrimaryKeyEntry]
  ) throws(PlanError) -> StoreOutline {
    let path = "version \(name) of \(before.path)"
    do throws(StoreError) {
      return try StoreOutline(
        of: StoreDefinition(
          destination,
          unmanagedTables,
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
