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
    // One that goes on may be killed as well.
    var step = 10
    try #require(try migration.isKilled(at: "step:\(step)"))
    while try migration.isKilled(at: "step:\(step)", "resume") { step += 4 }
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.isTidy())
  }

  @Test(arguments: [(7, "2"), (99, "2"), (100_000, "2"), (100, "1")])
  func `neither the size of batches nor one thread changes the bytes`(
    rows: Int,
    threads: String
  )
    throws
  {
    let migration = try #require(migration)
    let run = try migration(
      ["run", "-q"],
      batchRows: rows,
      environment: ["BULKMIGRATE_THREADS": threads]
    )
    #expect(run.status == 0, "\(run.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
  }
}
