import BulkTestSupport
import Testing

/// The stores of a fleet are opened once, to be planned and to be migrated.
struct PlannedStoreTests {
  private let planned: Planned
  private let made: StoreFile

  init() throws {
    let old = [EntityDescription("Note", [.optional("title")])]
    let new = [EntityDescription("Note", [.optional("title"), .optional("stars")])]
    let model = try ManagedObjectModel(entities: old)
    planned = try Planned(
      TestStore(model, TestObject("Note", 1, ["title": "a"]), TestObject("Note", 2)),
      to: ManagedObjectModel(entities: new)
    )
    made = StoreFile(planned.directory.path("made.sqlite"), keeping: planned.directory)
  }

  private func migrate(changing change: (String) throws -> Void = { _ in }) throws {
    var request = PlanRequest()
    request.models = ["source.mom", "destination.mom"].map(planned.directory.path)
    request.version = "destination"
    let planner = try FleetPlanner(request)
    let store = try planner.store(planned.source.path)
    let template = try planner.template(of: store)
    let plan = try planner.plan(store, by: template, into: made.path, now: 0)
    try change(planned.source.path)
    var migration = Migration(inTestProcess: plan)
    migration.shared = template.steps
    _ = try migration.run()
    #expect(template.steps.takeStore(at: planned.source.path) == nil)
  }

  @Test func `it has the rows of the source`() throws {
    try migrate()
    #expect(try made.rows(of: "ZNOTE") == [[1, 1, 1, nil, "a"], [2, 1, 1, nil, nil]])
  }

  @Test(arguments: [false, true])
  func `a file that changes in between is not migrated`(isReplaced: Bool) throws {
    #expect(throws: MigrationError.self) {
      try migrate { path in
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The title "a" is the last byte of the last page that is in use.
        let place = try #require(bytes.lastIndex(of: UInt8(ascii: "a")))
        bytes[place] = UInt8(ascii: "b")
        try bytes.write(to: URL(fileURLWithPath: path), options: isReplaced ? .atomic : [])
      }
    }
    #expect(!FileManager.default.fileExists(atPath: made.path))
  }

  /// The second store streams its values, and the third does not again.
  @Test func `stores of one shape are planned as each would be alone`() throws {
    let old = [EntityDescription("Note", [.optional("image", .binaryData)])]
    let new = [EntityDescription("Note", old[0].attributes + [.optional("stars", .integer16)])]
    let model = try ManagedObjectModel(entities: old)
    let directory = TemporaryDirectory()
    try TestStore.write(model, to: directory.path("source.mom"))
    try TestStore.write(ManagedObjectModel(entities: new), to: directory.path("destination.mom"))
    var request = PlanRequest()
    request.models = ["source.mom", "destination.mom"].map(directory.path)
    request.version = "destination"
    let together = try FleetPlanner(request)
    for (name, bytes) in [("a", 10), ("b", 3_000_000), ("c", 20)] {
      let image = AttributeValue.binary([UInt8](repeating: 7, count: bytes))
      let path = directory.path("\(name).sqlite")
      _ = try TestStore(model, TestObject("Note", 1, ["image": image])).write(to: path)
      let plans = try [together, FleetPlanner(request)].map { planner in
        let store = try planner.store(path)
        let template = try planner.template(of: store)
        return try planner.plan(store, by: template, into: directory.path("new.sqlite"), now: 0)
      }
      #expect(plans[0].memory.streamedTables == (name == "b" ? ["ZNOTE"] : []))
      #expect(try plans[0].encoded() == plans[1].encoded())
    }
  }
}
