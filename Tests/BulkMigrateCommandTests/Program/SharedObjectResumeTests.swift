import BulkTestSupport
import Foundation
import Testing

@Suite(
  "Objects that are found, created and divided",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct SharedObjectResumeTests {
  private let migration = try? Interrupted(sharing: 60)

  @Test func `after a kill behind any durable step the same bytes come out`() throws {
    let migration = try #require(migration)
    let steps = try migration.steps("run")
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(steps >= 40)
    for step in 1...steps {
      #expect(try migration.isKilled(at: "step:\(step)"))
      #expect(try migration.outcome("step \(step)") == nil)
    }
  }

  @Test func `one that goes on may be killed behind any step as well`() throws {
    let migration = try #require(migration)
    var step = 10
    try #require(try migration.isKilled(at: "step:\(step)"))
    while try migration.isKilled(at: "step:\(step)", "resume") { step += 4 }
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.isTidy())
  }

  @Test(arguments: [7, 99, 100_000])
  func `the size of batches does not change the bytes`(rows: Int) throws {
    let migration = try #require(migration)
    let run = try migration("run", "-q", batchRows: rows)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `one thread makes the same bytes`() throws {
    let migration = try #require(migration)
    let run = try migration("run", "-q", "--threads", "1")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
  }
}
