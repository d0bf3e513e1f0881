import BulkTestSupport
import Foundation
import Testing

/// The program dies while it writes or changes a persistent history.
@Suite(
  "The durable steps of a history",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct HistoryStepTests {
  @Test(arguments: ["rebuild", "copy"])
  func `after a kill behind any durable step the same bytes come out`(strategy: String) throws {
    let migration = try Interrupted(changes: 250, strategy: strategy)
    let made = StoreFile(migration.program.directory.path("Big.sqlite"))
    try migration.undisturbed.write(to: URL(fileURLWithPath: made.path))
    // Marks were number 1 and notes 2; notes are number 3.
    #expect(
      try made.rows("SELECT * FROM ACHANGE WHERE Z_PK < 54") == [
        [51, 16001, 1, 0, 3, 51, 51, nil, nil, nil],
        [52, 16001, 1, 1, 3, 52, 52, [0x60], nil, nil],
        [53, 16001, 1, 2, 3, 53, 53, nil, nil, "title 53"],
      ]
    )
    #expect(try made.rows("SELECT count(*) FROM ATRANSACTION") == [[200]])
    try FileManager.default.removeItem(atPath: made.path)
    let steps = try migration.steps("run")
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(steps >= 8)
    for step in 1...steps {
      #expect(try migration.isKilled(at: "step:\(step)"))
      #expect(try migration.outcome("step \(step)") == nil)
    }
  }
}
