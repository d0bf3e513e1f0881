import BulkVersions
import BulkCoding
import BulkExecute
import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import Foundation
import Testing

/// A store that was planned and migrated in a folder of its own.
struct Migrated {
  let directory: TemporaryDirectory
  /// The store that was read.
  let source: StoreFile
  /// The store that was made; SQLite finds nothing wrong with it.
  let destination: StoreFile
  let plan: MigrationPlan
  /// What fell out of relationships, not being migrated.
  var losses: [String: Int64] = [:]
  /// What fell out of them, although other mappings read it.
  var overlooked: [String: Int64] = [:]
}

/// A store in a folder of its own, planned for another model.
struct Planned {
  let directory: TemporaryDirectory
  let source: StoreFile
  let plan: MigrationPlan
}

/// Plans the migration of a store to another model.
func plan(
  _ store: TestStore,
  to model: ManagedObjectModel,
  by strategy: StoreStrategy.Kind? = nil,
  allowing allowed: Set<PlanAllowance> = [],
  keepingPartialHistory: Bool = false
) throws -> Planned {
  let directory = try TemporaryDirectory()
  let source = try store.write(to: directory.path("source.sqlite"))
  try TestStore.write(store.model, to: directory.path("source.mom"))
  try TestStore.write(model, to: directory.path("destination.mom"))
  var request = PlanRequest()
  request.source = source.path
  request.sourceModel = directory.path("source.mom")
  request.destination = directory.path("destination.sqlite")
  request.destinationModel = directory.path("destination.mom")
  request.strategy = strategy
  request.allowed = allowed
  request.keepsPartialHistory = keepingPartialHistory
  return Planned(directory: directory, source: source, plan: try Planner.plan(request))
}

/// Migrates a store to another model by an inferred mapping, and sees that the source is left alone.
func migrate(_ store: TestStore, to model: ManagedObjectModel) throws -> Migrated {
  let planned = try plan(store, to: model)
  let before = try planned.directory.bytes()
  var migration = Migration(planned.plan)
  migration.memoryLimit = .gibibytes(64)
  migration.rowSink = { session, fills in
    CheckedRowSink(fills.map { PageRowSink(session, $0) } ?? SQLRowSink(session))
  }
  let outcome = try migration.run()
  let destination = StoreFile(
    planned.plan.destination.store,
    keeping: planned.directory
  )
  var after = try planned.directory.bytes()
  #expect(after.removeValue(forKey: "destination.sqlite") != nil)
  #expect(after == before, "a run makes the destination and nothing else")
  #expect(outcome.destination == destination.path)
  #expect(try destination.integrity() == [["ok"]])
  if let copied = try copied(store, to: model) {
    #expect(try copied.meaning() == destination.meaning(), "a copy holds what a new store holds")
    #expect(try copied.integrity() == [["ok"]])
  }
  return Migrated(
    directory: planned.directory,
    source: planned.source,
    destination: destination,
    plan: planned.plan
  )
}

/// Migrates a store by changing a copy of it; `nil` if it must be made anew.
func copied(_ store: TestStore, to model: ManagedObjectModel) throws -> StoreFile? {
  let planned: Planned
  do {
    planned = try plan(store, to: model, by: .copy)
  } catch PlanError.cannotCopy {
    return nil
  }
  var migration = Migration(planned.plan)
  migration.memoryLimit = .gibibytes(64)
  _ = try migration.run()
  return StoreFile(planned.plan.destination.store, keeping: planned.directory)
}

/// What keeps a store from being planned for another model.
func refusal(_ store: TestStore, to model: ManagedObjectModel) throws -> String {
  do throws(PlanError) {
    _ = try planOnly(store, to: model)
    return "nothing is refused"
  } catch {
    return error.description
  }
}

private func planOnly(
  _ store: TestStore,
  to model: ManagedObjectModel
) throws(PlanError) -> Planned {
  do {
    return try plan(store, to: model)
  } catch let error as PlanError {
    throw error
  } catch {
    throw .missingInput("\(error)")
  }
}

/// Runs a plan, and lets its error be known by its text.
func run(
  _ planned: Planned,
  policies: [String: any EntityMigrationPolicy] = [:]
) throws(ErrorText) {
  var migration = Migration(planned.plan)
  migration.policies = PolicyRegistry(policies)
  migration.memoryLimit = .gibibytes(64)
  do {
    _ = try migration.run()
  } catch {
    throw ErrorText("\(error)".replacing(planned.directory.path, with: "DIR"))
  }
}

/// An error as its text, which compares with literals.
struct ErrorText: Error, Equatable, ExpressibleByStringLiteral {
  let text: String

  init(_ text: String) { self.text = text }

  init(stringLiteral text: String) { self.text = text }
}
