import BulkTestSupport
import Testing

/// What the program says can be typed next.
@Suite("Next steps", .program)
struct NextStepTests {
  private let program: Program
  private static let named = ["--plan", "my plan.json"]

  init() throws {
    program = try Program()
    try #require(try program(Program.plan + ["--output", "my plan.json"]).status == 0)
  }

  @Test func `they name the plan that was named, and a program of another name`() throws {
    let before = try program("status", "my plan.json").output
    #expect(before.contains("state        no migration is under way\n"))
    #expect(before.hasSuffix("next         bulkmigrate run --plan 'my plan.json'\n"))
    #expect(try program.isKilled(at: "published:0", "run", "-q", "--plan", "my plan.json"))
    let refused = try program(["run", "-q"] + Self.named)
    #expect(
      refused.errors.hasSuffix(
        "New.sqlite.bulkmigrate; continue with bulkmigrate resume --plan 'my plan.json', or start over with "
          + "bulkmigrate run --restart --plan 'my plan.json'\n"
      )
    )
    let other = program.directory.path("notesmigrate")
    try FileManager.default.createSymbolicLink(
      atPath: other,
      withDestinationPath: Program.path ?? "/nowhere"
    )
    let words = ["run", "-q"] + Self.named
    let run = try ProcessRun(other, words, in: program.directory.path).ending(73)
    #expect(run.errors.hasPrefix("notesmigrate: an interrupted migration is in "))
    #expect(run.errors.contains("continue with notesmigrate resume --plan 'my plan.json', or"))
    let status = try program("status", "my plan.json")
    #expect(status.output.contains("next         bulkmigrate resume --plan 'my plan.json'\n"))
    #expect(try program(["resume", "-q"] + Self.named).status == 0)
  }

  @Test func `they name the state directory that was named`() throws {
    #expect(
      try program.isKilled(
        at: "published:0",
        "run",
        "-q",
        "--plan",
        "my plan.json",
        "--state-dir",
        "S"
      )
    )
    #expect(try program("resume", "-q", "--state-dir", "S", "--max-memory", "1M").status == 7)
    let status = try program("status", "S")
    #expect(status.output.contains("next         bulkmigrate resume --state-dir S\n"))
    #expect(try program("resume", "-q", "--state-dir", "S").status == 0)
  }

  @Test func `after the end there is none`() throws {
    #expect(try program(["run", "-q"] + Self.named).status == 0)
    let after = try program("status", "my plan.json").output
    #expect(after.hasPrefix("state        done\n"))
    #expect(!after.contains("next "))
    #expect(try program("status", "--json", "my plan.json").output.contains("\"state\" : \"done\""))
  }

  @Test func `migrate says that the same command goes on`() throws {
    let words = "migrate -q Notes.sqlite --destination-model v2.mom"
    let run = try program.shell("ulimit -f 4; exec \"$0\" \(words)").ending(74)
    #expect(
      run.errors.hasSuffix("free some space, and the same command continues\n"),
      "\(run.errors)"
    )
    #expect(try program(words.words).status == 0)
  }
}
