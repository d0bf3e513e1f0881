import BulkTestSupport
import Testing

/// A worked example of `Plans`, copied to a folder of its own, so that its stores can be made there.
struct Example {
  /// `Plans`.
  static let plans = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Plans").path

  private let directory = TemporaryDirectory()
  /// Where the copy lies.
  private let folder: String

  /// Copies an example: its models and its mapping files.
  init(_ name: String) throws {
    folder = directory.path("example")
    try Files.copyContents(of: Self.plans + "/" + name, to: folder)
  }

  /// The path of a file of the example.
  func path(_ name: String) -> String { folder + "/" + name }

  /// A model of the example.
  func model(_ name: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(contentsOf: path(name))
  }

  /// Makes a store under the name that a mapping file uses.
  func write(_ store: TestStore, as name: String) throws { _ = try store.write(to: path(name)) }

  /// Changes a file of the example.
  func replace(_ text: String, with other: String, in name: String) throws {
    let before = try String(contentsOfFile: path(name), encoding: .utf8)
    try #require(before.contains(text))
    try before.replacing(text, with: other)
      .write(toFile: path(name), atomically: true, encoding: .utf8)
  }

  /// Plans what a mapping file says.
  func plan(
    _ mapping: String,
    sourceModel: String? = nil,
    destinationModel: String? = nil
  ) throws -> MigrationPlan {
    var request = PlanRequest()
    request.mapping = path(mapping)
    request.sourceModel = sourceModel.map(path)
    request.destinationModel = destinationModel.map(path)
    return try Planner.plan(request)
  }

  /// Plans what a mapping of Xcode's says, with the stores and models that a mapping file names.
  func plan(xcode mapping: String, as file: String) throws -> MigrationPlan {
    let named = try MappingFile.read(path(file))
    var request = PlanRequest()
    request.mapping = mapping
    request.source = named.source.store
    request.sourceModel = named.source.model
    request.destination = named.destination.store
    request.destinationModel = named.destination.model
    return try Planner.plan(request)
  }

  /// Does what a mapping file says, and sees that nothing but the destination changes.
  ///
  /// - Returns: The destination.
  func migrate(
    by mapping: String,
    policies: [String: any EntityMigrationPolicy] = [:],
    transformers: [String: any AttributeTransformer] = [:]
  ) throws -> StoreFile {
    try run(try plan(mapping), policies: policies, transformers: transformers)
  }

  /// Does what a plan says, and sees that nothing but the destination changes.
  func run(
    _ plan: MigrationPlan,
    policies: [String: any EntityMigrationPolicy] = [:],
    transformers: [String: any AttributeTransformer] = [:]
  ) throws -> StoreFile {
    let before = try directory.bytes()
    var migration = Migration(inTestProcess: plan)
    migration.policies = PolicyRegistry(policies, transformers: transformers)
    _ = try migration.run()
    let destination = StoreFile(plan.destination.store, keeping: directory)
    var after = try directory.bytes()
    let name = String(plan.destination.store.dropFirst(directory.path.count + 1))
    #expect(after.removeValue(forKey: name) != nil)
    #expect(after == before, "a run makes the destination and nothing else")
    #expect(try destination.integrity() == [["ok"]])
    return destination
  }

  /// What a run ends with, as a text that starts folders' names with `DIR`.
  func failure(
    of plan: MigrationPlan,
    policies: [String: any EntityMigrationPolicy] = [:],
    transformers: [String: any AttributeTransformer] = [:]
  ) -> String {
    var migration = Migration(inTestProcess: plan)
    migration.policies = PolicyRegistry(policies, transformers: transformers)
    return BulkTestSupport.failure { try migration.run() }.replacing(folder, with: "DIR")
  }
}

/// Carries out the steps of a plan one after another, each by a plan of its own, and then the plan.
struct RouteRun {
  let plan: MigrationPlan
  let policies: [String: any EntityMigrationPolicy]

  /// The stores that the steps make; the last one has the bytes of the plan's destination.
  func stores() throws -> [StoreFile] {
    var result: [StoreFile] = []
    for (index, planned) in plan.steps.enumerated() {
      let destination = "\(plan.destination.store).step\(index + 1)"
      let step = try plan.plan(
        ofStep: index,
        source: result.last?.path ?? plan.source.store,
        destination: destination
      )
      #expect(step.destination.model == planned.destination)
      var migration = Migration(inTestProcess: step)
      migration.policies = PolicyRegistry(policies)
      _ = try migration.run()
      result.append(StoreFile(destination))
    }
    var migration = Migration(inTestProcess: plan)
    migration.policies = PolicyRegistry(policies)
    _ = try migration.run()
    #expect(try bytes(plan.destination.store) == bytes(try #require(result.last).path))
    return result
  }

  private func bytes(_ path: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path))
  }
}
