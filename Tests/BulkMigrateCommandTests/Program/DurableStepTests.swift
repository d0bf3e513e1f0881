import BulkTestSupport
import Foundation
import Testing

@Suite("The durable steps of a migration", .tags(.promise12), .program)
struct DurableStepTests {
  /// Rows by a mapping model or by two of which each is a pass, objects that are found, created and divided, a copy that is
  /// changed, and histories that are written or changed.
  enum Kind: CaseIterable {
    case mapped, divided, shared, copied, rebuiltHistory, copiedHistory

    func migration() throws -> Interrupted {
      switch self {
      case .mapped: try Interrupted(rows: 250)
      case .divided: try Interrupted(divided: 250)
      case .shared: try Interrupted(sharing: 60)
      case .copied: try Interrupted(copied: 250)
      case .rebuiltHistory: try Interrupted(changes: 250, strategy: "rebuild")
      case .copiedHistory: try Interrupted(changes: 250, strategy: "copy")
      }
    }

    /// Fewer steps would mean that something is not interrupted any more.
    var leastSteps: Int {
      switch self {
      case .mapped, .divided: 90
      case .shared: 40
      case .copied: 50
      case .rebuiltHistory, .copiedHistory: 8
      }
    }

    /// Looks into the store that is made undisturbed.
    func expect(_ store: StoreFile) throws {
      #expect(try store.integrity() == [["ok"]])
      switch self {
      case .mapped, .divided, .shared: break
      case .copied:
        let columns = try store.columns(of: "ZPAGE")
        #expect(columns == ["Z_PK", "Z_ENT", "Z_OPT", "ZHEADING", "ZWEIGHT"])
        #expect(try store.rows("SELECT DISTINCT Z_ENT, ZWEIGHT FROM ZPAGE") == [[2, 3]])
        let counts = try store.rows("SELECT count(*), count(ZHEADING) > 200 FROM ZPAGE")
        #expect(counts == [[250, 1]])
      case .rebuiltHistory, .copiedHistory:
        // Marks were number 1 and notes 2; notes are number 3.
        #expect(
          try store.rows("SELECT * FROM ACHANGE WHERE Z_PK < 54") == [
            [51, 16001, 1, 0, 3, 51, 51, nil, nil, nil],
            [52, 16001, 1, 1, 3, 52, 52, [0x60], nil, nil],
            [53, 16001, 1, 2, 3, 53, 53, nil, nil, "title 53"],
          ]
        )
        #expect(try store.rows("SELECT count(*) FROM ATRANSACTION") == [[200]])
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `after a kill behind any durable step the same bytes come out`(kind: Kind) throws {
    let migration = try kind.migration()
    let steps = try migration.steps("run")
    try kind.expect(StoreFile(migration.program.directory.path("Big.sqlite")))
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(steps >= kind.leastSteps)
    for failpoint in (1...steps).map({ "step:\($0)" }) + (kind == .copied ? ["copied:0"] : []) {
      #expect(try migration.isKilled(at: failpoint))
      #expect(try migration.outcome(failpoint) == nil)
    }
  }

  @Test(arguments: [Kind.mapped, .copied])
  func `what was done before a kill is not done again`(kind: Kind) throws {
    let migration = try kind.migration()
    let steps = try migration.steps("run")
    _ = try migration.migrated()
    try #require(try migration.isKilled(at: "step:\(steps * 3 / 4)"))
    // What was not committed, and the leftovers, are its own; the rest is replayed.
    let resumed = try migration.steps("resume")
    #expect(resumed <= steps / 4 + 11, "\(resumed) of \(steps)")
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test(arguments: [Kind.mapped, .shared, .copied])
  func `one that goes on may be killed behind any step as well`(kind: Kind) throws {
    let migration = try kind.migration()
    // Behind the first checkpoint, before which there is nothing to go on with.
    var step = 12
    try #require(try migration.isKilled(at: "step:\(step)"))
    // Further and further, so that each goes on a little more than the one before.
    while try migration.isKilled(at: "step:\(step)", "resume") { step += 4 }
    #expect(try migration.migrated() == migration.undisturbed)
    #expect(try migration.isTidy())
  }

  @Test func `a changed source is noticed when a copy goes on`() throws {
    let migration = try Kind.copied.migration()
    try #require(try migration.isKilled(at: "commit:9"))
    try StoreFile(migration.program.directory.path("Source.sqlite"))
      .execute("UPDATE ZNOTE SET ZTITLE = 'changed' WHERE Z_PK = 7")
    let resumed = try migration("resume", "-q")
    #expect(resumed.status == 5, "\(resumed.errors)")
    #expect(resumed.errors.contains("has changed"), "\(resumed.errors)")
  }

  @Test(arguments: ["128M", "1G"])
  func `the memory limit makes no difference to the bytes of a copy`(limit: String) throws {
    let migration = try Kind.copied.migration()
    let run = try migration("run", "-q", "--max-memory", limit)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test(arguments: [(7, "2"), (99, "2"), (100_000, "2"), (100, "1")])
  func `neither the size of batches nor one thread changes the bytes`(
    rows: Int,
    threads: String
  )
    throws
  {
    let migration = try Kind.shared.migration()
    let run = try migration(
      ["run", "-q"],
      batchRows: rows,
      environment: ["BULKMIGRATE_THREADS": threads]
    )
    #expect(run.status == 0, "\(run.errors)")
    #expect(try migration.migrated() == migration.undisturbed)
  }
}
