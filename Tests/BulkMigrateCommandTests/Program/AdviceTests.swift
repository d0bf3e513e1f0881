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
    (["report", "none"], 66, "none: no such state directory or plan\n"),
    (["plan", "--diff", "none.json"], 66, "none.json: no such file\n"),
    (["show", "none.json"], 66, "none.json: no such file\n"),
    (
      ["report", "Notes.sqlite"], 65,
      "Notes.sqlite is not a plan that can be run: it is a store; bulkmigrate plan --source makes a plan for one\n"
    ),
    (
      ["show", "Notes.xcdatamodeld/Notes.xcdatamodel/contents"], 65,
      "Notes.xcdatamodeld/Notes.xcdatamodel/contents is not a plan that can be run: it is not JSON: 1:1: expected a value, found '<'\n"
    ),
    (
      ["run", "--plan", "notes.json"], 65,
      "notes.json is not a plan that can be run: its format is mapping/1, not plan/1\n"
    ),
    (
      ["throttle", "fast"], 64,
      "RATE: 'fast' is neither a rate such as 50M nor off\nsee: bulkmigrate help throttle\n"
    ),
    (
      ["throttle", "25%"], 64,
      "RATE: '25%' is neither a rate such as 50M nor off\nsee: bulkmigrate help throttle\n"
    ),
    (
      ["throttle", "50"], 64,
      "RATE: '50' has no unit and would be 50 bytes; try 50M\nsee: bulkmigrate help throttle\n"
    ),
    (
      ["preflight", "Notes.sqlite"], 64,
      "superfluous operand 'Notes.sqlite'; did you mean --source Notes.sqlite?\nsee: bulkmigrate help preflight\n"
    ),
    (
      ["plan", "--mapping", "notes.json", "--entity", "Lable", "--output", "other.json"], 64,
      "the plan has no entity Lable; did you mean Label?\nsee: bulkmigrate help plan\n"
    ),
    (
      ["status", "--state-dir", "nowhere"], 66,
      "nowhere: no such folder; a migration removes its own when it is done\n"
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
    #expect(try !program.directory.contents().contains("other.json"))
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
    let tag = try program("show", "--entity", "Tag").output
    #expect(
      tag == """
        pass 1 of 3, Tag: 1 made; 6 rows, about 275 bytes, about 0.1s
            ENTITY  ROWS  CHANGE
          + Label      3  made from Tag

        """
    )
    #expect(
      try program.failure(["show", "--entity", "Lable"]).errors.hasPrefix(
        "bulkmigrate: the plan has no entity Lable; did you mean Label?\n"
      )
    )
    #expect(try program("show", "--entity", "Note", "--json").status == 64)
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
    try write(mapping(expression), to: "all.json")
    let run = try program("mapping", "--check", "all.json")
    #expect(run.output == output)
    #expect(run.status == status)
  }

  private func write(_ text: String, to name: String) throws {
    try text.write(toFile: program.directory.path(name), atomically: true, encoding: .utf8)
  }

  private func mapping(_ title: String, _ besides: String = "") throws -> String {
    try String(contentsOfFile: program.directory.path("notes.json"), encoding: .utf8)
      .replacing(
        "\"title\": \"uppercase:($source.title)\"",
        with: "\"title\": \"\(title)\"\(besides)"
      )
  }

  @Test func `migrate, which leaves nothing out, does not advise to`() throws {
    let failing = #", "stars": "$source.stars / ($source.stars - $source.stars)""#
    try write(mapping("uppercase:($source.title)", failing), to: "all.json")
    let words = ["--mapping", "all.json", "--max-loss", "all"]
    let made = try program(
      ["migrate", "Notes.sqlite", "--destination-model", "Notes.xcdatamodeld/Notes v2.xcdatamodel"]
        + words
    )
    #expect(made.status == 65)
    #expect(made.errors.contains("30 values cannot be computed; no destination was made:\n"))
    #expect(!made.errors.contains("--on-error"))
    #expect(try !program("status", "--store", "Notes.sqlite").output.contains("--on-error"))
    try #require(try program("plan", "-q", "--mapping", "all.json").status == 0)
    let run = try program("run", "-q")
    #expect(run.status == 65)
    #expect(
      run.errors.hasSuffix(
        "\nbulkmigrate: to leave such objects out, and keep them beside the destination, repeat it with --on-error quarantine\n"
      )
    )
  }

  @Test(arguments: ["", ", \"hooks\": [\"createDestinationInstances\"]"])
  func `an answer of a function that is wrong is told with one line`(hooks: String) throws {
    try write(
      mapping(#"FUNCTION($entityPolicy, \"shout:\", $source.title)"#).replacing(
        "\"destination\": \"Note\",",
        with: "\"destination\": \"Note\", \"policy\": \"Loud\","
      ),
      to: "all.json"
    )
    try write(
      """
      import json, sys
      for line in sys.stdin:
          request = json.loads(line)
          answer = {"id": request["id"]}
          if request["hook"] == "start":
              answer |= {"bulkmigrate": "policy/1", "functions": ["shout:"]\(hooks)}
          elif request["hook"] == "function":
              answer["valeu"] = "x"
          else:
              answer["objects"] = [None for row in request["rows"]]
          print(json.dumps(answer), flush=True)
      """,
      to: "loud.py"
    )
    let policy = ["--policy", "Loud=python3 loud.py"]
    try #require(try program(["plan", "-q", "--mapping", "all.json"] + policy).status == 0)
    let run = try program(["run", "-q", "--max-loss", "all"] + policy)
    #expect(run.status == 65)
    #expect(
      run.errors.contains(
        #/Note 1: line [1-9] of its program's output: it has a member "valeu", /#
      ),
      "\(run.errors)"
    )
  }
}
