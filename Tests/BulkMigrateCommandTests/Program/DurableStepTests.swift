import BulkTestSupport
import Foundation
import Testing

@Suite(
  "The durable steps of a migration",
  .tags(.promise12),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct DurableStepTests {
  private let migration = try? Interrupted(rows: 250)

  @Test func `after a kill behind any durable step the same bytes come out`() throws {
    let migration = try #require(migration)
    let steps = try migration.steps("run")
    #expect(try migration.migrated() == migration.undisturbed)
    // The undisturbed run of this example takes 98 of them.
    #expect(steps >= 90)
    for step in 1...steps {
      #expect(try migration.isKilled(at: "step:\(step)"))
      #expect(try migration.outcome("step \(step)") == nil)
    }
  }

  @Test func `what was done before a kill is not done again`() throws {
    let migration = try #require(migration)
    let steps = try migration.steps("run")
    _ = try migration.migrated()
    try #require(try migration.isKilled(at: "step:\(steps * 3 / 4)"))
    // What was not committed, and the leftovers, are its own; the rest is replayed.
    let resumed = try migration.steps("resume")
    #expect(resumed <= steps / 4 + 11, "\(resumed) of \(steps)")
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `one that goes on may be killed behind any step as well`() throws {
    let migration = try #require(migration)
    // Behind the first checkpoint, before which there is nothing to go on with.
    var step = 10
    try #require(try migration.isKilled(at: "step:\(step)"))
    // Further and further, so that each goes on a little more than the one before.
    while try migration.isKilled(at: "step:\(step)", "resume") { step += 4 }
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.isTidy())
  }
}
