import BulkTestSupport
import Testing

@Suite("The program, before a migration", .program)
struct PreflightCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.writeStrict(title: "uppercase($source.title)")
    _ = try program.directory.folder("temporary")
  }

  private static let words = ["preflight", "-q", "--mapping", "all.json"]

  private func preflight(
    _ words: [String] = [],
    _ variables: [String: String] = [:]
  ) throws -> ProcessRun {
    try program(Self.words + words, environment: Self.folder.merging(variables) { _, new in new })
  }

  private static let folder = ["SQLITE_TMPDIR": "temporary"]

  private func temporaryFiles() throws -> [String] { try program.names(in: "temporary") }

  @Test func `it tells what a run would leave out, and makes nothing`() throws {
    let before = try program.directory.contents()
    let run = try preflight().ending(0)
    for line in [
      "Notes.sqlite: 3 rows read, 1 finding; --on-error quarantine leaves 1 object out\n",
      "      1  Note.title  required  a run stops, or leaves them out with --on-error quarantine\n",
      "  Note 4\n  → correct the objects,",
    ] {
      #expect(run.output.contains(line), "\(run.output)")
    }
    #expect(try preflight(["--strict"]).status == 65)
    #expect(try program.directory.contents() == before)
    try program.writeStrict(title: "'none'")
    let clear = try preflight(["--strict"]).ending(0)
    #expect(clear.output.contains("3 rows read, nothing found\n"), "\(clear.output)")
  }

  @Test func `a destination that cannot be made is found`() throws {
    try program.write("", to: "New.sqlite-wal")
    let run = try preflight().ending(0)
    #expect(
      run.output.contains("New.sqlite-wal: already exists and is not overwritten\n"),
      "\(run.output)"
    )
    let mapping = try program.text(of: "all.json")
    try program.write(
      mapping.replacing("\"New.sqlite\"", with: "\"none/New.sqlite\""),
      to: "no.json"
    )
    let nowhere = try program("preflight", "--mapping", "no.json", "--json", ending: 0)
    #expect(
      nowhere.output.contains("is the destination's folder and does not exist"),
      "\(nowhere.output)"
    )
  }

  @Test func `the plan of the folder is taken where nothing else is named`() throws {
    #expect(try program("preflight").status == 66)
    #expect(try program("plan", "-q", "--mapping", "all.json").status == 0)
    let run = try program("preflight", "-q", "--json", ending: 0)
    #expect(run.output.contains(#""rejected" : 1"#), "\(run.output)")
    let named = ["preflight", "-q", "--plan", "bulkmigrate.plan.json"]
    #expect(try program(named).status == 0)
    #expect(try program(named + ["--mapping", "all.json"]).status == 64)
    try StoreFile(program.directory.path("Notes.sqlite"), keeping: program.directory)
      .execute("UPDATE ZNOTE SET ZTITLE = 'c' WHERE Z_PK = 4")
    #expect(try program("preflight", "-q").status == 5)
  }

  @Test func `a share that is none, and too little memory, are refused before anything is made`()
    throws
  {
    for share in ["0%", "101%", "1", "x%"] {
      let run = try preflight(["--sample", share]).ending(64)
      #expect(run.errors.contains("--sample: '\(share)' is not a share as 1%"), "\(run.errors)")
    }
    #expect(try preflight(["--max-memory", "4M"]).status == 7)
    #expect(try temporaryFiles() == [])
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a signal ends it, with nothing left behind`(signal: Int32, code: Int32) throws {
    let run = try program.start(Self.words, standingAt: "unmarked:0", environment: Self.folder)
    #expect(try temporaryFiles().count == 1)
    run.send(signal)
    #expect(run.goOn() == code, "\(run.errors)")
    #expect(run.errors == "warning: stopped; nothing is left behind\n")
    #expect(try temporaryFiles() == [])
  }

  @Test func `what a kill leaves is removed by the next one`() throws {
    try preflight([], ["BULKMIGRATE_FAILPOINT": "step:5"]).ending(-9)
    #expect(try temporaryFiles().count == 1)
    #expect(try preflight().status == 0)
    #expect(try temporaryFiles() == [])
  }
}
