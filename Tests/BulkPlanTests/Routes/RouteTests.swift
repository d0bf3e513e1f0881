import BulkTestSupport
import Testing

struct RouteTests {
  private var routing: Routing
  private var app: AppVersions { routing.app }

  init() throws {
    routing = try Routing()
    try routing.app.writeMapping()
  }

  @Test(arguments: [
    (1, ["v1 → v2", "v2 → v3 by v2-to-v3.json", "v3 → v4"]),
    (2, ["v2 → v3 by v2-to-v3.json", "v3 → v4"]),
    (3, ["v3 → v4"]),
  ])
  func `a store of any version gets to the current one`(number: Int, steps: [String]) throws {
    #expect(routing.steps(try routing.plan(number)) == steps)
  }

  @Test func `a store of the current version stays`() throws {
    let plan = try routing.plan(4)
    #expect(plan.isUpToDate)
    #expect(!plan.hasSeveralLegs)
    #expect(plan.passes.isEmpty)
  }

  @Test func `a plan of one step is the one without a search`() throws {
    let found = try routing.plan(3)
    var request = PlanRequest()
    request.source = routing.request.source
    request.destination = routing.request.destination
    request.sourceModel = app.path("App.momd/v3.mom")
    request.destinationModel = app.path("App.momd")
    #expect(try found.encoded() == Planner.plan(request).encoded())
  }

  @Test func `without a mapping in between the way is one inferred step`() throws {
    var routing = routing
    routing.request.mappings = []
    #expect(routing.steps(try routing.plan(1)) == ["v1 → v4"])
  }

