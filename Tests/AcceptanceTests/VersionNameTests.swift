import BulkFixture
import BulkTestSupport
import Testing

/// A version of a real model and the next one.
struct NextVersion: Sendable, CustomTestStringConvertible {
  /// The models, relative to the shared data.
  let models: [String]

  var testDescription: String { models.joined(separator: " to ") }

  /// The versions of each package, in their order.
  static let packages: [[String]] = {
    let all = SharedData.files { ["xcdatamodel", "mom"].contains($0.pathExtension) }
    let packages = Dictionary(grouping: all) { ($0 as NSString).deletingLastPathComponent }
    return packages.sorted { $0.key < $1.key }
      .map { $1.sorted { $0.compare($1, options: .numeric) == .orderedAscending } }
  }()

  static let all = packages.flatMap { versions in
    zip(versions, versions.dropFirst()).map { NextVersion(models: [$0, $1]) }
  }

  static let routes = packages.filter { $0.count > 2 }.map { NextVersion(models: $0) }
}

/// After every migration the tables and columns are those of a new store of the model.
@Suite(
  "Names of all versions",
  .enabled(if: SharedData.isPresent, "skips because ../shared/data is not there")
)
struct VersionNameTests {
  private let directory = TemporaryDirectory()

  private func names(of model: ManagedObjectModel) -> [String: Set<String>] {
    let schema = StoreSchema(model)
    let tables =
      schema.entityTables.map { ($0.name, Set($0.columns.map(\.name))) }
      + schema.joinTables.map { ($0.name, Set($0.columns)) }
    return Dictionary(uniqueKeysWithValues: tables)
  }

  /// The tables of entities and of pairs: of the others, only R-trees have small letters in their names.
  private func names(in path: String) throws -> [String: Set<String>] {
    let tables = try PersistentStore(path: path).schema.tables.filter {
      !["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].contains($0.name)
        && !$0.name.contains(where: \.isLowercase)
    }
    return Dictionary(
      uniqueKeysWithValues: tables.map { ($0.name, Set($0.columns.map(\.name))) }
    )
  }

  /// Writes a store of the first model with some objects of every entity, and all models.
  ///
  /// - Returns: The models; `nil` if one does not follow from the one before it, which is not the matter here.
  private func prepare(_ versions: NextVersion) throws -> [ManagedObjectModel]? {
    let models = try versions.models.map {
      try ManagedObjectModel(contentsOf: SharedData.path($0)).lenient()
    }
    for (one, other) in zip(models, models.dropFirst()) {
      guard (try? MappingModel.inferred(from: one, to: other)) != nil else { return nil }
    }
    var request = FixtureRequest()
    for entity in models[0].entities where !entity.isAbstract { request.rows[entity.name] = 3 }
    _ = try Fixture(models[0], request).write(to: directory.path("source.sqlite"))
    for (number, model) in models.enumerated() {
      try TestStore.write(model, to: directory.path("v\(number).mom"))
    }
    return models
  }

  private var request: PlanRequest {
    var request = PlanRequest()
    request.source = directory.path("source.sqlite")
    request.sourceModel = directory.path("v0.mom")
    request.destinationModel = directory.path("v1.mom")
    request.rebuilds = true
    return request
  }

  /// Runs a plan; `nil` if there is none because the way does not allow it, or rows of the made-up store do not.
  private func made(_ request: PlanRequest, _ name: String) throws -> String? {
    try made(name) { destination throws(PlanError) in
      var request = request
      request.destination = destination
      return try Planner.plan(request)
    }
  }

  private func made(
    _ name: String,
    _ planned: (String) throws(PlanError) -> MigrationPlan
  ) throws -> String? {
    let plan: MigrationPlan
    do throws(PlanError) {
      plan = try planned(directory.path(name + ".sqlite"))
    } catch {
      switch error {
      case .cannotCopy, .badRows, .notAllowed, .mapping, .notInferable: return nil
      default: throw error
      }
    }
    do {
      _ = try Migration(inTestProcess: plan).run()
    } catch MigrationError.invalidObjects {
      return nil
    }
    return plan.destination.store
  }

  @Test(arguments: RandomSeeds.some(of: NextVersion.all, every: 29))
  func `a version has the names of a new store`(pair: NextVersion) throws {
    guard let models = try prepare(pair) else { return }
    let expected = names(of: models[1])
    var request = request
    for strategy in [StoreStrategy.Kind.rebuild, .copy] {
      request.strategy = strategy
      guard let made = try made(request, "\(strategy)") else { continue }
      #expect(try names(in: made) == expected, "\(strategy)")
    }
    request.strategy = nil
    request.mapping = directory.path("mapping.json")
    try MappingModel.inferred(from: models[0], to: models[1]).json
      .write(toFile: directory.path("mapping.json"), atomically: true, encoding: .utf8)
    if let made = try made(request, "mapping") {
      #expect(try names(in: made) == expected, "mapping")
    }
    request.mapping = nil
    let altering = AlteringMigration(of: directory.path("source.sqlite"), request, .inTestProcess)
    do {
      _ = try altering.run()
    } catch is PlanError {
      return
    } catch MigrationError.plan {
      return
    }
    #expect(try names(in: directory.path("source.sqlite")) == expected, "in place")
  }

  @Test(arguments: RandomSeeds.some(of: NextVersion.routes, every: 3))
  func `a route ends with the names of a new store`(route: NextVersion) throws {
    guard let models = try prepare(route) else { return }
    let made = try made("route") { destination throws(PlanError) in
      try Planner.plan(
        over: models.indices.map { directory.path("v\($0).mom") },
        from: directory.path("source.sqlite"),
        to: destination
      )
    }
    guard let made else { return }
    #expect(try names(in: made) == names(of: models[models.count - 1]))
  }
}
