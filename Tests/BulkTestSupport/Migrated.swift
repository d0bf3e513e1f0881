/// A store that was planned and migrated in a folder of its own.
package struct Migrated {
  package let directory: TemporaryDirectory
  package let source: StoreFile
  /// The store that was made; SQLite finds nothing wrong with it.
  package let destination: StoreFile
  package let plan: MigrationPlan
  /// What fell out of relationships, not being migrated.
  package var losses: [String: Int64] = [:]
  /// What fell out of them, although other mappings read it.
  package var overlooked: [String: Int64] = [:]

  package init(_ planned: Planned, _ destination: StoreFile) {
    directory = planned.directory
    source = planned.source
    plan = planned.plan
    self.destination = destination
  }
}
