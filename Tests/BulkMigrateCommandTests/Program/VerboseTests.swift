import BulkTestSupport
import Testing

@Suite("Decisions and statements", .program)
struct VerboseTests {
  private let program: Program

  init() throws { program = try Program() }

  @Test func `with -v a run tells what is decided and why, and the result is the same`() throws {
    let planned = try program(Program.plan + ["-v"])
    #expect(planned.errors.contains("--source Notes.sqlite: command line\n"), "\(planned.errors)")
    #expect(planned.errors.contains("step 1 follows from the models alone\n"))
    #expect(!planned.errors.contains("SQL "))
    let run = try program(
      ["run", "-v", "--max-memory", "300M"],
      environment: ["BULKMIGRATE_THREADS": "1"]
    ).ending(0)
    #expect(run.output.hasPrefix("New.sqlite: 3 rows, "))
    for line in [
      "--max-memory 300M: command line", "1 pass: Note", "begins in New.sqlite",
      "memory: of 300 MiB, ", "one thread: pages are written as they are made",
      "no checkpoints: 3 rows, fewer than 25,000, are as quickly written again",
    ] {
      #expect(run.errors.contains(line), "\(line) in \(run.errors)")
    }
  }

  @Test func `with -vv it also tells statements and extents, each on a line of bounded length`()
    throws
  {
    #expect(try program(Program.plan + ["-q"]).status == 0)
    let run = try program(["run"], environment: ["BULKMIGRATE_VERBOSE": "2"]).ending(0)
    var lines = run.errors.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("SQL Notes.sqlite: SELECT ") }, "\(run.errors)")
    #expect(
      lines.contains { $0.hasPrefix("SQL destination-") && $0.contains("CREATE TABLE ZNOTE") }
    )
    let migration = try LongMigration()
    lines += try migration.program("run", "-vv").errors.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("pages ") && $0.contains(" of destination-") })
    #expect(lines.allSatisfy { $0.count < 1_000 })
  }

  @Test func `checkpoints are told, and are events, and a resumed run tells where it goes on`()
    throws
  {
    let migration = try LongMigration()
    try #require(try migration.isKilled(at: "commit:3"))
    let run = try migration.program("resume", "-v", "--json", ending: 0)
    for line in [
      "a checkpoint after every ", "\ncheckpoint 5 keeps ",
      "\nresumes after checkpoint 2 in Big.sqlite.bulkmigrate, with ",
    ] { #expect(run.errors.contains(line), "\(line) in \(run.errors)") }
    #expect(run.output.contains(#""checkpoint":5,"event":"checkpoint","kind":"event","rows":"#))
    #expect(try migration.migrated() == migration.undisturbed)
  }
}
