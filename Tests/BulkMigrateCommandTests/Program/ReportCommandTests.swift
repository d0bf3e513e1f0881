import BulkTestSupport
import Foundation
import Testing

@Suite(
  "Reports",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct ReportCommandTests {
  private let program: Program

  init() throws { program = try Program() }

  private func page(_ name: String) throws -> String {
    try String(contentsOfFile: program.directory.path(name), encoding: .utf8)
  }

  @Test func `a plan has a report before it is run, and a run one at its end`() throws {
    try #require(try program(Program.plan).status == 0)
    let planned = try program("report")
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(planned.output == "report written to bulkmigrate.report.html\n")
    #expect(try page("bulkmigrate.report.html").contains(">planned</strong>"))
    let run = try program("run", "-q", "--report", "run.html")
    #expect(run.status == 0, "\(run.errors)")
    let done = try page("run.html")
    #expect(done.contains(">done</strong>"))
    #expect(done.contains("bulkmigrate run -q --report run.html"))
    #expect(try program("report", "-o", "-").output.contains(">done</strong>"))
  }

  @Test func `a report replaces a report, and nothing else`() throws {
    try #require(try program(Program.plan).status == 0)
    #expect(try program("report", "-o", "r.html").status == 0)
    #expect(try program("report", "-o", "r.html").status == 0)
    try program.write("mine", to: "mine.html")
    let refusal =
      "bulkmigrate: mine.html cannot be made: it exists and is not a report, so it is not "
      + "overwritten; name another file\n"
    for words in [["report", "-o", "mine.html"], ["run", "-q", "--report", "mine.html"]] {
      #expect(try program.failure(words) == Failure(status: 73, errors: refusal))
    }
    #expect(try page("mine.html") == "mine")
    #expect(try !program.directory.contents().contains("New.sqlite"))
  }

  @Test func `a file that cannot be made is refused before anything is done`() throws {
    try #require(try program(Program.plan).status == 0)
    #expect(
      try program.failure(["run", "-q", "--report", "none/r.html"])
        == Failure(
          status: 73,
          errors: "bulkmigrate: none/r.html cannot be made: its folder does not exist\n"
        )
    )
    #expect(try !program.directory.contents().contains("New.sqlite"))
  }

  @Test func `what is no state directory, and no plan, is refused`() throws {
    try program.write("x", to: "folder/x")
    #expect(
      try program.failure(["report", "folder"])
        == Failure(
          status: 65,
          errors:
            "bulkmigrate: folder is not a state directory of a migration; name one, or a plan\n"
        )
    )
    #expect(try program.failure(["report", "missing.json"]).status == 66)
    #expect(try program.failure(["report", "Notes.sqlite"]).status == 65)
  }

  @Test func `a migration that was killed twice tells of both interruptions`() throws {
    let migration = try LongMigration()
    let program = migration.program
    #expect(try migration.killed(at: "commit:2", ["run", "-q", "--max-memory", "128M"]))
    let half = try program("report", "Big.sqlite.bulkmigrate", "-o", "half.html")
    #expect(half.status == 0, "\(half.errors)")
    let page = try String(contentsOfFile: program.directory.path("half.html"), encoding: .utf8)
    #expect(page.contains(">interrupted</strong>"))
    #expect(page.contains("bulkmigrate run -q --max-memory 128M"))
    #expect(try migration.killed(at: "commit:4", ["resume", "-q"]))
    let run = try program("resume", "-q", "--report", "end.html")
    #expect(run.status == 0, "\(run.errors)")
    let end = try String(contentsOfFile: program.directory.path("end.html"), encoding: .utf8)
    #expect(end.contains(">done</strong>"))
    #expect(end.contains("<dt>Attempts</dt><dd>3</dd>"))
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `checkpoints that are all damaged leave the plan, and a warning`() throws {
    let migration = try LongMigration()
    let program = migration.program
    #expect(try migration.killed(at: "commit:2", ["run", "-q"]))
    for name in try program.names(in: "Big.sqlite.bulkmigrate") where name.hasPrefix("checkpoint-")
    {
      try program.write("damaged", to: "Big.sqlite.bulkmigrate/\(name)")
    }
    let run = try program("report", "Big.sqlite.bulkmigrate", "-o", "r.html")
    #expect(run.status == 0)
    #expect(run.errors.hasPrefix("warning: no checkpoint in Big.sqlite.bulkmigrate can be used"))
    try FileManager.default.removeItem(
      atPath: program.directory.path("Big.sqlite.bulkmigrate/plan.json")
    )
    #expect(try program.failure(["report", "Big.sqlite.bulkmigrate"]).status == 66)
  }
}

@Suite(
  "Events",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct EventTests {
  private let program: Program

  init() throws { program = try Program() }

  /// The events of a text, each with its kind.
  private func kinds(_ text: String) throws -> [String] {
    try text.split(separator: "\n").map { line in
      let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(event?["bulkmigrate"] as? String == "event/1")
      return try #require(event?["event"] as? String)
    }
  }

  @Test func `a run tells its events, a line of JSON each, the result last`() throws {
    try #require(try program(Program.plan).status == 0)
    let run = try program("run", "-q", "--events", "-")
    #expect(run.status == 0, "\(run.errors)")
    let found = try kinds(run.output)
    #expect(found.first == "plan" && found.last == "result")
    #expect(found.contains("stage") && found.contains("batch"))
    #expect(run.output.contains(#""exitCode":0,"outcome":"done","rows":3,"#) || found.count > 2)
  }

  @Test func `events of a second attempt follow those of the first`() throws {
    try #require(try program(Program.plan).status == 0)
    #expect(try program("run", "-q", "--events", "e.ndjson").status == 0)
    #expect(try program("run", "-q", "--events", "e.ndjson").status == 73)
    let text = try String(contentsOfFile: program.directory.path("e.ndjson"), encoding: .utf8)
    let found = try kinds(text)
    #expect(found.filter { $0 == "result" }.count == 2)
    #expect(text.contains("already exists and is not overwritten"))
  }

  @Test func `events that cannot be written are refused before anything is done`() throws {
    try #require(try program(Program.plan).status == 0)
    #expect(
      try program.failure(["run", "-q", "--events", "none/e.ndjson"])
        == Failure(
          status: 73,
          errors: "bulkmigrate: none/e.ndjson cannot be made: its folder does not exist\n"
        )
    )
    #expect(try program("run", "--json", "--events", "-").status == 64)
    #expect(try !program.directory.contents().contains("New.sqlite"))
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "skips without /dev/full")
  )
  func `a full disk ends the events, not the migration`() throws {
    try #require(try program(Program.plan).status == 0)
    let run = try program("run", "-q", "--events", "/dev/full")
    #expect(run.status == 0)
    #expect(run.errors.hasPrefix("warning: no more events are written to /dev/full: "))
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test func `watching ends where nobody works`() throws {
    try #require(try program(Program.plan).status == 0)
    let run = try program("status", "--watch")
    #expect(run.status == 0)
    #expect(run.output.contains("no migration is under way"))
    #expect(run.errors == "")
  }
}
