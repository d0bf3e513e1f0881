import BulkTestSupport
import Foundation
import Testing

@Suite(
  "Watching a migration",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct StatusWatchTests {
  @Test func `a watch shows the rows of a migration that stands still, and ends when it is killed`()
    throws
  {
    let migration = try LongMigration()
    let folder = migration.program.directory
    let run = try migration.standing(at: "commit:3", "run", "-q")
    let watch = try StoppableProcess(
      Program.path ?? "/nowhere",
      ["status", "--watch"],
      in: folder.path,
      environment: [
        "TERM": "dumb", "BULKMIGRATE_STANDSTILL": "watched:0",
      ]
    )
    try #require(watch.standsStill(), "\(watch.errors)")
    run.send(SIGKILL)
    #expect(run.end() == -9)
    #expect(watch.goOn() == 0, "\(watch.errors)")
    #expect(watch.output.contains("state        interrupted"))
    #expect(watch.errors.contains(" of at most 52,000 rows "), "\(watch.errors)")
  }
}
