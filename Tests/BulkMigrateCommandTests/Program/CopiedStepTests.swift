import BulkTestSupport
import Foundation
import Testing

/// A store is copied and changed in the copy, and the program dies, or finds other things than it left.
@Suite(
  "The durable steps of a copy",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct CopiedStepTests {
  private let migration: Interrupted

  init() throws { migration = try Interrupted(copied: 250) }

  @Test func `it is a copy that is changed`() throws {
    let store = StoreFile(migration.program.directory.path("Big.sqlite"))
    try migration.undisturbed.write(to: URL(fileURLWithPath: store.path))
    #expect(
      try store.columns(of: "ZPAGE") == ["Z_PK", "Z_ENT", "Z_OPT", "ZHEADING", "ZWEIGHT"]
    )
    #expect(try store.rows("SELECT DISTINCT Z_ENT, ZWEIGHT FROM ZPAGE") == [[2, 3]])
    #expect(try store.rows("SELECT count(*), count(ZHEADING) > 200 FROM ZPAGE") == [[250, 1]])
    #expect(try store.integrity() == [["ok"]])
  }

  @Test func `after a kill behind any durable step the same bytes come out`() throws {
    let steps = try migration.steps("run")
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(steps >= 50)
    for step in 1...steps {
      #expect(try migration.isKilled(at: "step:\(step)"))
      #expect(try migration.outcome("step \(step)") == nil)
    }
  }

  @Test func `one that is killed before its first transaction is copied again`() throws {
    #expect(try migration.isKilled(at: "copied:0"))
    #expect(try migration.outcome("copied") == nil)
  }

  @Test func `what was done before a kill is not done again`() throws {
    let steps = try migration.steps("run")
    _ = try migration.migrated()
    try #require(try migration.isKilled(at: "step:\(steps * 3 / 4)"))
    let resumed = try migration.steps("resume")
    #expect(resumed <= steps / 4 + 11, "\(resumed) of \(steps)")
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `one that goes on may be killed behind any step as well`() throws {
    var step = 12
    try #require(try migration.isKilled(at: "step:\(step)"))
    while try migration.isKilled(at: "step:\(step)", "resume") { step += 4 }
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.isTidy())
  }

  @Test(arguments: ["checkpoint:3", "checkpoint:9"])
  func `a changed bit in any page of the copy costs time, not rows`(place: String) throws {
    try #require(try migration.isKilled(at: place))
    let snapshot = try migration.snapshot()
    let name = try #require(migration.files("destination-", ".sqlite").first)
    let bytes = try #require(snapshot[name])
    for offset in stride(from: 4, to: bytes.count, by: 4096) {
      try migration.lay(snapshot, with: [name: bytes.flipped(bit: 5, at: offset + 2000)])
      #expect(try migration.outcome("byte \(offset)") == nil)
    }
  }

  @Test func `a changed source is noticed when the copy goes on`() throws {
    try #require(try migration.isKilled(at: "commit:9"))
    try StoreFile(migration.program.directory.path("Source.sqlite"))
      .execute("UPDATE ZNOTE SET ZTITLE = 'changed' WHERE Z_PK = 7")
    let resumed = try migration("resume", "-q")
    #expect(resumed.status == 5, "\(resumed.errors)")
    #expect(resumed.errors.contains("has changed"), "\(resumed.errors)")
  }

  @Test(arguments: ["128M", "1G"])
  func `the memory limit makes no difference to the bytes`(limit: String) throws {
    let run = try migration("run", "-q", "--max-memory", limit)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
  }
}