  @Test func `a mapping from end to end is the way, and one of several steps preferred`() throws {
    try app.writeMapping("v1-to-v3.json", from: "v1", to: "v3", rank: "1")
    #expect(routing.steps(try routing.plan(1)) == ["v1 → v3 by v1-to-v3.json", "v3 → v4"])
    try app.writeMapping("v1-to-v4.json", from: "v1", to: "v4", rank: "1")
    #expect(routing.steps(try routing.plan(1)) == ["v1 → v4 by v1-to-v4.json"])
    // The narrower mapping says where the meaning changes: not between v1 and v2.
    #expect(
      routing.steps(try routing.plan(2)) == ["v2 → v3 by v2-to-v3.json", "v3 → v4"]
    )
  }

  @Test func `the version at the end can be named`() throws {
    var routing = routing
    routing.request.version = "v3"
    #expect(routing.steps(try routing.plan(1)) == ["v1 → v2", "v2 → v3 by v2-to-v3.json"])
  }

  @Test func `a version that is not there is refused, and a step back across a mapping`() throws {
    var routing = routing
    routing.request.version = "v5"
    #expect(
      try routing.refusal(1) == """
        there is no version v5; pass --to with one of its versions:
          v1
          v2
          v3
          v4  (current)
        """
    )
    routing.request.version = "v2"
    #expect(
      try routing.refusal(4).contains(
        "\n  v4 → v2: missing, and not inferred, because DIR/v2-to-v3.json lies across it\n"
      )
    )
  }

  @Test func `two mappings between the same versions that contradict each other are refused`()
    throws
  {
    try app.writeMapping("other.json", rank: "7")
    let refusal = try routing.refusal(2)
    #expect(
      refusal.hasPrefix("several mappings from v2 to v3 contradict each other:")
    )
    #expect(
      refusal.contains("\nDIR/v2-to-v3.json:5:5: entity mapping NoteToNote: DIR/other.json:5:5, ")
    )
    var routing = routing
    routing.request.mapping = app.path("other.json")
    #expect(routing.steps(try routing.plan(2)) == ["v2 → v3 by other.json", "v3 → v4"])
  }

  @Test func `without inference every step needs a mapping`() throws {
    var routing = routing
    routing.request.infers = false
    #expect(
      try routing.refusal(2).contains(
        "\n  v2 → v3: DIR/v2-to-v3.json\n  v3 → v4: missing, and nothing is inferred\n"
      )
    )
    routing.request.version = "v3"
    #expect(routing.steps(try routing.plan(2)) == ["v2 → v3 by v2-to-v3.json"])
  }

  @Test func `copies of a mapping are one`() throws {
    try app.writeMapping("again.json")
    #expect(routing.steps(try routing.plan(2)) == ["v2 → v3 by again.json", "v3 → v4"])
  }

  @Test func `a version that only a mapping knows leads into the line`() throws {
    let old = try ManagedObjectModel.of(EntityDescription("Note", [.optional("heading")]))
    try TestStore.write(old, to: app.path("Old.mom"))
    _ = try TestStore(old).write(to: app.path("store.sqlite"))
    try app.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "Old.mom" }, "destination": { "model": "App.momd/v2.mom" },
        "entityMappings": [
          { "source": "Note", "destination": "Note", "attributes": { "title": "$source.heading" } }
        ] }
      """,
      to: "old-to-v2.json"
    )
    #expect(
      routing.steps(try Planner.plan(routing.request)) == [
        "Old → v2 by old-to-v2.json", "v2 → v3 by v2-to-v3.json", "v3 → v4",
      ]
    )
  }

  @Test func `a version that nothing leads on from is refused`() throws {
    let old = try ManagedObjectModel.of(EntityDescription("Note", [.optional("heading")]))
    _ = try TestStore(old).write(to: app.path("store.sqlite"))
    let text = failure { try Planner.plan(routing.request) }
    #expect(
      text.contains("the model that the store keeps → v4: missing, and not inferred")
    )
  }

  /// A renaming identifier that names the version before, and not the first name, leads one step back.
  @Test func `what one step loses and single ones keep is told`() throws {
    try app.write(package: "App.momd", ["v1", "v2", "v3", "v4"], current: "v4") { version in
      let name = ["v1": "a", "v2": "b", "v3": "c", "v4": "c"][version] ?? ""
      let id = ["v2": "a", "v3": "b", "v4": "b"][version]
      return try .of(
        .init("Note", [.optional(name, id: id)] + (version == "v4" ? [.optional("d")] : []))
      )
    }
    _ = try TestStore(.of(EntityDescription("Note", [.optional("a")])))
      .write(to: app.path("store.sqlite"))
    var routing = routing
    routing.request.mappings = []
    let plan = try Planner.plan(routing.request)
    #expect(routing.steps(plan) == ["v1 → v4"])
    #expect(
      plan.warnings == [
        "Note.c keeps the values of Note.a only if each version between v1 and v4 is a step of its own; "
          + "one inferred step, as Core Data takes it, loses them; write a chain to keep them"
      ]
    )
  }

  @Test func `what is missing is told for each pair of neighbours`() throws {
    try app.write(package: "App.momd", ["v3"], current: "v4") { _ in
      try .of(EntityDescription("Note", [.optional("title", .date)]))
    }
    var routing = routing
    routing.request.mappings = []
    routing.request.version = "v3"
    #expect(
      try routing.refusal(1).contains(
        "\n  v1 → v2: inferred\n  v2 → v3: missing, and cannot be inferred\n      Note.title: its type changes"
      )
    )
  }

  @Test func `expressions of later steps are checked before anything is done`() throws {
    try app.writeMapping(rank: "$source.titel")
    #expect(
      try routing.refusal(1) == """
        DIR/v2-to-v3.json:5:81: entity mapping NoteToNote, attribute rank: entity Note has \
        no property titel; did you mean title?
        """
    )
  }

  @Test func `policies of later steps must be known`() throws {
    try app.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "App.momd/v2.mom" }, "destination": { "model": "App.momd/v3.mom" },
        "entityMappings": [ { "source": "Note", "destination": "Note", "policy": "App.Ranking" } ] }
      """,
      to: "v2-to-v3.json"
    )
    var routing = routing
    routing.request.knowsPolicy = { _ in false }
    let text =
      "entity mapping NoteToNote of v2-to-v3.json needs policy App.Ranking, which this program"
    #expect(try routing.refusal(1).hasPrefix(text))
  }

  @Test func `later legs are taken to write as many rows as the first`() throws {
    let plan = try routing.plan(1)
    #expect(plan.legs.count == 3)
    #expect(plan.rows == 2)
    #expect(plan.rowsOfAllLegs == 6)
    #expect(plan.source.model.path == app.path("App.momd/v1.mom"))
    #expect(plan.destination.model.path == app.path("App.momd/v4.mom"))
  }

  @Test func `the identity of an object of a version is read from a store of that version`() throws
  {
    var routing = routing
    routing.request.fuses = true
    #expect(try routing.plan(1).legs.map(\.steps) == [2, 1])
    try app.writeMapping(rank: "length($source.objectID.URIRepresentation.path)")
    #expect(try routing.plan(1).legs.map(\.steps) == [1, 1, 1])
  }

  /// Whether a plan is the same after it was written to a file; a file that is not a plan is refused.
  private func survives(_ plan: MigrationPlan) throws -> Bool {
    try plan.encoded().write(to: URL(fileURLWithPath: app.path("p.json")))
    return (try? MigrationPlan(contentsOf: app.path("p.json"))) == plan
  }

  @Test func `a plan survives its file unless its steps do not meet or have other mappings`() throws
  {
    var plan = try routing.plan(1)
    #expect(try survives(plan))
    plan.steps.remove(at: 1)
    plan.fingerprint = plan.computedFingerprint
    #expect(try !survives(plan))
    var routing = routing
    routing.request.fuses = true
    plan = try routing.plan(1)
    #expect(plan.mappings.map(\.path) == [nil, app.path("v2-to-v3.json"), nil])
    #expect(plan.legs.map(\.steps) == [2, 1])
    #expect(try survives(plan))
    plan.steps.removeLast()
    plan.fingerprint = plan.computedFingerprint
    #expect(try !survives(plan))
  }
}
