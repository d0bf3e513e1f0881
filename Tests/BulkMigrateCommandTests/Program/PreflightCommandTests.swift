import BulkModel
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "The program, before a migration",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct PreflightCommandTests {
  private let program: Program

  /// The third note has no title, which another model requires.
  init() throws {
    program = try Program()
    try TestStore.write(
      .of(EntityDescription("Note", [.required("title")])),
      to: program.directory.path("strict.mom")
    )
    try program.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "store": "Notes.sqlite", "model": "v1.mom" },
        "destination": { "store": "New.sqlite", "model": "strict.mom" },
        "entityMappings": [
        { "source": "Note", "destination": "Note",
          "attributes": { "title": "uppercase($source.title)" } } ] }
      """,
      to: "all.json"
    )
    _ = try program.directory.folder("temporary")
  }

  private static let words = ["preflight", "-q", "--mapping", "all.json", "--tmp-dir", "temporary"]

  @Test func `it tells what a run would leave out, and makes nothing`() throws {
    let before = try program.directory.contents()
    let run = try program(Self.words)
    #expect(run.status == 0, "\(run.errors)")
    let folder = program.directory.path
    #expect(
      run.output.hasPrefix(
        """
        \(folder)/Notes.sqlite: 3 rows read, 1 finding; --on-error quarantine leaves 1 object out

          COUNT  OF          RULE      WHAT HAPPENS
              1  Note.title  required  a run stops, or leaves them out with --on-error quarantine

        Note.title: required
          Note 4
          → correct the objects, give another value in the mapping, or run with --on-error quarantine

        room  about 
        """
      ),
      "\(run.output)"
    )
    #expect(try program.directory.contents() == before)
  }

  @Test func `it ends with 65 where something must not be found`() throws {
    #expect(try program(Self.words + ["--strict"]).status == 65)
    try program.write(
      try String(contentsOfFile: program.directory.path("all.json"), encoding: .utf8)
        .replacingOccurrences(of: "uppercase($source.title)", with: "'none'"),
      to: "all.json"
    )
    let clear = try program(Self.words + ["--strict"])
    #expect(clear.status == 0)
    #expect(clear.output.contains("3 rows read, nothing found\n"), "\(clear.output)")
  }

  @Test func `a destination that cannot be made is found`() throws {
    try program.write("", to: "New.sqlite-wal")
    let run = try program(Self.words)
    #expect(run.status == 0)
    #expect(
      run.output.contains("New.sqlite-wal: already exists and is not overwritten\n"),
      "\(run.output)"
    )
    #expect(try program(Self.words + ["--strict"]).status == 65)
    let nowhere = try program(Self.words + ["--json", "--destination", "none/New.sqlite"])
    #expect(nowhere.status == 0, "\(nowhere.errors)")
    #expect(
      nowhere.output.contains("is the destination's folder and does not exist"),
      "\(nowhere.output)"
    )
  }

  @Test func `the plan of the folder is taken where nothing else is named`() throws {
    #expect(try program("preflight").status == 66)
    #expect(try program("plan", "-q", "--mapping", "all.json").status == 0)
    let run = try program("preflight", "-q", "--json", "--tmp-dir", "temporary")
    #expect(run.status == 0)
    #expect(run.output.contains(#""rejected" : 1"#), "\(run.output)")
    #expect(try program("preflight", "--plan", "bulkmigrate.plan.json", "-q").status == 0)
    let both = try program("preflight", "--plan", "bulkmigrate.plan.json", "--mapping", "all.json")
    #expect(both.status == 64)
    try StoreFile(program.directory.path("Notes.sqlite"), keeping: program.directory)
      .execute("UPDATE ZNOTE SET ZTITLE = 'c' WHERE Z_PK = 4")
    #expect(try program("preflight", "-q").status == 5)
  }

  @Test(arguments: ["0%", "101%", "1", "x%"]) func `a share is above 0 and at most 100 %`(
    share: String
  ) throws {
    let run = try program(Self.words + ["--sample", share])
    #expect(run.status == 64)
    #expect(
      run.errors.contains("--sample: '\(share)' is not a share as 1%, above 0% and at most 100%"),
      "\(run.errors)"
    )
  }

  @Test func `too little memory is refused before anything is made`() throws {
    let run = try program(Self.words + ["--max-memory", "4M"])
    #expect(run.status == 7)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  private var folder: String { program.directory.path("temporary") }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a signal ends it, with nothing left behind`(signal: Int32, code: Int32) throws {
    let run = try program.start(Self.words, standingAt: "unmarked:0")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    run.send(signal)
    #expect(run.goOn() == code, "\(run.errors)")
    #expect(run.errors == "warning: stopped; nothing is left behind\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func `what a kill leaves is removed by the next one`() throws {
    let killed = try program(Self.words, environment: ["BULKMIGRATE_FAILPOINT": "step:5"])
    #expect(killed.status == -9)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    #expect(try program(Self.words).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }
}
