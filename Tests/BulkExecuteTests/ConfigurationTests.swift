import BulkTestSupport
import Testing

/// A model whose entities are divided among two stores by the configurations Disk and Cloud.
///
/// The mapping between its versions is made for whole models, as those of Xcode are.
struct ConfigurationTests {
  private let app: AppVersions

  init() throws {
    app = try AppVersions()
    try app.write(package: "Both.momd", ["b1", "b2"], current: "b2") { name in
      try ManagedObjectModel(
        entities: [
          .init("Local", [.optional(name == "b1" ? "a" : "c")]),
          .init("Remote", [.optional(name == "b1" ? "x" : "y")]),
          .init("Draft"),
        ],
        configurations: ["Cloud": ["Remote"], "Disk": ["Local"]]
      )
    }
    try app.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "Both.momd/b1.mom" },
        "destination": { "model": "Both.momd/b2.mom" },
        "entityMappings": [
          { "source": "Local", "destination": "Local", "attributes": { "c": "$source.a" } },
          { "source": "Remote", "destination": "Remote", "attributes": { "y": "$source.x" } } ] }
      """,
      to: "b1-to-b2.json"
    )
    try writeStore("Local", ["a": "1"], to: "disk.sqlite")
    try writeStore("Remote", ["x": "2"], to: "cloud.sqlite")
  }

  private func writeStore(
    _ entity: String,
    _ values: [String: AttributeValue],
    to name: String
  ) throws {
    let attributes = values.keys.map { AttributeDescription.optional($0) }
    let part = try ManagedObjectModel.of(EntityDescription(entity, attributes))
    _ = try TestStore(part, TestObject(entity, 1, values)).write(to: app.path(name))
  }

  private func request(_ store: String, _ configuration: String?) -> PlanRequest {
    var request = PlanRequest()
    request.source = app.path(store)
    request.destination = app.path("new.sqlite")
    request.configuration = configuration
    return request
  }

  private func run(_ request: PlanRequest) throws -> (plan: MigrationPlan, store: StoreFile) {
    let plan = try Planner.plan(request)
    _ = try Migration(inTestProcess: plan).run()
    return (plan, StoreFile(app.path("new.sqlite")))
  }

  @Test func `a mapping of whole models applies to the store of one configuration`() throws {
    var request = request("disk.sqlite", "Disk")
    request.mapping = app.path("b1-to-b2.json")
    let (plan, store) = try run(request)
    #expect(try store.rows("SELECT Z_PK, ZC FROM ZLOCAL") == [[1, "1"]])
    #expect(try store.rows("SELECT Z_NAME FROM Z_PRIMARYKEY") == [["Local"]])
    #expect(plan.source.model.configuration == "Disk")
    #expect(plan.destination.model.configuration == "Disk")
    let elsewhere = try #require(plan.destination.elsewhere)
    #expect(elsewhere.map(\.entity) == ["Draft", "Remote"])
    #expect(elsewhere.map(\.configurations) == [[], ["Cloud"]])
    #expect(plan.warnings.isEmpty)
  }

  @Test func `the metadata name the entities of the configuration alone`() throws {
    var request = request("cloud.sqlite", "Cloud")
    request.mapping = app.path("b1-to-b2.json")
    let store = try run(request).store
    #expect(try store.rows("SELECT ZY FROM ZREMOTE") == [["2"]])
    let made = try PersistentStore(path: app.path("new.sqlite")).metadata
    #expect(made.versionHashes.keys.sorted() == ["Remote"])
  }

  @Test(arguments: ["Disk", nil]) func `a route leads to the same configuration`(
    _ configuration: String?
  ) throws {
    var request = request("disk.sqlite", configuration)
    request.models = [app.path("Both.momd")]
    request.mappings = [app.path("b1-to-b2.json")]
    let (plan, store) = try run(request)
    #expect(try store.rows("SELECT Z_PK, ZC FROM ZLOCAL") == [[1, "1"]])
    #expect(plan.steps[0].mapping.path == app.path("b1-to-b2.json"))
    #expect(plan.destination.model.configuration == "Disk")
  }

  @Test func `a chain leads to the configuration`() throws {
    try app.write(
      """
      { "bulkmigrate": "mapping/1", "chain": ["Both.momd/b1.mom", "b1-to-b2.json", "Both.momd/b2.mom"] }
      """,
      to: "chain.json"
    )
    var request = request("disk.sqlite", "Disk")
    request.mapping = app.path("chain.json")
    #expect(try run(request).store.rows("SELECT Z_PK, ZC FROM ZLOCAL") == [[1, "1"]])
  }

  @Test func `a store with all entities becomes one of a configuration`() throws {
    let whole = try ManagedObjectModel(
      entities: [EntityDescription("Local", [.optional("a")]), .init("Remote")],
      configurations: [:]
    )
    try app.write(package: "Late.momd", ["l1", "l2"], current: "l2") { name in
      name == "l1"
        ? whole
        : try ManagedObjectModel(entities: whole.entities, configurations: ["Disk": ["Local"]])
    }
    _ = try TestStore(whole, TestObject("Local", 7, ["a": "1"])).write(to: app.path("all.sqlite"))
    var request = request("all.sqlite", "Disk")
    request.sourceModel = app.path("Late.momd/l1.mom")
    request.destinationModel = app.path("Late.momd/l2.mom")
    let store = try run(request).store
    #expect(try store.rows("SELECT Z_PK, ZA FROM ZLOCAL") == [[7, "1"]])
    #expect(try store.rows("SELECT Z_NAME FROM Z_PRIMARYKEY") == [["Local"]])
  }

  /// `Draft` is in no configuration, and a link from one store to another is lost; of the pairs those among notes stay.
  @Test(arguments: [false, true]) func `what the other half of a split store keeps is not lost`(
    isMapped: Bool
  ) throws {
    let whole = try ManagedObjectModel(
      entities: [
        .init("Draft"),
        .init("Local", [.optional("a")], [.toOne("note", "Note")]),
        .init("Note", [], [.toMany("tags", "Tag.notes")]),
        .init("Tag", [], [.toMany("notes", "Note.tags")]),
      ],
      configurations: ["Cloud": ["Note", "Tag"], "Disk": ["Local"]]
    )
    // Core Data divides no relationship among stores.
    var parts = whole.entities
    parts[1].relationships = []
    let late = try ManagedObjectModel(entities: parts, configurations: whole.configurations)
    try TestStore.write(whole, to: app.path("s1.mom"))
    try TestStore.write(late, to: app.path("s2.mom"))
    _ = try TestStore(
      whole,
      TestObject("Draft", 1),
      TestObject("Local", 7, ["a": "1"], links: ["note": [1]]),
      TestObject("Note", 1, links: ["tags": [1, 2]]),
      TestObject("Tag", 1),
      TestObject("Tag", 2)
    ).write(to: app.path("all.sqlite"))
    var request = request("all.sqlite", "Disk")
    request.sourceModel = app.path("s1.mom")
    request.destinationModel = app.path("s2.mom")
    request.takesNewIdentifier = true
    if isMapped {
      request.mapping = app.path("local.json")
      try app.write(
        """
        { "bulkmigrate": "mapping/1", "entityMappings": [
          { "source": "Local", "destination": "Local", "attributes": { "a": "$source.a" } } ] }
        """,
        to: "local.json"
      )
    }
    let plan = try Planner.plan(request)
    let kept = ", and its store keeps them"
    let losses = [
      "1 object of Draft: the entity is removed",
      "1 object of Note: configuration Cloud has Note\(kept)",
      "2 objects of Tag: configuration Cloud has Tag\(kept)",
      "1 link of Local.note: objects of Note are not migrated",
      "2 links of Note.tags: configuration Cloud has Note and Tag\(kept)",
    ]
    #expect(plan.lossLines == losses)
    #expect(plan.losses.certain == 2)
    #expect(try plan.plannedAgain().takesNewIdentifier == true)
    var migration = Migration(inTestProcess: plan)
    migration.lossLimit = .count(2)
    #expect(try migration.run().lossLines == losses)
    let (old, new) = try (
      PersistentStore(path: app.path("all.sqlite")).metadata,
      PersistentStore(path: app.path("new.sqlite")).metadata
    )
    #expect(new.uuid == old.newIdentifier(ofStoreWith: new.versionHashes))
    #expect(new.uuid != old.uuid && UUID(uuidString: new.uuid) != nil)
    request.configuration = "Cloud"
    request.destination = app.path("cloud-new.sqlite")
    request.mapping = nil
    _ = try Migration(inTestProcess: Planner.plan(request)).run()
    #expect(try PersistentStore(path: app.path("cloud-new.sqlite")).metadata.uuid != new.uuid)
  }

  @Test func `an entity mapping into another store is left out and told`() throws {
    try app.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "Both.momd/b1.mom" },
        "destination": { "model": "Both.momd/b2.mom" },
        "entityMappings": [
          { "source": "Local", "destination": "Local", "attributes": { "c": "$source.a" } },
          { "name": "Upload", "source": "Local", "destination": "Remote",
            "attributes": { "y": "$source.a" } } ] }
      """,
      to: "upload.json"
    )
    var request = request("disk.sqlite", "Disk")
    request.mapping = app.path("upload.json")
    let plan = try Planner.plan(request)
    #expect(
      plan.warnings == [
        "entity mapping Upload makes objects of Remote, which another store has; it is left out"
      ]
    )
  }

  @Test(arguments: [true, false]) func `an unknown configuration is refused with those there are`(
    _ isRoute: Bool
  ) throws {
    var request = request("disk.sqlite", "Dusk")
    if isRoute {
      request.models = [app.path("Both.momd")]
    } else {
      request.destinationModel = app.path("Both.momd/b2.mom")
    }
    let path = app.path(isRoute ? "Both.momd" : "Both.momd/b2.mom")
    #expect {
      try Planner.plan(request)
    } throws: { error in
      "\(error)" == "\(path) has no configuration Dusk; it has Cloud, Disk"
    }
  }

  @Test func `the store of another configuration is refused`() throws {
    var request = request("cloud.sqlite", "Disk")
    request.sourceModel = app.path("Both.momd/b1.mom")
    request.destinationModel = app.path("Both.momd/b2.mom")
    #expect { try Planner.plan(request) } throws: { error in
      if case PlanError.modelDoesNotFit(_, _, let differences) = error {
        return differences.contains { $0.contains("Local") }
      }
      return false
    }
  }

  @Test func `a store of two models becomes one of both current versions`() throws {
    let one = try ManagedObjectModel.of(EntityDescription("Alpha", [.optional("a")]))
    let other = try ManagedObjectModel.of(EntityDescription("Beta", [.optional("b")]))
    try app.write(package: "Alpha.momd", ["a"], current: "a") { _ in one }
    try app.write(package: "Beta.momd", ["b", "b2"], current: "b2") { name in
      name == "b" ? other : try .of(EntityDescription("Beta", [.optional("c", id: "b")]))
    }
    _ = try TestStore(
      ManagedObjectModel(merging: [one, other]),
      TestObject("Alpha", 1, ["a": "1"]),
      TestObject("Beta", 1, ["b": "2"])
    ).write(to: app.path("both.sqlite"))
    var request = request("both.sqlite", nil)
    request.models = [app.directory.path]
    let store = try run(request).store
    #expect(try store.rows("SELECT ZA FROM ZALPHA") == [["1"]])
    #expect(try store.rows("SELECT ZC FROM ZBETA") == [["2"]])
  }
}
