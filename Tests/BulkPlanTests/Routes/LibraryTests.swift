import BulkTestSupport
import Testing

@testable import BulkPlan

struct LibraryTests {
  private let app: AppVersions

  init() throws { app = try AppVersions() }

  private func version(_ store: String = "store.sqlite") throws -> StoreReport.Version {
    let found = try Inspection.inspect(
      app.path(store),
      library: [app.directory.path],
      countsRows: false
    )
    guard case .store(let report) = found else { throw PlanError.missingInput("no store") }
    return try #require(report.version)
  }

  /// Why no version is found, with `DIR` for the folder.
  private func refusal() throws -> String {
    do {
      return try "\(version())"
    } catch {
      return "\(error)".replacing(app.directory.path, with: "DIR")
    }
  }

  private func write(
    _ model: ManagedObjectModel,
    to name: String = "store.sqlite",
    keepsModel: Bool = true
  ) throws {
    var store = TestStore(model)
    if !keepsModel { store.sql = ["DELETE FROM Z_MODELCACHE"] }
    _ = try store.write(to: app.path(name))
  }

  @Test func `a version of a package is told by its hashes, and whether it is the current one`()
    throws
  {
    try app.writeStore(2)
    let version = try version()
    #expect(version.name == "v2")
    #expect(version.path == app.path("App.momd/v2.mom"))
    #expect(version.packages == [app.path("App.momd")])
    #expect(version.isCurrent == false)
    #expect(version.currentVersion == "v4")
    #expect(throws: PlanError.self) {
      try Inspection.inspect(app.path("store.sqlite"), library: [app.path("no")])
    }
    try app.writeStore(4)
    #expect(try self.version().isCurrent == true)
  }

  @Test func `a model that lies alone is the current one`() throws {
    try write(.of(EntityDescription("Lonely")))
    try TestStore.write(.of(EntityDescription("Lonely")), to: app.path("Lonely.mom"))
    let version = try version()
    #expect(version.name == "Lonely")
    #expect(version.currentVersion == "Lonely")
  }

  @Test func `several models together are a store's, and go to their current versions`() throws {
    let one = try ManagedObjectModel.of(EntityDescription("Alpha", [.optional("a")]))
    let other = try ManagedObjectModel.of(EntityDescription("Beta", [.optional("b")]))
    let next = try ManagedObjectModel.of(
      EntityDescription("Beta", [.optional("b"), .optional("c")])
    )
    try app.write(package: "Alpha.momd", ["a"], current: "a") { _ in one }
    try app.write(package: "Beta.momd", ["b"], current: "b") { _ in other }
    try write(ManagedObjectModel(merging: [one, other]))
    let version = try version()
    #expect(version.name == "a + b")
    #expect(version.packages == [app.path("Alpha.momd"), app.path("Beta.momd")])
    #expect(version.isCurrent == true)
    try app.write(package: "Beta.momd", ["b", "b2"], current: "b2") { $0 == "b" ? other : next }
    var request = PlanRequest()
    request.source = app.path("store.sqlite")
    request.destination = app.path("new.sqlite")
    request.models = [app.directory.path]
    let plan = try Planner.plan(request)
    #expect(plan.source.model.mergedWith == [app.path("Beta.momd/b.mom")])
    #expect(plan.destination.model.path == app.path("Alpha.momd/a.mom"))
    #expect(plan.destination.model.mergedWith == [app.path("Beta.momd/b2.mom")])
    #expect(
      plan.passes.flatMap(\.entities).map(\.details) == [[], ["attribute c added with nil"]]
    )
  }

  @Test func `a configuration of a version is told`() throws {
    let entities = [EntityDescription("Local", [.optional("a")]), EntityDescription("Remote")]
    let model = try ManagedObjectModel(
      entities: entities,
      configurations: ["Cloud": ["Remote"], "Disk": ["Local"]]
    )
    try app.write(package: "Both.momd", ["both"], current: "both") { _ in model }
    try write(.of(EntityDescription("Local", [.optional("a")])))
    let version = try version()
    #expect(version.name == "both")
    #expect(version.configuration == "Disk")
    #expect(version.isCurrent == true)
  }

  @Test func `another store may keep the model`() throws {
    let model = try ManagedObjectModel.of(EntityDescription("Old", [.optional("a")]))
    try write(model, keepsModel: false)
    try write(model, to: "backup.db")
    #expect(try version().name == "the model kept in backup.db")
  }

  @Test func `the store's own copy comes last`() throws {
    try write(.of(EntityDescription("Old")))
    let version = try version()
    #expect(version.name == "the model that the store keeps")
    #expect(version.packages == [])
    #expect(version.isCurrent == nil)
  }

  @Test func `an unknown store is told what was searched and what is nearest`() throws {
    try write(
      .of(EntityDescription("Note", [.optional("heading")]), .init("Folder")),
      keepsModel: false
    )
    #expect(
      try refusal() == """
        no model was found that fits DIR/store.sqlite; searched:
          DIR
            4 versions in DIR/App.momd
          the models of 0 mappings
          the store, which keeps no model of itself
          the nearest is DIR/App.momd/v1.mom:
            Folder: in the store, not in the model
            Note: the version hashes differ
        pass --source-model or --models
        """
    )
  }

  @Test func `hostile folders do no harm`() throws {
    let folder = try app.directory.folder("deep")
    let files = FileManager.default
    try files.createSymbolicLink(atPath: folder + "/loop", withDestinationPath: "..")
    try files.createSymbolicLink(atPath: folder + "/self.mom", withDestinationPath: "self.mom")
    for index in 0..<10_000 { try Files.write([], to: "\(folder)/\(index).txt") }
    _ = try app.directory.folder("deep/Broken.momd/empty")
    try Files.write([1, 2, 3], to: folder + "/broken.mom")
    try Files.write(Array("{".utf8), to: folder + "/broken.json")
    try files.createDirectory(atPath: folder + "/folder.mom", withIntermediateDirectories: true)
    for name in [".git", "build", "DerivedData", "node_modules"] {
      try TestStore.write(AppVersions.model(1), to: app.directory.folder(name) + "/hidden.mom")
    }
    try write(.of(EntityDescription("Unknown")), keepsModel: false)
    #expect(
      try refusal().split(separator: "\n").map { String($0) } == [
        "no model was found that fits DIR/store.sqlite; searched:",
        "  DIR",
        "    4 versions in DIR/App.momd",
        "    2 versions in DIR/deep",
        "    DIR/deep/Broken.momd is not a managed object model: the folder holds no .xcdatamodel and "
          + "no .mom",
        "    DIR/deep/broken.mom is not a managed object model: not a property list: it is "
          + "neither binary nor XML",
        "    DIR/deep/folder.mom is not a managed object model: the folder holds no .xcdatamodel and "
          + "no .mom",
        "  the models of 0 mappings",
        "  the store, which keeps no model of itself",
        "  the nearest is DIR/App.momd/v1.mom:",
        "    Unknown: in the store, not in the model",
        "    Note: in the model, not in the store",
        "pass --source-model or --models",
      ]
    )
  }
}

struct NaturalOrderTests {
  @Test(arguments: [
    ("Model", "Model 2"), ("Model 2", "Model 10"), ("Model 9", "Model 10"), ("v1.9", "v1.10"),
    ("zmessaging2.9.0", "zmessaging2.21.1"), ("1.4", "1.4.1"), ("Model2", "Modela"),
    ("a 007", "a 8"), ("A", "b"), ("a", "B"), ("Model 2", "model 3"),
    ("99999999999999999999999", "100000000000000000000000"),
  ])
  func `one stands before another`(first: String, second: String) {
    #expect(NaturalOrder.precedes(first, second))
    #expect(!NaturalOrder.precedes(second, first))
  }

  @Test(arguments: ["", "Model", "Model 2", "7"])
  func `nothing stands before itself`(name: String) {
    #expect(!NaturalOrder.precedes(name, name))
  }

  @Test func `names that differ in capitals or zeros have an order still`() {
    #expect(NaturalOrder.precedes("Model", "model"))
    #expect(NaturalOrder.precedes("v02", "v2"))
  }
}
