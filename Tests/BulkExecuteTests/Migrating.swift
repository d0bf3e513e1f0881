import BulkVersions
import BulkCoding
import BulkExecute
import BulkModel
import BulkPlan
import BulkStore
import BulkTestSupport
import Foundation
import Testing

/// Plans the migration of a store to another model by an inferred mapping.
func plan(
  _ store: TestStore,
  to model: ManagedObjectModel,
  by strategy: StoreStrategy.Kind? = nil,
  allowing allowed: Set<PlanAllowance> = [],
  keepingPartialHistory: Bool = false
) throws -> Planned {
  var request = PlanRequest()
  request.strategy = strategy
  request.allowed = allowed
  request.keepsPartialHistory = keepingPartialHistory
  return try Planned(store, to: model, request)
}

/// Migrates a store to another model by an inferred mapping, and sees that the source is left alone.
func migrate(_ store: TestStore, to model: ManagedObjectModel) throws -> Migrated {
  let planned = try Planned(store, to: model)
  let migrated = try migrated(planned)
  if let copied = try copied(store, to: model) {
    #expect(
      try copied.meaning() == migrated.destination.meaning(),
      "a copy holds what a new store holds"
    )
    #expect(try copied.integrity() == [["ok"]])
  }
  return migrated
}

/// Migrates a store by changing a copy of it; `nil` if it must be made anew.
func copied(_ store: TestStore, to model: ManagedObjectModel) throws -> StoreFile? {
  let planned: Planned
  do {
    planned = try plan(store, to: model, by: .copy)
  } catch PlanError.cannotCopy {
    return nil
  }
  _ = try Migration(inTestProcess: planned.plan).run()
  return StoreFile(planned.plan.destination.store, keeping: planned.directory)
}

/// What keeps a store from being planned for another model.
func refusal(_ store: TestStore, to model: ManagedObjectModel) throws -> String {
  do {
    _ = try Planned(store, to: model)
    return "nothing is refused"
  } catch let error as PlanError {
    return error.description
  }
}

/// Runs a plan, and lets its error be known by its text.
func run(
  _ planned: Planned,
  policies: [String: any EntityMigrationPolicy] = [:]
) throws(ErrorText) {
  var migration = Migration(inTestProcess: planned.plan)
  migration.policies = PolicyRegistry(policies)
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
