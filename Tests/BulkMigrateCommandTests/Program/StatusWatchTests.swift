import BulkPlan
import BulkTestSupport
import BulkVersions
import Foundation
import Testing

@testable import BulkMigrateCommand

@Suite(
  "Watching a migration",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct StatusWatchTests {
  /// What a watch says of a migration that stands still, and that is then killed.
  private func watched(_ words: String...) throws -> String {
    let migration = try LongMigration()
    let folder = migration.program.directory
    let plan = try MigrationPlan(contentsOf: folder.path("bulkmigrate.plan.json"))
    let runs = RunHistoryFile(["XDG_STATE_HOME": folder.path], isKept: true)
    for seconds in [600.0, 1_200] {
      #expect(
        runs.add(
          RunHistory.Run(
            kind: plan.strategy?.kind.rawValue ?? "rebuild",
            estimatedSeconds: plan.estimatedSeconds,
            seconds: seconds,
            rowSeconds: seconds,
            rows: plan.rows
          )
        )
      )
    }
    let run = try migration.standing(at: "commit:3", "run", "-q")
    let watch = try StoppableProcess(
      Program.path ?? "/nowhere",
      ["status", "--watch"] + words,
      in: folder.path,
      environment: [
        "TERM": "dumb", "XDG_STATE_HOME": folder.path, "BULKMIGRATE_STANDSTILL": "watched:0",
      ]
    )
    try #require(watch.standsStill(), "\(watch.errors)")
    run.send(SIGKILL)
    #expect(run.end() == -9)
    #expect(watch.goOn() == 0, "\(watch.errors)")
    #expect(watch.output.contains("state        interrupted"))
    return watch.errors
  }

  @Test func `the time that is left follows earlier runs`() throws {
    let text = try watched()
    #expect(text.contains(" of at most 52,000 rows "), "\(text)")
    #expect(text.contains(" min left"), "\(text)")
  }

  @Test func `without the record the time that is left follows the rate alone`() throws {
    let text = try watched("--no-history")
    #expect(text.contains(" of at most 52,000 rows "), "\(text)")
    #expect(!text.contains(" min left"), "\(text)")
  }
}
