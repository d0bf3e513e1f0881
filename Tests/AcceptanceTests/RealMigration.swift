import BulkFixture
import BulkTestSupport

/// A folder with a store and two models, where one destination is made again and again by different
/// files.
struct RealMigration {
  private let directory = TemporaryDirectory()
  private let source: String
  /// What `now()` is for all of them, so that they agree.
  private static let now = 800_000_000.0

  private init(_ source: ManagedObjectModel, _ destination: ManagedObjectModel) throws {
    self.source = directory.path("source.sqlite")
    try TestStore.write(source, to: directory.path("source.mom"))
    try TestStore.write(destination, to: directory.path("destination.mom"))
  }

  /// A migration of a synthetic store with forty objects of every entity.
  init(
    synthetic source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) throws {
    try self.init(source, destination)
    var request = FixtureRequest()
    for entity in source.entities where !entity.isAbstract { request.rows[entity.name] = 40 }
    _ = try Fixture(source, request).write(to: self.source)
  }

  /// A migration of a copy of a real store.
  init(
    store: String,
    _ source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) throws {
    try self.init(source, destination)
    try SharedData.copy(store, to: self.source)
  }

  /// Writes a mapping file into the folder.
  ///
  /// - Returns: Its path.
  func write(_ mapping: [UInt8], to name: String = "mapping.json") throws -> String {
    try Files.write(mapping, to: directory.path(name))
    return directory.path(name)
  }

  /// Plans by a mapping file.
  func plan(by mapping: String, knowsPolicy: Bool = true) throws -> MigrationPlan {
    var request = PlanRequest(in: directory)
    request.mapping = mapping
    request.knowsPolicy = { _ in knowsPolicy }
    var plan = try Planner.plan(request)
    if plan.now != nil { plan.steps[0].mapping.now = Self.now }
    plan.fingerprint = plan.computedFingerprint
    return plan
  }

  /// Makes the destination in place of one that is there.
  func run(by mapping: String, policies: PolicyRegistry = PolicyRegistry()) throws -> StoreFile {
    let path = directory.path("destination.sqlite")
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
    var migration = Migration(inTestProcess: try plan(by: mapping))
    migration.policies = policies
    _ = try migration.run()
    return StoreFile(path, keeping: directory)
  }

  /// The bytes of the destination, or why there is none.
  func result(by mapping: String, policies: PolicyRegistry = PolicyRegistry()) -> Result {
    do {
      return .made(try Files.read(try run(by: mapping, policies: policies).path))
    } catch {
      return .failed("\(error)".replacing(directory.path, with: "DIR"))
    }
  }

  /// What a run ends with.
  enum Result: Equatable {
    case made([UInt8])
    case failed(String)

    /// Why there is none.
    var failure: String? { if case .failed(let text) = self { text } else { nil } }
  }
}

/// Stands in for the policy of core-data-plus: a car's maker, which was a text, becomes an object that
/// all its cars share.
struct MakerPolicy: EntityMigrationPolicy {
  func createDestinationInstances(
    forSource source: borrowing SourceInstance,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    var car = try manager.evaluate(mapping, forSource: source)
    if let name = try source["maker"] {
      try car.setObject(try manager.findOrInsert("Maker", with: ["name": name]), for: "createdBy")
    }
    try manager.insert(car, forSource: source, in: mapping)
  }
}

/// Stands in for a policy that real software keeps to itself: it makes what the mapping describes, and
/// answers every function with nothing.
struct StandInPolicy: EntityMigrationPolicy {
  func value(
    ofFunction selector: String,
    arguments: [AttributeValue],
    manager: MigrationManager
  ) throws -> AttributeValue { .null }

  func destinationInstances(
    ofFunction selector: String,
    arguments: [AttributeValue],
    forSource source: ObjectID,
    manager: MigrationManager
  ) throws -> [ObjectID] { [] }
}

extension ManagedObjectModel {
  /// The same model without rules about values, which synthetic objects would not keep.
  func lenient() throws -> ManagedObjectModel {
    try ManagedObjectModel(
      entities: entities.map { entity in
        var entity = entity
        for index in entity.attributes.indices {
          entity.attributes[index].isOptional = true
          entity.attributes[index].validationPredicates = []
        }
        for index in entity.relationships.indices {
          entity.relationships[index].isOptional = true
          entity.relationships[index].minCount = 0
        }
        return entity
      }
    )
  }
}
