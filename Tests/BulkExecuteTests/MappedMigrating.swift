import BulkVersions
import BulkCoding
import BulkExecute
import BulkMapping
import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import Foundation
import Testing

/// Migrates a store by entity mappings that are written in code.
func migrate(
  _ store: TestStore,
  to model: ManagedObjectModel,
  policies: [String: any EntityMigrationPolicy] = [:],
  by mappings: EntityMapping...
) throws -> Migrated {
  try migrated(try Planned(store, to: model, by: mappings), policies: policies)
}

/// Runs a plan, and sees that the source is left alone.
func migrated(
  _ planned: Planned,
  policies: [String: any EntityMigrationPolicy] = [:]
) throws -> Migrated {
  let before = try planned.directory.bytes()
  var migration = Migration(inTestProcess: planned.plan)
  migration.policies = PolicyRegistry(policies)
  migration.rowSink = { session, fills in
    CheckedRowSink(fills.map { PageRowSink(session, $0) } ?? SQLRowSink(session))
  }
  let outcome = try migration.run()
  #expect(outcome.destinationPath == planned.plan.destination.store)
  let destination = StoreFile(planned.plan.destination.store, keeping: planned.directory)
  var after = try planned.directory.bytes()
  #expect(after.removeValue(forKey: "destination.sqlite") != nil)
  #expect(after == before, "a run makes the destination and nothing else")
  #expect(try destination.integrity() == [["ok"]])
  var result = Migrated(planned, destination)
  result.losses = outcome.losses.counts(.target)
  result.overlooked = outcome.losses.counts(.overlooked)
  return result
}

/// What a run ends with, as a text.
func failure(
  of planned: Planned,
  policies: [String: any EntityMigrationPolicy] = [:]
) -> String {
  do {
    try run(planned, policies: policies)
    return "nothing failed"
  } catch {
    return error.text
  }
}

extension [MigrationPlan.Loss] {
  /// How much is lost for a cause, by place.
  fileprivate func counts(_ cause: MigrationPlan.Loss.Cause) -> [String: Int64] {
    Dictionary(filter { $0.cause == cause }.map { ($0.place, $0.count) }, uniquingKeysWith: +)
  }
}
