import BulkModel
import BulkTestSupport
import Foundation
import Testing

/// Every failure leaves the folder as it was: the source byte for byte, and nothing new.
///
/// Exit codes are those of the manual's page ExitCodes.
@Suite(
  "The program, given bad input",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct BadInputTests {
  private let program: Program

  init() throws { program = try Program() }

  private func expect(
    _ words: [String],
    _ status: Int32,
    _ errors: String,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try program.directory.bytes()
    let names = try program.directory.contents()
    let failure = try program.failure(words)
    #expect(failure == Failure(status: status, errors: errors), sourceLocation: location)
    #expect(try program.directory.bytes() == before, sourceLocation: location)
    #expect(try program.directory.contents() == names, sourceLocation: location)
  }

  private func planWords(
    source: String = "Notes.sqlite",
    destination: String = "New.sqlite",
    model: String = "v2.mom",
    sourceModel: String? = nil
  ) -> [String] {
    [
      "plan", "--source", source, "--destination", destination, "--destination-model", model,
    ] + (sourceModel.map { ["--source-model", $0] } ?? [])
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: program.directory.path(name)))
  }

  /// Makes a plan.
  private func plan() throws { #expect(try program(Program.plan).status == 0) }

  // MARK: Stores

  @Test(arguments: [["inspect", "no.sqlite"], ["plan"]])
  func `a store that is not there is named`(command: [String]) throws {
    let words = command == ["plan"] ? planWords(source: "no.sqlite") : command
    try expect(words, 66, "bulkmigrate: DIR/no.sqlite: no such file\n")
  }

  @Test(arguments: [
    ("Dear diary, this is no database at all.", "it is not an SQLite database"),
    ("", "it is empty"),
  ])
  func `a file that is no database is named`(text: String, reason: String) throws {
    try write(text, to: "diary.sqlite")
    let message = "bulkmigrate: DIR/diary.sqlite: \(reason)\n"
    try expect(planWords(source: "diary.sqlite"), 65, message)
    try expect(["inspect", "diary.sqlite"], 65, message)
  }

  @Test func `a folder is no store`() throws {
    try expect(planWords(source: "."), 66, "bulkmigrate: DIR: it is not a file\n")
  }

  @Test func `a database that is no store is told from one`() throws {
    try StoreFile(program.directory.path("plain.sqlite")).execute("CREATE TABLE t (x)")
    try expect(
      planWords(source: "plain.sqlite"),
      65,
      "bulkmigrate: DIR/plain.sqlite is an SQLite database but no Core Data store: "
        + "it has no table Z_METADATA\n"
    )
  }

  @Test func `a store that is cut off is named with both sizes`() throws {
    let bytes = try #require(try program.directory.bytes()["Notes.sqlite"])
    try bytes.prefix(9_000).write(to: URL(fileURLWithPath: program.directory.path("cut.sqlite")))
    try expect(
      planWords(source: "cut.sqlite"),
      65,
      "bulkmigrate: DIR/cut.sqlite: it is cut off: it has 9000 of the \(bytes.count) bytes that its "
        + "header states\n"
    )
  }

  // MARK: Models

  @Test func `a model that did not write the store is refused with the difference`() throws {
    try expect(
      planWords(sourceModel: "v2.mom"),
      65,
      """
      bulkmigrate: DIR/Notes.sqlite was not written by the model v2.mom; these entities differ:
      bulkmigrate:   Note.stars: attribute added

      """
    )
  }

  @Test func `a model that is not there is named`() throws {
    try expect(
      planWords(model: "no.mom"),
      66,
      "bulkmigrate: no.mom cannot be read: the file does not exist\n"
    )
  }

  @Test(arguments: [
    (" name=\"ti", "the XML ends before \""),
    (" name=\"title\"", "the XML does not close <attribute"),
  ])
  func `a model whose XML does not end is named with the line`(
    end: String,
    reason: String
  ) throws {
    try FileManager.default.createDirectory(
      atPath: program.directory.path("bad.xcdatamodel"),
      withIntermediateDirectories: false
    )
    try write(
      "<?xml version=\"1.0\"?>\n<model>\n  <entity name=\"Note\">\n    <attribute\(end)",
      to: "bad.xcdatamodel/contents"
    )
    try expect(
      planWords(model: "bad.xcdatamodel"),
      65,
      "bulkmigrate: bad.xcdatamodel/contents: line 4: \(reason)\n"
    )
  }

  // formats/migration.md 1.3
  @Test func `a change that cannot be inferred is refused with the reason`() throws {
    try TestStore.write(
      .of(.init("Note", [.optional("title", .integer16)])),
      to: program.directory.path("v3.mom")
    )
    try expect(
      planWords(model: "v3.mom"),
      65,
      """
      bulkmigrate: no mapping can be inferred between the two models, for 1 reason:
      bulkmigrate:   Note.title: its type changes from String to Integer 16; say how in a mapping file, which mapping --init begins

      """
    )
  }

  // MARK: Destinations

  @Test func `source and destination must differ`() throws {
    try expect(
      planWords(destination: "./Notes.sqlite"),
      64,
      """
      bulkmigrate: source and destination are the same file, DIR/Notes.sqlite; \
      name another destination
      see: bulkmigrate help plan

      """
    )
  }

  // formats/migration.md 1.5
  @Test(arguments: ["New.sqlite", "New.sqlite-wal", "New.sqlite-journal", ".New_SUPPORT"])
  func `whatever lies where the destination belongs is not overwritten`(name: String) throws {
    try plan()
    try write("precious", to: name)
    try expect(
      ["run", "-q"],
      73,
      "bulkmigrate: DIR/\(name) already exists and is not overwritten; "
        + "name another destination or move it away\n"
    )
  }

  @Test func `a folder that is not there is named when a plan is run`() throws {
    #expect(try program(planWords(destination: "no/New.sqlite")).status == 0)
    try expect(
      ["run", "-q"],
      73,
      "bulkmigrate: DIR/no/New.sqlite.bulkmigrate cannot be made: its folder does not exist\n"
    )
  }

  @Test(.disabled(if: getuid() == 0, "skips because the superuser may write everywhere"))
  func `a folder that may not be written to is named`() throws {
    let folder = try program.directory.folder("locked")
    #expect(try program(planWords(destination: "locked/New.sqlite")).status == 0)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
    }
    try expect(
      ["run", "-q"],
      73,
      "bulkmigrate: DIR/locked/New.sqlite.bulkmigrate cannot be made: Permission denied\n"
    )
  }

  @Test func `a plan that cannot be written is named`() throws {
    try expect(
      planWords() + ["--output", "no/plan.json"],
      73,
      "bulkmigrate: no/plan.json cannot be made: its folder does not exist\n"
    )
  }

  // MARK: Command lines

  @Test(arguments: [
    (["plan", "--surce", "x"], "unknown option --surce; did you mean --source?", " plan"),
    (
      ["run", "--max-memry", "1G"], "unknown option --max-memry; did you mean --max-memory?", " run"
    ),
    (["pln"], "unknown command 'pln'; did you mean plan?", ""),
    (
      ["run", "--max-memory", "12x"], "--max-memory: '12x' is not a size; try 512M, 1.5G or 25%",
      " run"
    ),
    (
      ["run", "--max-memory", "64"],
      "--max-memory: '64' has no unit and would be 64 bytes; try 64M", " run"
    ),
    (
      ["run", "--max-memory", "0M"],
      "--max-memory: '0M' is nothing at all; try 512M, 1.5G or 25%", " run"
    ),
    (
      ["run", "--max-memory", "300%"],
      "--max-memory: '300%' is not above 0% and at most 100%; try 25%", " run"
    ),
    (
      ["plan"], "no source store is named; pass --source or a mapping file that names one", " plan"
    ),
    (["inspect"], "missing operand FILE", " inspect"),
  ])
  func `a mistyped command line is answered with what was meant`(
    words: [String],
    message: String,
    topic: String
  ) throws {
    try expect(words, 64, "bulkmigrate: \(message)\nsee: bulkmigrate help\(topic)\n")
  }

  // MARK: Plans

  @Test func `a plan that is not there is named with what makes one`() throws {
    try expect(
      ["run", "-q"],
      66,
      "bulkmigrate: there is no plan bulkmigrate.plan.json; make one with bulkmigrate plan, "
        + "or name it with --plan\n"
    )
  }

  @Test(arguments: [
    ("\"rows\" : 3", "\"rows\" : 4", "it was changed after it was made"),
    ("plan/1", "plan/9", "its format is plan/9, not plan/1"),
  ])
  func `a plan that was edited is refused`(
    words: String,
    others: String,
    reason: String
  ) throws {
    try plan()
    let name = program.directory.path("bulkmigrate.plan.json")
    let text = try String(contentsOfFile: name, encoding: .utf8)
    let edited = text.replacing(words, with: others)
    #expect(edited != text)
    try write(edited, to: "bulkmigrate.plan.json")
    try expect(
      ["run", "-q"],
      65,
      "bulkmigrate: bulkmigrate.plan.json is not a plan that can be run: \(reason)\n"
    )
  }

  @Test func `a plan that is no JSON is refused`() throws {
    try write("{", to: "bulkmigrate.plan.json")
    try expect(
      ["run", "-q"],
      65,
      "bulkmigrate: bulkmigrate.plan.json is not a plan that can be run: "
        + "it is not JSON: 1:2: expected a name in quotation marks, found the end\n"
    )
  }

  /// In WAL mode SQLite counts changes nowhere, and the log is gone when the last writer is.
  @Test(arguments: [false, true])
  func `a plan whose source has changed is stale`(isInWriteAheadMode: Bool) throws {
    let program = try Program(isInWriteAheadMode: isInWriteAheadMode)
    #expect(try program(Program.plan).status == 0)
    try StoreFile(program.directory.path("Notes.sqlite"))
      .execute("UPDATE ZNOTE SET ZTITLE = 'c' WHERE Z_PK = 2")
    let before = try program.directory.bytes()
    #expect(
      try program.failure(["run", "-q"])
        == Failure(
          status: 5,
          errors: """
            bulkmigrate: the plan does not fit its inputs any more; make a new one:
            bulkmigrate:   the source store DIR/Notes.sqlite has changed

            """
        )
    )
    #expect(try program.directory.bytes() == before)
  }

  @Test func `a plan whose destination model has changed is stale`() throws {
    try plan()
    try TestStore.write(
      .of(.init("Note", [.optional("title"), .optional("other")])),
      to: program.directory.path("v2.mom")
    )
    try expect(
      ["run", "-q"],
      5,
      """
      bulkmigrate: the plan does not fit its inputs any more; make a new one:
      bulkmigrate:   the destination model DIR/v2.mom has changed

      """
    )
  }

  @Test func `a memory limit below what is needed ends before anything is made`() throws {
    try plan()
    let before = try program.directory.bytes()
    let failure = try program.failure(["run", "-q", "--max-memory", "1M"])
    // What is needed depends on what the program holds already, which differs from system to system.
    let pattern =
      #/bulkmigrate: --max-memory 1 MiB is too small: this migration needs at least [0-9.]+ MiB; nothing was started\n/#
    #expect(failure.status == 7)
    #expect(try pattern.wholeMatch(in: failure.errors) != nil, "\(failure.errors)")
    #expect(try program.directory.bytes() == before)
  }

  @Test func `rows that break a new uniqueness constraint are named`() throws {
    try TestStore.write(
      .of(.init("Note", [.optional("title")], unique: [["title"]])),
      to: program.directory.path("v2.mom")
    )
    try StoreFile(program.directory.path("Notes.sqlite")).execute("UPDATE ZNOTE SET ZTITLE = 'a'")
    try plan()
    let failure = try program.failure(["run", "-q"])
    #expect(failure.status == 65)
    #expect(
      failure.errors == """
        bulkmigrate: 2 values break rules of the destination's model; no destination was made:
        bulkmigrate:   Note.title: unique: broken by 2 objects
        bulkmigrate:     key 2: a
        bulkmigrate:     key 4: a
        bulkmigrate: all of them are in DIR/New.sqlite.bulkmigrate/violations.jsonl
        bulkmigrate: to leave such objects out, and keep them beside the destination, repeat it with --on-error quarantine

        """
    )
    let status = try program("status").output.replacing(program.directory.path, with: "DIR")
    #expect(
      status.hasPrefix(
        "state        failed: objects break rules of the model, or cannot be computed; no destination was made\n"
      )
    )
    #expect(status.contains("violations   DIR/New.sqlite.bulkmigrate/violations.jsonl\n"))
    #expect(
      status.contains(
        "next         bulkmigrate run --on-error quarantine, which leaves these objects out\n"
      )
    )
    #expect(try program.directory.bytes()["New.sqlite"] == nil)
  }
}
