#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// What the program says can be typed next.
@Suite(
  "Next steps",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct NextStepTests {
  private let program: Program
  private var path: String { program.directory.path }

  init() throws {
    program = try Program()
    try #require(try program(Program.plan + ["--output", "my plan.json"]).status == 0)
  }

  private func killed(_ words: [String], at place: String = "published:0") throws -> Bool {
    try program(words, environment: ["BULKMIGRATE_FAILPOINT": place]).status == -9
  }

  @Test func `they name the plan that was named`() throws {
    #expect(try killed(["run", "-q", "--plan", "my plan.json"]))
    let refused = try program("run", "-q", "--plan", "my plan.json")
    #expect(
      refused.errors
        == "bulkmigrate: an interrupted migration is in \(path)/New.sqlite.bulkmigrate; continue with "
        + "bulkmigrate resume --plan 'my plan.json', or start over with bulkmigrate run --restart --plan "
        + "'my plan.json'\n"
    )
    let status = try program("status", "--plan", "my plan.json")
    #expect(status.output.contains("next         bulkmigrate resume --plan 'my plan.json'\n"))
    #expect(try program("resume", "-q", "--plan", "my plan.json").status == 0)
  }

  @Test func `they name the state directory that was named`() throws {
    #expect(try killed(["run", "-q", "--plan", "my plan.json", "--state-dir", "S"]))
    let failure = try program("resume", "-q", "--state-dir", "S", "--max-memory", "1M")
    #expect(failure.status == 7)
    let status = try program("status", "--state-dir", "S")
    #expect(status.output.contains("next         bulkmigrate resume --state-dir S\n"))
    #expect(try program("resume", "-q", "--state-dir", "S").status == 0)
  }

  @Test func `status tells of the end, with a receipt and without`() throws {
    let before = try program("status", "--plan", "my plan.json")
    #expect(
      before.output
        == """
        state        no migration is under way
        source       \(path)/Notes.sqlite
        destination  \(path)/New.sqlite
        next         bulkmigrate run --plan 'my plan.json'

        """
    )
    #expect(try program("run", "-q", "--plan", "my plan.json").status == 0)
    let after = try program("status", "--plan", "my plan.json")
    #expect(
      after.output
        == """
        state        done
        source       \(path)/Notes.sqlite
        destination  \(path)/New.sqlite

        """
    )
    let report = try program("status", "--plan", "my plan.json", "--json")
    #expect(report.output.contains("\"state\" : \"done\""))
  }

  @Test func `migrate says that the same command goes on`() throws {
    let words = ["migrate", "-q", "Notes.sqlite", "--destination-model", "v2.mom"]
    let run = try program.shell("ulimit -f 4; exec \"$0\" \(words.joined(separator: " "))")
    #expect(run.status == 74)
    #expect(
      run.errors.hasSuffix("free some space, and the same command continues\n"),
      "\(run.errors)"
    )
    #expect(try program(words).status == 0)
  }

  @Test func `a program of another name speaks of itself`() throws {
    let other = program.directory.path("notesmigrate")
    try FileManager.default.createSymbolicLink(
      atPath: other,
      withDestinationPath: Program.path ?? "/nowhere"
    )
    #expect(try killed(["run", "-q", "--plan", "my plan.json"]))
    let run = try ProcessRun(other, ["run", "-q", "--plan", "my plan.json"], in: path)
    #expect(run.status == 73)
    #expect(run.errors.hasPrefix("notesmigrate: an interrupted migration is in "))
    #expect(run.errors.contains("continue with notesmigrate resume --plan 'my plan.json', or"))
  }
}
#endif
