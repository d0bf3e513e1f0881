import BulkTestSupport
import Testing

struct StepTests {
  private let routing: Routing
  private let plan: MigrationPlan
  private var app: AppVersions { routing.app }

  init() throws {
    routing = try Routing()
    try routing.app.writeMapping()
    plan = try routing.plan(1)
  }

  private func step(_ index: Int, source: String) throws(PlanError) -> MigrationPlan {
    try plan.plan(
      ofStep: index,
      source: app.path(source),
      destination: app.path("step.sqlite")
    )
  }

  private func refusal(_ index: Int, source: String) -> String {
    do throws(PlanError) {
      return try step(index, source: source).destination.store
    } catch {
      return error.description.replacing(app.directory.path, with: "DIR")
    }
  }

  @Test func `the first step is planned as the plan says`() throws {
    let step = try step(0, source: "store.sqlite")
    #expect(step.legs.map(\.steps) == [1])
    #expect(step.passes == plan.passes)
    #expect(step.mappings == [plan.steps[0].mapping])
    #expect(step.destination.model == plan.steps[0].destination)
  }

  @Test func `a later step is planned for the store that is there`() throws {
    try app.writeStore(2, to: "v2.sqlite")
    let step = try step(1, source: "v2.sqlite")
    #expect(step.steps[0].mapping.path == app.path("v2-to-v3.json"))
    #expect(step.rows == 2)
    #expect(
      step.passes.flatMap(\.entities).map(\.details) == [["attribute rank = $source.stars"]]
    )
  }

  @Test func `a store of another version is refused, and what has changed`() throws {
    try app.writeStore(3, to: "v3.sqlite")
    #expect(
      refusal(1, source: "v3.sqlite").hasPrefix(
        "DIR/v3.sqlite was not written by the model DIR/App.momd/v2.mom; from the store to this model:\n  Note.rank:"
      )
    )
    try app.writeStore(2, to: "v2.sqlite")
    try app.writeMapping(rank: "1")
    #expect(refusal(1, source: "v2.sqlite") == "the mapping DIR/v2-to-v3.json has changed")
    try app.writeMapping()
    try TestStore.write(AppVersions.model(4), to: app.path("App.momd/v3.mom"))
    #expect(refusal(1, source: "v2.sqlite") == "the model DIR/App.momd/v3.mom has changed")
  }

  @Test func `the time is that of the whole plan`() throws {
    try app.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "App.momd/v2.mom" }, "destination": { "model": "App.momd/v3.mom" },
        "entityMappings": [ { "source": "Note", "destination": "Note",
          "filter": "now() != nil" } ] }
      """,
      to: "v2-to-v3.json"
    )
    let plan = try routing.plan(1)
    try app.writeStore(2, to: "v2.sqlite")
    let step = try plan.plan(
      ofStep: 1,
      source: app.path("v2.sqlite"),
      destination: app.path("step.sqlite")
    )
    #expect(plan.steps[0].mapping.now == nil)
    #expect(step.now != nil)
    #expect(step.now == plan.steps[1].mapping.now)
  }

  @Test
  func `a store whose only model is the destination's stays, unless a mapping may apply to it`()
    throws
  {
    let directory = TemporaryDirectory()
    let model = try ManagedObjectModel.of(EntityDescription("Item", [.optional("price", .double)]))
    try TestStore(model).write(to: directory.path("source.sqlite"))
      .execute("DELETE FROM Z_MODELCACHE")
    try TestStore.write(model, to: directory.path("destination.mom"))
    var request = PlanRequest(in: directory)
    request.sourceModel = nil
    #expect(try Planner.plan(request).isUpToDate)
    let dearer = try EntityMapping.of("Item", "Item", ["price": "$source.price * 100"])
    try MappingModel(entityMappings: [dearer]).json
      .write(toFile: directory.path("all.json"), atomically: true, encoding: .utf8)
    request.mapping = directory.path("all.json")
    let text = failure { try Planner.plan(request) }
    #expect(text.hasPrefix("no model was found that fits "), "\(text)")
  }
}
