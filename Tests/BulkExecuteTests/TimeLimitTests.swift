import BulkTestSupport
import Testing

/// Times that are too short for what cannot be divided.
@Suite("Time limits", .tags(.promise17))
struct TimeLimitTests {
  /// The plan of a store with one table, which takes so many seconds.
  private func planned(seconds: Double) throws -> (Planned, MigrationPlan) {
    let source = try ManagedObjectModel.of(EntityDescription("Note", [.optional("title")]))
    let destination = try ManagedObjectModel.of(
      EntityDescription("Note", [.optional("title"), .optional("author")])
    )
    let planned = try Planned(
      TestStore(source, TestObject("Note", 1, ["title": "a"])),
      to: destination
    )
    var plan = planned.plan
    plan.passes[0].estimatedSeconds = seconds
    return (planned, plan)
  }

  @Test func `a time that is too short is refused before anything is made`() throws {
    let (planned, plan) = try planned(seconds: 100)
    var migration = Migration(inTestProcess: plan)
    migration.timeLimit = .seconds(5)
    let before = try planned.directory.bytes()
    let text = failure { try migration.run() }
    #expect(
      text
        == "--max-duration 5s is too short: a part of this migration that cannot be divided takes about "
        + "100s, so it needs at least 90s; nothing was started"
    )
    #expect(try planned.directory.bytes() == before)
  }

  @Test(arguments: [90_000, 100_000]) func `a time of which a part takes a little longer will do`(
    milliseconds: Int
  ) throws {
    let (planned, plan) = try planned(seconds: 100)
    var migration = Migration(inTestProcess: plan)
    migration.timeLimit = .milliseconds(milliseconds)
    #expect(try migration.run().rows == 1)
    #expect(try planned.directory.bytes()["destination.sqlite"] != nil)
  }

  @Test func `a time that is over ends a change of the store itself, which reports no progress`()
    throws
  {
    let (planned, _) = try planned(seconds: 1)
    var request = PlanRequest()
    request.sourceModel = planned.directory.path("source.mom")
    request.destinationModel = planned.directory.path("destination.mom")
    var events = MigrationEvents()
    events.stopRequest = { StopRequest.atOnce.afterProgress }
    let before = try planned.directory.bytes()
    #expect(throws: MigrationError.self) {
      _ = try AlteringMigration(of: planned.source.path, request, .inTestProcess, events: events)
        .run()
    }
    #expect(try planned.directory.bytes() == before)
  }

  @Test func `the largest of several tables counts`() throws {
    var (_, plan) = try planned(seconds: 100)
    var second = plan.passes[0].entities[0]
    second.rows = 3
    plan.passes[0].entities.append(second)
    plan.passes[0].rows = 4
    #expect(plan.longestStepSeconds == 75)
  }
}
