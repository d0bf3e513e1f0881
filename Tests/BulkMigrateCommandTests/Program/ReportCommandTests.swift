import BulkTestSupport
import Testing

@Suite("Reports", .program)
struct ReportCommandTests {
  private let program: Program

  init() throws { program = try Program() }

  @Test func `a plan has a report before it is run, and a run one at its end`() throws {
    try #require(try program(Program.plan).status == 0)
    let planned = try program("report", ending: 0)
    #expect(planned.output == "report written to bulkmigrate.report.html\n")
    #expect(try program.text(of: "bulkmigrate.report.html").contains(">planned</strong>"))
    try program("run", "-q", "--report", "run.html", ending: 0)
    let done = try program.text(of: "run.html")
    #expect(done.contains(">done</strong>"))
    #expect(done.contains("bulkmigrate run -q --report run.html"))
    #expect(try program("report", "-o", "-").output.contains(">done</strong>"))
  }

  @Test func `status and report show what was verified, unless the store has changed since`() throws
  {
    try #require(try program(Program.plan).status == 0)
    try #require(try program("run", "-q", "--resume-if-started").status == 0)
    #expect(try !program("status").output.contains("verified"))
    #expect(try program("verify", "-q").status == 0)
    #expect(try program("status").output.contains("verified     quick: nothing differs\n"))
    #expect(try program("report", "-o", "-").output.contains("Verified, quick: nothing differs."))
    let record = try program("status", "--json").output
    #expect(try JSONSchema(of: "record").faults(of: Data(record.utf8)) == [])
    #expect(record.contains("\"isVerified\" : true"), "\(record)")
    try StoreFile(program.directory.path("New.sqlite")).execute(
      "UPDATE ZNOTE SET ZTITLE = 'other' WHERE Z_PK = 1"
    )
    #expect(try !program("status").output.contains("verified"))
  }

  @Test func `a report replaces a report, and nothing else`() throws {
    try #require(try program(Program.plan).status == 0)
    for _ in 1...2 { #expect(try program("report", "-o", "r.html").status == 0) }
    try program.write("mine", to: "mine.html")
    for words in [["report", "-o", "mine.html"], ["run", "-q", "--report", "mine.html"]] {
      let refused = try program(words, ending: 73)
      #expect(refused.errors.contains("cannot be made: it"), "\(refused.errors)")
    }
    #expect(try program.text(of: "mine.html") == "mine")
    #expect(try !program.directory.contents().contains("New.sqlite"))
    try program.write("x", to: "folder/x")
    for (name, status) in [("folder", 65), ("missing.json", 66), ("Notes.sqlite", 65)] {
      #expect(try program("report", name).status == Int32(status), "\(name)")
    }
  }

  @Test func `a migration that was killed twice reports both interruptions`() throws {
    let migration = try LongMigration()
    let program = migration.program
    #expect(try migration.isKilled(at: "commit:2", "run", "--max-memory", "128M"))
    try program("report", "Big.sqlite.bulkmigrate", "-o", "half.html", ending: 0)
    let page = try program.text(of: "half.html")
    #expect(page.contains(">interrupted</strong>"))
    #expect(page.contains("bulkmigrate run --max-memory 128M -q"))
    #expect(try migration.isKilled(at: "commit:4", "resume"))
    try program("resume", "-q", "--report", "end.html", ending: 0)
    let end = try program.text(of: "end.html")
    #expect(end.contains(">done</strong>"))
    #expect(end.contains("<dt>Attempts</dt><dd>3</dd>"))
    #expect(try migration.migrated() == migration.undisturbed)
  }

  @Test func `checkpoints that are all damaged leave the plan, and a warning`() throws {
    let migration = try Interrupted()
    let program = migration.program
    #expect(try migration.isKilled(at: "commit:3"))
    for path in try migration.checkpoints() { try program.write("damaged", to: path) }
    let run = try program("report", "Big.sqlite.bulkmigrate", "-o", "r.html", ending: 0)
    #expect(run.errors.hasPrefix("warning: no checkpoint in Big.sqlite.bulkmigrate can be used"))
    let record = try program("status", "--json").output
    #expect(try JSONSchema(of: "record").faults(of: Data(record.utf8)) == [])
    #expect(record.contains("\"isDamaged\" : true"))
    let status = try program("status").output
    for line in [
      "state        interrupted, and no checkpoint can be used; it starts over\n",
      "next         bulkmigrate run --restart",
    ] { #expect(status.contains(line), "\(status)") }
    program.remove("Big.sqlite.bulkmigrate/plan.json")
    #expect(try program("report", "Big.sqlite.bulkmigrate").status == 66)
  }

  @Test func `a state that nobody began to fill has a report, as far as it is known`() throws {
    let migration = try Interrupted()
    #expect(try migration.isKilled(at: "begun:0"))
    try migration.program("report", migration.state, "-o", "r.html", ending: 0)
    #expect(try migration.program.text(of: "r.html").contains("interrupted"))
    #expect(try migration("run", "-q", "--restart").status == 0)
  }
}

@Suite("Events", .program)
struct EventTests {
  private let program: Program

  init() throws { program = try Program() }

  /// The events of a text, each with its kind.
  private func kinds(_ text: String) throws -> [String] {
    try text.split(separator: "\n").map { line in
      let event = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(event?["bulkmigrate"] as? String == "record/1")
      return try #require(event?["event"] as? String)
    }
  }

  @Test func `a run prints its events, a line of JSON each, and the result last`() throws {
    try #require(try program(Program.plan).status == 0)
    let run = try program("run", "--json", ending: 0)
    var lines = run.output.split(separator: "\n")
    let ending = lines.popLast()
    let result = String(try #require(ending))
    #expect(result.contains(#""kind":"attempt""#) && result.contains(#""rows":3"#))
    let found = try kinds(lines.joined(separator: "\n"))
    #expect(found.first == "plan" && found.contains("stage") && found.contains("batch"))
    // A second attempt fails, and its last line says so.
    let again = try program("run", "--json", ending: 73)
    let last = String(again.output.split(separator: "\n").last ?? "")
    #expect(last.contains("already exists and is not overwritten"), "\(again.output)")
    #expect(try program("run", "--json", "-q").output.split(separator: "\n").count == 1)
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "skips without /dev/full")
  )
  func `a full disk ends the events, not the migration`() throws {
    try #require(try program(Program.plan).status == 0)
    try program.shell("\"$0\" run --json > /dev/full").ending(74)
    #expect(try program.directory.contents().contains("New.sqlite"))
  }

  @Test func `what is told on the way is not counted as written`() throws {
    try #require(try program(Program.plan + ["-q"]).status == 0)
    let quiet = try program("run", "--json", "-q").object(isLine: true)
    program.remove("New.sqlite")
    let run = try program("run", "--json", "-vv")
    #expect(run.errors.utf8.count > 4_000)
    let loud = try run.object(isLine: true)
    let written = try #require(quiet["bytesWritten"] as? Int)
    let both = try #require(loud["bytesWritten"] as? Int)
    // Only times of different lengths in the files of the state directory.
    #expect(abs(both - written) < 200, "\(both) \(written)")
    let size = try #require(quiet["bytes"] as? Int)
    #expect(written >= size)
  }

  @Test func `watching ends where nobody works`() throws {
    try #require(try program(Program.plan).status == 0)
    let run = try program("status", "--watch", ending: 0)
    #expect(run.output.contains("no migration is under way"))
    #expect(run.errors == "")
  }
}
