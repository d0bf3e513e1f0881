import BulkTestSupport
import Foundation
import Testing

@Suite(
  "Settings of a file and of the environment",
  .tags(.promise10),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct ConfigurationCommandTests {
  private let program: Program

  init() throws { program = try Program() }

  private func write(_ text: String, to name: String = "bulkmigrate.config.json") throws {
    try program.write(text, to: name)
  }

  private static let settings = """
    {
      "bulkmigrate": "config/1",
      "options": { "destination-model": "v2.mom" },
      "commands": {
        "plan": { "source": "Notes.sqlite", "destination": "New.sqlite", "output": "notes.json" },
        "run": { "plan": "notes.json", "max-memory": "300M" }
      }
    }
    """

  @Test func `a migration needs no options where a file gives them`() throws {
    try write(Self.settings)
    let planned = try program("plan", "-q")
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(try program.names(in: ".").contains("notes.json"))
    let run = try program("run")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.hasPrefix("memory limit 300 MiB\n"))
  }

  @Test func `plan shows where every setting comes from, and plans nothing`() throws {
    try write(Self.settings)
    let run = try program(
      ["plan", "--show-origin", "--destination", "Other.sqlite"],
      environment: ["BULKMIGRATE_MAX_LOSS": "none"]
    )
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    #expect(lines.contains("--destination Other.sqlite command line"))
    #expect(lines.contains("--max-loss none BULKMIGRATE_MAX_LOSS"))
    #expect(lines.contains("--source Notes.sqlite bulkmigrate.config.json:5:25"))
    #expect(lines.contains("--destination-model v2.mom bulkmigrate.config.json:3:37"))
    #expect(lines.contains("--exact - default"))
    #expect(lines.contains("--output notes.json bulkmigrate.config.json:5:80"))
    #expect(try !program.names(in: ".").contains("notes.json"))
    let json = try program("plan", "--show-origin", "--json")
    #expect(json.output.contains(#""bulkmigrate" : "settings/1""#))
    #expect(json.output.contains(#""origin" : "file""#))
  }

  @Test func `an unknown key ends everything, and another file or none is taken instead`() throws {
    try write("{\n  \"bulkmigrate\": \"config/1\",\n  \"options\": { \"max-memroy\": \"1G\" }\n}")
    let before = try program.names(in: ".")
    let run = try program(Program.plan)
    #expect(run.status == 65)
    #expect(
      run.errors
        == "bulkmigrate: bulkmigrate.config.json:3:16: unknown option \"max-memroy\"; did you mean \"max-memory\"?\n"
    )
    #expect(try program.names(in: ".") == before)
    #expect(try program(Program.plan + ["-q", "--config", "none"]).status == 0)
    #expect(try program(["run", "-q"], environment: ["BULKMIGRATE_CONFIG": "none"]).status == 0)
  }

  @Test(
    arguments: [
      "help", "--help", "help help", "help run", "help --man run", "help config", "--version",
      "run --help", "fleet --help", "fleet run -h", "fleet help run",
    ]
  )
  func `whatever is wrong with the file, help and version are told`(line: String) throws {
    let words = line.split(separator: " ").map(String.init)
    let told = try program.failure(words)
    #expect(told.status == 0)
    try write("{ \"bulkmigrate\": \"config/1\", \"options\": { \"nonsense\": 1 } }")
    #expect(try program.failure(words) == told)
    try write("{")
    #expect(try program.failure(words) == told)
    #expect(try program("status").status == 65)
  }

  @Test(.enabled(if: geteuid() == 0, "skips because only the superuser can give files away"))
  func `a file of another user is not obeyed unless it is named`() throws {
    try write(Self.settings)
    try FileManager.default.setAttributes(
      [.ownerAccountID: 65_534],
      ofItemAtPath: program.directory.path("bulkmigrate.config.json")
    )
    let run = try program("plan", "-q")
    #expect(run.status == 65)
    #expect(
      run.errors
        == "bulkmigrate: bulkmigrate.config.json belongs to another user, so it is not obeyed; name it with --config "
        + "to use it, or pass --config none\n"
    )
    #expect(try program("plan", "-q", "--config", "bulkmigrate.config.json").status == 0)
  }

  @Test func `the schema is that of the commands`() throws {
    let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Plans/schemas/config.schema.json")
    let text = try String(contentsOf: schema, encoding: .utf8)
    let run = try program("help", "--schema", "config")
    #expect(run.output == text, "make it anew: bulkmigrate help --schema config")
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    #expect(!text.contains(#""stage-in""#))
  }

  @Test func `topics have manual pages`() throws {
    for (topic, section) in [("config", 5), ("exit-codes", 7), ("expressions", 7), ("help", 1)] {
      let page = try program("help", "--man", topic).output
      let name = topic.uppercased().replacing("-", with: "\\-")
      #expect(page.hasPrefix(".TH \"BULKMIGRATE\\-\(name)\" \"\(section)\""), "\(page.prefix(60))")
    }
    let fleet = try program("help", "--man", "fleet", "run").output
    #expect(fleet.hasPrefix(".TH \"BULKMIGRATE\\-FLEET\\-RUN\" \"1\""))
  }
}
