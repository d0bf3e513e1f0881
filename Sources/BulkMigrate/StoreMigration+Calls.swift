internal import BulkCoding
package import BulkExecute
package import BulkPlan
internal import BulkPlatform
package import BulkPreflight
internal import BulkVersions
package import BulkVerify

/// The same migration for a program that waits on its own thread, and answers by ``MigrationEvents``: the command line,
/// and the workers of a fleet.
///
/// Errors are those of the layers: ``MigrationError`` and ``PlanError``.
extension StoreMigration {
  package func newPlan() throws(PlanError) -> MigrationPlan {
    try Planner.plan(knowing)
  }

  /// Carries out a plan.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - start: The treatment of an interrupted run.
  ///   - events: The calls to the caller.
  ///   - shared: The steps of the plan, where other stores share them; `nil` to read models and mappings again.
  /// - Returns: The outcome.
  /// - Throws: ``MigrationError``, ``PlanError``.
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

  /// A rehearsal of a plan.
  package func preflight(by plan: MigrationPlan) -> Preflight { Preflight(plan, limited) }

  /// A verification of the store that a plan has made.
  package func verification(by plan: MigrationPlan) -> Verification { Verification(plan, limited) }

  /// Migrates the source in place, and keeps the old store.
  package func replace(_ events: MigrationEvents) throws -> MigrationRecord {
    try InPlaceMigration(of: source.path, knowing, limited, events: events).run()
  }

  /// Changes the file of the source itself, in one transaction of SQLite; the old store is lost.
  package func alter(_ events: MigrationEvents) throws -> MigrationRecord {
    try AlteringMigration(of: source.path, knowing, limited, events: events).run() ?? .nothing
  }

  /// Puts back the store that was kept, and returns the path of the migrated store now.
  package func rollBack() throws -> String { try StoreRollback(of: source.path).run() }

  /// A replay of the objects that a run has left out.
  package func replay(of folder: RejectFolder, _ events: MigrationEvents) -> RejectReplay {
    RejectReplay(of: folder, limited, events: events)
  }

  /// The state directory of a run.
  package var stateLocation: StateLocation {
    StateLocation(destination: destination.path, stateDirectory: settings.stateDirectory)
  }

  /// The request with the policies and transformers that there are.
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
