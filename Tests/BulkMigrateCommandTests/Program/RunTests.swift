import BulkPlatform
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "The program at work",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct RunTests {
  private let program: Program

  init() throws { program = try Program() }

  @Test func `a plan is made and run`() throws {
    #expect(try program(Program.plan).status == 0)
    let run = try program("run", "-q")
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.hasPrefix("\(program.directory.path)/New.sqlite: 3 rows, "))
    #expect(
      try program.migrated.rows(of: "ZNOTE")
        == [[1, 1, 1, 3, "a"], [2, 1, 1, 3, "b"], [4, 1, 1, 3, nil]]
    )
    #expect(
      try program.directory.contents()
        == ["New.sqlite", "Notes.sqlite", "bulkmigrate.plan.json", "v1.mom", "v2.mom"]
    )
  }

  @Test func `a plan says at most where a filter may leave rows out`() throws {
    let mapping = """
      { "bulkmigrate": "mapping/1", "entityMappings": [
        { "source": "Note", "destination": "Note", "filter": "title != nil",
          "attributes": { "title": "$source.title" } } ] }
      """
    try program.write(mapping, to: "all.json")
    let plan = try program(Program.plan + ["--mapping", "all.json"])
    #expect(plan.status == 0, "\(plan.errors)")
    let lines = plan.output.split(separator: "\n").filter { $0.contains("at most") }
    #expect(
      lines == [
        "pass 1 of 1: 1 changed; at most 3 rows, at most about 67 bytes, at most about 0.1s",
        "  ~ Note    at most 3  changed: only where title != nil",
        "in all       at most 3 rows, at most about 67 bytes, at most about 0.1s",
      ]
    )
    #expect(try program("run", "-q", "--max-loss", "1").status == 0)
    #expect(try program.migrated.rows(of: "ZNOTE", "Z_PK") == [[1], [2]])
  }

  @Test(
    arguments: [
      (["plan", "--source", "Notes.sqlite", "--destination", "New.sqlite"], "v2.mom", 2),
      (["plan", "--source", "Notes.sqlite", "--destination", "New.sqlite"], "v1.mom", 0),
    ] as [([String], String, Int32)]
  )
  func `the exit code tells of work only when asked`(
    words: [String],
    model: String,
    detailed: Int32
  ) throws {
    let plan = words + ["--destination-model", model]
    #expect(try program(plan).status == 0)
    #expect(try program(plan + ["--detailed-exitcode"]).status == detailed)
  }

  @Test func `nothing is run where the store fits already`() throws {
    let words = ["plan", "--source", "Notes.sqlite", "--destination", "New.sqlite"]
    #expect(try program(words + ["--destination-model", "v1.mom"]).status == 0)
    let run = try program("run", "-q")
    #expect(run.status == 0)
    #expect(run.output == "the store fits the model already: nothing was done\n")
    #expect(try program.directory.contents().contains("New.sqlite") == false)
  }

  @Test(arguments: [
    ["inspect", "Notes.sqlite"], ["inspect", "Notes.sqlite", "--metadata-only"],
    ["inspect", "v2.mom"], Program.plan, ["run"],
  ])
  func `the JSON of every command is JSON`(words: [String]) throws {
    if words == ["run"] { #expect(try program(Program.plan).status == 0) }
    let run = try program(words + ["--json"])
    #expect(run.status == 0)
    #expect(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) is [String: Any])
  }

  // MARK: Determinism

  @Test func `two plans of the same inputs are the same bytes`() throws {
    #expect(try program(Program.plan + ["--output", "first.json"]).status == 0)
    #expect(try program(Program.plan + ["--output", "second.json"]).status == 0)
    let files = try program.directory.bytes()
    #expect(files["first.json"] == files["second.json"])
    #expect(files["first.json"]?.isEmpty == false)
  }

  @Test(arguments: [["--max-memory", "64M"], ["--max-memory", "2G"], ["-m", "50%"]])
  func `two runs of a plan give the same bytes, whatever the memory`(options: [String]) throws {
    #expect(try program(Program.plan).status == 0)
    #expect(try program(["run", "-q"]).status == 0)
    let first = try #require(try program.directory.bytes()["New.sqlite"])
    try FileManager.default.removeItem(atPath: program.directory.path("New.sqlite"))
    #expect(try program(["run", "-q"] + options).status == 0)
    #expect(try program.directory.bytes()["New.sqlite"] == first)
  }

  // MARK: Kills

  @Test func `a run that is killed leaves no destination, and the one that goes on is whole`()
    throws
  {
    try StoreFile(program.directory.path("Notes.sqlite")).execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 120000)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) SELECT i, 1, 1, hex(zeroblob(200)) FROM n
      """
    )
    #expect(try program(Program.plan).status == 0)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Program.path ?? "/nowhere")
    process.arguments = ["run", "-q"]
    process.currentDirectoryURL = program.directory.url
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    // It is killed as soon as it has begun to write, long before it can be done.
    let state = program.directory.path("New.sqlite.bulkmigrate")
    while process.isRunning, try !Self.hasScratchStore(state) { sched_yield() }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)
    #expect(process.terminationStatus == SIGKILL)
    #expect(try program.directory.contents().contains("New.sqlite") == false)

    let again = try program("resume", "-q")
    #expect(again.status == 0)
    #expect(again.errors == "")
    #expect(try program.migrated.integrity() == [["ok"]])
    #expect(try program.migrated.rows("SELECT count(*) FROM ZNOTE") == [[119_994]])
    #expect(
      try program.directory.contents()
        == ["New.sqlite", "Notes.sqlite", "bulkmigrate.plan.json", "v1.mom", "v2.mom"]
    )
  }

  private static func hasScratchStore(_ folder: String) throws -> Bool {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      return false
    }
    return names.contains { $0.hasPrefix("destination-") }
  }
}
