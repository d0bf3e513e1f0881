import BulkTestSupport
import Testing

/// Chains without mappings, which Core Data's staged migration takes at once (formats/migration.md 9.2).
struct LightweightStageTests {
  private let app: AppVersions
  private var request = PlanRequest()

  init() throws {
    app = try AppVersions()
    request.source = app.path("store.sqlite")
    request.destination = app.path("new.sqlite")
    request.mapping = app.path("chain.json")
    request.fuses = false
  }

  /// The warnings of a plan over three versions of a note, the number of its steps, and its losses.
  private func planned(
    _ attributes: [AttributeDescription],
    isLikeCoreData: Bool = false
  ) throws -> (warnings: [String], steps: Int, losses: [String]) {
    let names = ["v1", "v2", "v3"]
    try app.write(package: "App.momd", names, current: "v3") { name in
      let number = names.firstIndex(of: name) ?? 0
      return try .of(EntityDescription("Note", [attributes[number]]))
    }
    let model = try ModelLocator.model(named: app.path("App.momd/v1.mom")).model
    try? FileManager.default.removeItem(atPath: app.path("store.sqlite"))
    _ = try TestStore(model, TestObject("Note", 1, [attributes[0].name: "a"]))
      .write(to: app.path("store.sqlite"))
    try app.write(
      #"{ "bulkmigrate": "mapping/1", "chain": ["App.momd/v1.mom", "App.momd/v2.mom", "App.momd/v3.mom"] }"#,
      to: "chain.json"
    )
    var request = request
    request.isLikeCoreData = isLikeCoreData
    let plan = try Planner.plan(request)
    return (plan.warnings, plan.steps.count, plan.losses.map { "\($0)" })
  }

  private static let renames = [
    AttributeDescription.optional("title"), .optional("headline", id: "title"),
    .optional("caption", id: "headline"),
  ]

  @Test func `a rename of a rename is kept, and lost and counted as Core Data does it`() throws {
    let planned = try planned(Self.renames)
    #expect(
      planned.warnings == [
        "Core Data does lightweight stages at once, from v1 to v3, so that Note.caption is new; bulkmigrate does "
          + "them one by one, and with --like-core-data as Core Data does"
      ]
    )
    #expect(planned.steps == 2)
    #expect(planned.losses == [])
    let once = try self.planned(Self.renames, isLikeCoreData: true)
    #expect(once.steps == 1)
    #expect(once.losses == ["1 value of Note.title: no mapping reads them"])
  }

  private static let replaced = [
    AttributeDescription.optional("rank"), .optional("place"), .optional("rank", .date),
  ]

  @Test func `what Core Data would refuse at once is said`() throws {
    #expect(
      try planned(Self.replaced).warnings == [
        "Core Data does lightweight stages at once, from v1 to v3, and refuses that: Note.rank: its type "
          + "changes from String to Date; say how in a mapping file, which mapping init begins; bulkmigrate does them one by one, and with --like-core-data as Core Data does"
      ]
    )
    #expect(throws: PlanError.self) { try planned(Self.replaced, isLikeCoreData: true) }
  }

  @Test func `of stages that come to the same at once nothing is said`() throws {
    let same = [
      AttributeDescription.optional("title"), .optional("headline", id: "title"),
      .optional("caption", id: "title"),
    ]
    #expect(try planned(same).warnings == [])
  }
}
