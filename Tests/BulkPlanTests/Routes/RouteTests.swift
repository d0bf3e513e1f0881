import BulkVersions
import BulkModel
import BulkPlan
import BulkTestSupport
import Foundation
import Testing

@Suite("Ways over several versions") struct RouteTests {
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
    #expect(plan.route == nil)
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

  @Test func `where single steps are asked for, the way that there is is told`() throws {
    var routing = routing
    routing.request.isExact = true
    #expect(routing.steps(try routing.plan(3)) == ["v3 → v4"])
    #expect(
      try routing.refusal(2) == """
        no single step leads from v2 to v4, but 2 steps do:
          DIR/App.momd/v2.mom → DIR/App.momd/v3.mom: DIR/v2-to-v3.json
          DIR/App.momd/v3.mom → DIR/App.momd/v4.mom: inferred
        leave out --exact to take them
        """
    )
  }

  @Test func `a mapping from end to end is the way`() throws {
    try app.writeMapping("v1-to-v4.json", from: "v1", to: "v4", rank: "1")
    #expect(routing.steps(try routing.plan(1)) == ["v1 → v4 by v1-to-v4.json"])
    // The narrower mapping says where the meaning changes: not between v1 and v2.
    #expect(
      routing.steps(try routing.plan(2)) == ["v2 → v3 by v2-to-v3.json", "v3 → v4"]
    )
  }

  @Test func `a mapping of several steps is preferred to single ones`() throws {
    try app.writeMapping("v1-to-v3.json", from: "v1", to: "v3", rank: "1")
    #expect(routing.steps(try routing.plan(1)) == ["v1 → v3 by v1-to-v3.json", "v3 → v4"])
  }

  @Test func `the version at the end can be named`() throws {
    var routing = routing
    routing.request.version = "v3"
    #expect(routing.steps(try routing.plan(1)) == ["v1 → v2", "v2 → v3 by v2-to-v3.json"])
  }

  @Test func `a version that is not there is refused with those that are`() throws {
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
  }

  @Test func `a step back is not inferred across a mapping`() throws {
    var routing = routing
    routing.request.version = "v2"
    #expect(
      try routing.refusal(4) == """
        there is no route from v4 to v2:
          v4 → v2: missing, and not inferred, because DIR/v2-to-v3.json lies across it
        write a mapping for what is missing, and pass its folder with --mappings
        """
    )
  }

  @Test func `two mappings between the same versions that contradict each other are refused`()
    throws
  {
    try app.writeMapping("other.json", rank: "7")
    #expect(
      try routing.refusal(2) == """
        several mappings lead from v2 to v3, and together they cannot be one:
          DIR/other.json
          DIR/v2-to-v3.json
        DIR/v2-to-v3.json:5:5: entity mapping NoteToNote: DIR/other.json:5:5, entity mapping NoteToNote, \
        makes objects of Note from the same Note too; leave one of them out, or give each a filter
        name those that count with --mapping
        """
    )
    var routing = routing
    routing.request.mapping = app.path("other.json")
    #expect(routing.steps(try routing.plan(2)) == ["v2 → v3 by other.json", "v3 → v4"])
  }

  @Test func `without inference every step needs a mapping`() throws {
    var routing = routing
    routing.request.infers = false
    #expect(
      try routing.refusal(2) == """
        there is no route from v2 to v4:
          v2 → v3: DIR/v2-to-v3.json
          v3 → v4: missing, and nothing is inferred
        write a mapping for what is missing, and pass its folder with --mappings
        """
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
    do throws(PlanError) {
      _ = try Planner.plan(routing.request)
      Issue.record("a way was found")
    } catch {
      #expect(
        error.description.replacing(app.directory.path, with: "DIR") == """
          there is no route from the model that the store keeps to v4:
            the model that the store keeps → v4: missing, and not inferred, because \
          DIR/v2-to-v3.json lies across it
          write a mapping for what is missing, and pass its folder with --mappings
          """
      )
    }
  }

  /// A renaming identifier that names the version before, and not the first name, leads one step back.
  @Test func `what one step loses and single ones keep is told`() throws {
    try app.write(package: "App.momd", ["v1", "v2", "v3", "v4"], current: "v4") { version in
      let name = ["v1": "a", "v2": "b", "v3": "c", "v4": "c"][version] ?? ""
      let id = ["v2": "a", "v3": "b", "v4": "b"][version]
      return try .of(
        EntityDescription(
          "Note",
          [.optional(name, id: id)] + (version == "v4" ? [.optional("d")] : [])
        )
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
      try routing.refusal(1) == """
        there is no route from v1 to v3:
          v1 → v2: inferred
          v2 → v3: missing, and cannot be inferred
              Note.title: its type changes from String to Date; say how in a mapping file, which mapping --init begins
        write a mapping for what is missing, and pass its folder with --mappings
        """
    )
  }

  @Test func `expressions of later steps are checked before anything is done`() throws {
    try app.writeMapping(rank: "$source.titel")
    #expect(
      try routing.refusal(1) == """
        DIR/v2-to-v3.json:5:81: entity mapping NoteToNote, attribute rank: the source entity is \
        Note, and it has no property titel; did you mean title?
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
    #expect(
      try routing.refusal(1) == """
        entity mapping NoteToNote of v2-to-v3.json needs policy App.Ranking, which this program does not have
        name a program for a policy with --policy NAME='command', which mapping --init-policy begins, or build an executable that hands its policies to BulkMigrateCommand.main(policies:transformers:)
        """
    )
  }

  @Test func `rows of later steps are those that are carried along`() throws {
    let plan = try routing.plan(1)
    #expect(plan.route?.steps.map(\.rows) == [2, 2, 2])
    #expect(plan.rows == 2)
    #expect(plan.route?.rows == 6)
    #expect(plan.source.model.path == app.path("App.momd/v1.mom"))
    #expect(plan.destination.model.path == app.path("App.momd/v4.mom"))
  }

  @Test func `a plan with a route survives its file`() throws {
    let plan = try routing.plan(1)
    try plan.encoded().write(to: URL(fileURLWithPath: app.path("p.json")))
    #expect(try MigrationPlan(contentsOf: app.path("p.json")) == plan)
  }

  @Test func `a route whose steps do not meet is no plan`() throws {
    var plan = try routing.plan(1)
    plan.route?.steps.remove(at: 1)
    plan.fingerprint = plan.computedFingerprint
    try plan.encoded().write(to: URL(fileURLWithPath: app.path("p.json")))
    #expect(
      throws: PlanError.self,
      performing: { _ = try MigrationPlan(contentsOf: app.path("p.json")) }
    )
  }

  @Test func `mappings that are not those of the steps are no plan`() throws {
    var routing = routing
    routing.request.fuses = true
    var plan = try routing.plan(1)
    let file = app.path("v2-to-v3.json")
    #expect(plan.mappings?.map(\.path) == [nil, file, nil])
    #expect(plan.route == nil)
    try plan.encoded().write(to: URL(fileURLWithPath: app.path("p.json")))
    #expect(try MigrationPlan(contentsOf: app.path("p.json")) == plan)
    plan.mappings?.removeLast()
    plan.fingerprint = plan.computedFingerprint
    try plan.encoded().write(to: URL(fileURLWithPath: app.path("p.json")))
    #expect(
      throws: PlanError.self,
      performing: { _ = try MigrationPlan(contentsOf: app.path("p.json")) }
    )
  }
}
