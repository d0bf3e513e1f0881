import BulkVersions
import BulkModel
import BulkPlan
import BulkTestSupport
import Foundation
import Testing

@Suite("Plans of single steps") struct HopTests {
  private let routing: Routing
  private let plan: MigrationPlan
  private var app: AppVersions { routing.app }

  init() throws {
    routing = try Routing()
    try routing.app.writeMapping()
    plan = try routing.plan(1)
  }

  private func hop(_ index: Int, source: String) throws(PlanError) -> MigrationPlan {
    try plan.plan(
      ofHop: index,
      source: app.path(source),
      destination: app.path("step.sqlite")
    )
  }

  private func refusal(_ index: Int, source: String) -> String {
    do throws(PlanError) {
      return try hop(index, source: source).destination.store
    } catch {
      return error.description.replacing(app.directory.path, with: "DIR")
    }
  }

  @Test func `the first step is planned as the plan says`() throws {
    let hop = try hop(0, source: "store.sqlite")
    #expect(hop.route == nil)
    #expect(hop.passes == plan.passes)
    #expect(hop.mapping == plan.mapping)
    #expect(hop.destination.model == plan.hops[0].destination)
  }

  @Test func `a later step is planned for the store that is there`() throws {
    try app.writeStore(2, to: "v2.sqlite")
    let hop = try hop(1, source: "v2.sqlite")
    #expect(hop.mapping.path == app.path("v2-to-v3.json"))
    #expect(hop.rows == 2)
    #expect(
      hop.passes.flatMap(\.entities).map(\.details) == [["attribute rank = $source.stars"]]
    )
  }

  @Test func `a store of another version is refused`() throws {
    try app.writeStore(3, to: "v3.sqlite")
    #expect(
      refusal(1, source: "v3.sqlite") == """
        DIR/v3.sqlite was not written by the model DIR/App.momd/v2.mom; these entities differ:
          Note.rank: attribute removed
          Note.stars: attribute added
        """
    )
  }

  @Test func `a mapping that has changed is refused`() throws {
    try app.writeStore(2, to: "v2.sqlite")
    try app.writeMapping(rank: "1")
    #expect(refusal(1, source: "v2.sqlite") == "the mapping DIR/v2-to-v3.json has changed")
  }

  @Test func `a model that has changed is refused`() throws {
    try app.writeStore(2, to: "v2.sqlite")
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
    let hop = try plan.plan(
      ofHop: 1,
      source: app.path("v2.sqlite"),
      destination: app.path("step.sqlite")
    )
    #expect(plan.mapping.now == nil)
    #expect(hop.mapping.now != nil)
    #expect(hop.mapping.now == plan.hops[1].mapping.now)
  }
}
