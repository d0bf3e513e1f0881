internal import BulkSupport
package import BulkExecute
package import BulkPlan

/// The same migration for a program that waits on its own thread, and answers by ``MigrationEvents``: the command line,
/// and the workers of a fleet.
///
/// Errors are those of the layers: ``MigrationError`` and ``PlanError``.
extension StoreMigration {
  func newPlan() throws(PlanError) -> MigrationPlan {
    try Planner.plan(knowing)
  }

  /// Other stores may share the steps of the plan; without them models and mappings are read again.
  package func carryOut(
    _ plan: MigrationPlan,
    _ start: Migration.Start,
    _ events: MigrationEvents,
    sharing shared: SharedSteps? = nil
  ) throws -> MigrationRecord {
    var migration = Migration(plan, limited, events: events)
    migration.shared = shared
    return try migration.run(start)
  }

  package func preflight(by plan: MigrationPlan) -> Preflight { Preflight(plan, limited) }

  package func verification(by plan: MigrationPlan) -> Verification { Verification(plan, limited) }

  /// Keeps the old store.
  package func replace(_ events: MigrationEvents) throws -> MigrationRecord {
    try InPlaceMigration(of: source.path, knowing, limited, events: events).run()
  }

  /// In one transaction of SQLite; the old store is lost.
  package func alter(_ events: MigrationEvents) throws -> MigrationRecord {
    try AlteringMigration(of: source.path, knowing, limited, events: events).run() ?? .nothing
  }

  /// Returns the path of the migrated store now.
  package func rollBack() throws -> String { try StoreRollback(of: source.path).run() }

  package func replay(of folder: RejectFolder, _ events: MigrationEvents) -> RejectReplay {
    RejectReplay(of: folder, limited, events: events)
  }

  package var stateLocation: StateLocation {
    StateLocation(destination: destination.path, stateDirectory: settings.stateDirectory)
  }

  private var knowing: PlanRequest {
    let known = settings.policies
    var request = request
    request.knowsPolicy = { known.policy(named: $0) != nil }
    request.knowsTransformer = { known.hasTransformer(named: $0) }
    return request
  }

  private var limited: MigrationSettings {
    var limited = settings
    limited.memoryLimit = memoryLimit ?? (ProcessMemory.resident ?? .zero) + .mebibytes(256)
    return limited
  }
}
