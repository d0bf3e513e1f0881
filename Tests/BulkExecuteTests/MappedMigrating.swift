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

/// Plans the migration of a store by entity mappings; nothing else is inferred.
func plan(
  _ store: TestStore,
  to model: ManagedObjectModel,
  by mappings: [EntityMapping],
  _ request: PlanRequest = PlanRequest()
) throws -> Planned {
  let directory = try TemporaryDirectory()
  let source = try store.write(to: directory.path("source.sqlite"))
  try TestStore.write(store.model, to: directory.path("source.mom"))
  try TestStore.write(model, to: directory.path("destination.mom"))
  let json = MappingModel(entityMappings: mappings).json
  try json.write(toFile: directory.path("all.json"), atomically: true, encoding: .utf8)
  var request = request
  request.source = source.path
  request.sourceModel = directory.path("source.mom")
  request.destination = directory.path("destination.sqlite")
  request.destinationModel = directory.path("destination.mom")
  request.mapping = directory.path("all.json")
  return Planned(directory: directory, source: source, plan: try Planner.plan(request))
}

/// Migrates a store by entity mappings that are written in code.
func migrate(
  _ store: TestStore,
  to model: ManagedObjectModel,
  policies: [String: any EntityMigrationPolicy] = [:],
  by mappings: EntityMapping...
) throws -> Migrated {
  try migrated(try plan(store, to: model, by: mappings), policies: policies)
}

/// Runs a plan, and sees that the source is left alone.
func migrated(
  _ planned: Planned,
  policies: [String: any EntityMigrationPolicy] = [:]
) throws -> Migrated {
  let before = try planned.directory.bytes()
  var migration = Migration(planned.plan)
  migration.memoryLimit = .gibibytes(64)
  migration.policies = PolicyRegistry(policies)
  migration.rowSink = { session, fills in
    CheckedRowSink(fills.map { PageRowSink(session, $0) } ?? SQLRowSink(session))
  }
  let outcome = try migration.run()
  let destination = StoreFile(planned.plan.destination.store, keeping: planned.directory)
  var after = try planned.directory.bytes()
  #expect(after.removeValue(forKey: "destination.sqlite") != nil)
  #expect(after == before, "a run makes the destination and nothing else")
  #expect(try destination.integrity() == [["ok"]])
  return Migrated(
    directory: planned.directory,
    source: planned.source,
    destination: destination,
    plan: planned.plan,
    losses: outcome.losses.counts(.target),
    overlooked: outcome.losses.counts(.overlooked)
  )
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
