import BulkTestSupport
import Foundation
import Testing

/// What the program answers where something else was meant, and what is to be typed instead.
@Suite(
  "Advice",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct AdviceTests {
  private static let demo = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Plans/demo").path

  private let program: Program

  init() throws {
    program = try Program()
    let made = try program.shell(
      """
      rm -rf ./* && cp -R '\(Self.demo)/.' . \\
        && "$0" fixture -q --model Notes.xcdatamodeld/Notes.xcdatamodel --rows Note=30,Folder=3,Tag=3 \\
          -o Notes.sqlite >/dev/null \\
        && "$0" plan -q --mapping notes.json >/dev/null
      """
    )
    try #require(made.status == 0, "\(made.errors)")
  }

  @Test(arguments: [
    (
      ["inspect", "bulkmigrate.plan.json"], 65,
      "bulkmigrate.plan.json is a plan; to read it, type: bulkmigrate show bulkmigrate.plan.json\n"
    ),
    (["report", "none"], 66, "there is no state directory and no plan none\n"),
    (["plan", "--diff", "none.json"], 66, "there is no plan none.json\n"),
    (["show", "none.json"], 66, "there is no plan none.json\n"),
    (
      ["report", "Notes.sqlite"], 65,
      "Notes.sqlite is not a plan that can be run: it is a store; bulkmigrate plan --source makes a plan for one\n"
    ),
    (
      ["show", "Notes.xcdatamodeld/Notes.xcdatamodel/contents"], 65,
      "Notes.xcdatamodeld/Notes.xcdatamodel/contents is not a plan that can be run: it is not JSON\n"
    ),
    (
      ["throttle", "fast"], 64,
      "RATE: 'fast' is neither a rate of 1K or more, as in 50M nor off\nsee: bulkmigrate help throttle\n"
    ),
    (
      ["throttle", "25%"], 64,
      "RATE: '25%' is neither a rate of 1K or more, as in 50M nor off\nsee: bulkmigrate help throttle\n"
    ),
    (
      ["status", "--state-dir", "nowhere"], 66,
      "there is no folder nowhere; a migration that is done has removed its own, and one that has not begun has none\n"
    ),
    (
      ["run", "--threads", "8"], 64,
      "--threads: '8' is not a number of threads: there are 1 or 2\nsee: bulkmigrate help run\n"
    ),
    (
      ["plan", "Notes.sqlite"], 64,
      "superfluous operand 'Notes.sqlite'; did you mean --source Notes.sqlite?\nsee: bulkmigrate help plan\n"
    ),
    (
      ["run", "my plan.json"], 64,
      "superfluous operand 'my plan.json'; did you mean --plan 'my plan.json'?\nsee: bulkmigrate help run\n"
    ),
    (["apply"], 64, "unknown command 'apply'; did you mean run?\nsee: bulkmigrate help\n"),
    (
      ["version"], 64, "unknown command 'version'; did you mean --version?\nsee: bulkmigrate help\n"
    ),
    (["-V"], 64, "unknown option -V; did you mean --version?\nsee: bulkmigrate help\n"),
    (
      ["--dry-run"], 64,
      "unknown option --dry-run; did you mean preflight?\nsee: bulkmigrate help\n"
    ),
  ])
  func `a command that means something else is answered with that`(
    words: [String],
    status: Int32,
    message: String
  ) throws {
    let run = try program.failure(words)
    #expect(run == Failure(status: status, errors: "bulkmigrate: \(message)"))
  }

  @Test func `a plan is shown again as it was shown`() throws {
    let planned = try program("plan", "--mapping", "notes.json")
    let shown = try program("show")
    #expect(shown.status == 0)
    // The least memory contains what the process holds at its beginning.
    let lines = [planned, shown].map { run in
      run.output.split(separator: "\n").filter { !$0.hasPrefix("memory ") }
    }
    #expect(lines[0] == lines[1])
    #expect(lines[1].contains("  + Label      3  made from Tag"))
    #expect(
      lines[1].last == "5 entities: 1 changed, 2 made, 1 removed, 1 copied; nothing is lost"
    )
    #expect(try program("plan", "-q", "--mapping", "notes.json").output == "")
    #expect(
      try program("show", "--entity", "Tag").output == """
        pass 1 of 3, Tag: 1 made; 6 rows, about 269 bytes, about 0.1s
            ENTITY  ROWS  CHANGE
          + Label      3  made from Tag

        """
    )
    #expect(
      try program.failure(["show", "--entity", "Lable"]).errors.hasPrefix(
        "bulkmigrate: the plan has no entity Lable; did you mean Label?\n"
      )
    )
    #expect(try program("show", "--explain").output.contains("pass 1"))
  }

  @Test func `what is done does not wait or go on, and what is not made is not verified`() throws {
    let early = try program.failure(["verify"])
    #expect(
      early
        == Failure(
          status: 66,
          errors: "bulkmigrate: DIR/Notes-v2.sqlite is not there; bulkmigrate run makes it\n"
        )
    )
    try #require(try program("run", "-q").status == 0)
    let done =
      "bulkmigrate: the migration is done: DIR/Notes-v2.sqlite is whole, and nothing works on it\n"
    for command in ["pause", "resume"] {
      #expect(try program.failure([command]) == Failure(status: 66, errors: done))
    }
  }

  @Test(arguments: [
    (
      "upper:($source.title)", 65,
      "all.json:18:19: error: entity mapping NoteToNote, attribute title: unknown function upper:; did you mean uppercase:?\n"
    ),
    (
      "uppercase:(title)", 0,
      """
      all.json: warning: entity mapping NoteToNote, attribute title: title stands alone, and is read as $source.title; \
      better write that
      all.json: warning: entity mapping Setting: all objects of Setting are removed

      """
    ),
  ])
  func `an expression that means something else is told what`(
    expression: String,
    status: Int32,
    output: String
  ) throws {
    let text = try String(contentsOfFile: program.directory.path("notes.json"), encoding: .utf8)
    try text.replacing("uppercase:($source.title)", with: expression)
      .write(toFile: program.directory.path("all.json"), atomically: true, encoding: .utf8)
    let run = try program("mapping", "--check", "all.json")
    #expect(run.output == output)
    #expect(run.status == status)
  }
}
