import BulkTestSupport
import Testing

/// Plans the migration of a store to another model by an inferred mapping.
func plan(
  _ store: TestStore,
  to model: ManagedObjectModel,
  by strategy: StoreStrategy.Kind? = nil,
  allowing allowed: Set<PlanAllowance> = []
) throws -> Planned {
  var request = PlanRequest()
  request.strategy = strategy
  request.allowed = allowed
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
  }
  return migrated
}

/// Migrates a store by changing a copy of it; `nil` if it must be rebuilt.
func copied(_ store: TestStore, to model: ManagedObjectModel) throws -> StoreFile? {
  let planned: Planned
  do {
    planned = try plan(store, to: model, by: .copy)
  } catch PlanError.cannotCopy {
    return nil
  }
  return try planned.make()
}

func refusal(_ store: TestStore, to model: ManagedObjectModel) throws -> String {
  failure { try Planned(store, to: model) }
}

extension Planned {
  /// The store that a run makes; when the folder goes, SQLite finds nothing wrong with it (``TemporaryDirectory``).
  var made: StoreFile { StoreFile(plan.destination.store, keeping: directory) }

  var isMade: Bool { FileManager.default.fileExists(atPath: plan.destination.store) }

  @discardableResult
  func run(_ settings: (inout Migration) -> Void = { _ in }) throws -> MigrationRecord {
    var migration = Migration(inTestProcess: plan)
    settings(&migration)
    return try migration.run()
  }

  func make(_ settings: (inout Migration) -> Void = { _ in }) throws -> StoreFile {
    try run(settings)
    return made
  }
}

extension Planned {
  var rejects: RejectFolder {
    get throws {
      try #require(
        try RejectFolder(StateLocation(destination: plan.destination.store, stateDirectory: nil))
      )
    }
  }
}

extension MigrationPlan {
  var lossLines: [String] { losses.map(\.description) }
}

extension MigrationRecord {
  var lossLines: [String] { losses.map(\.description) }
}

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
  migration.rowSink = { [usual = migration.rowSink] in CheckedRowSink(usual($0, $1)) }
  let outcome = try migration.run()
  #expect(outcome.destinationPath == planned.plan.destination.store)
  let destination = StoreFile(planned.plan.destination.store, keeping: planned.directory)
  var after = try planned.directory.bytes()
  #expect(after.removeValue(forKey: "destination.sqlite") != nil)
  #expect(after == before, "a run makes the destination and nothing else")
  var result = Migrated(planned, destination)
  result.losses = outcome.losses.counts(.target)
  result.overlooked = outcome.losses.counts(.overlooked)
  return result
}

/// What a run ends with, as a text with `DIR` in place of the folder.
func failure(
  of planned: Planned,
  policies: [String: any EntityMigrationPolicy] = [:],
  _ settings: (inout Migration) -> Void = { _ in }
) -> String {
  failure {
    try planned.run {
      $0.policies = PolicyRegistry(policies)
      settings(&$0)
    }
  }.replacing(planned.directory.path, with: "DIR")
}

struct Making: EntityMigrationPolicy {
  typealias Work =
    @Sendable (
      borrowing SourceInstance, EntityMapping, MigrationManager
    ) throws -> Void

  typealias Relating = @Sendable (ObjectID, MigrationManager) throws -> Void

  private let work: Work
  private let relating: Relating

  init(_ work: @escaping Work, relating: @escaping Relating = { _, _ in }) {
    self.work = work
    self.relating = relating
  }

  func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws { try work(source, mapping, manager) }

  func createRelationships(
    forDestination destination: ObjectID,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws { try relating(destination, manager) }
}

extension MigrationManager {
  func make(_ source: borrowing SourceInstance, _ mapping: EntityMapping) throws {
    try insert(evaluate(mapping, forSource: source), forSource: source, in: mapping)
  }
}

extension [MigrationPlan.Loss] {
  fileprivate func counts(_ cause: MigrationPlan.Loss.Cause) -> [String: Int64] {
    Dictionary(filter { $0.cause == cause }.map { ($0.owner, $0.count) }, uniquingKeysWith: +)
  }
}
