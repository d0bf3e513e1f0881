import BulkTestSupport
import Testing

/// Every refusal leaves the folder as it was: the source byte for byte, and nothing new.
///
/// Exit codes are those of the manual's page ExitCodes.
struct BadInputTests {
  private let program: Program

  init() throws { program = try Program(.call) }

  private func refuse(_ words: [String], _ status: Int32, _ messages: String...) throws {
    let before = try program.directory.bytes()
    let names = try program.directory.contents()
    let failure = try program(words)
    #expect(failure.status == status, "\(words): \(failure.errors)")
    for message in messages {
      #expect(failure.errors.contains(message), "\(words): \(failure.errors)")
    }
    #expect(failure.output == "", "\(words)")
    #expect(try program.directory.bytes() == before, "\(words)")
    #expect(try program.directory.contents() == names, "\(words)")
  }

  private func planWords(
    destination: String = "New.sqlite",
    model: String = "v2.mom"
  ) -> [String] {
    [
      "plan", "--source", "Notes.sqlite", "--destination", destination, "--destination-model",
      model,
    ]
  }

  @Test func `a plan that has nothing to do is refused where its source is gone`() throws {
    #expect(try program(planWords(model: "v1.mom")).status == 0)
    #expect(try program("run").output.contains("nothing was done"))
    program.remove("Notes.sqlite")
    for command in ["run", "resume", "preflight"] {
      try refuse([command], 66, "Notes.sqlite: no such file")
    }
  }

  /// The exit code, the command and the message; `TO` names a destination and its model.
  ///
  /// Where nothing can be inferred: formats/migration.md 1.3.
  private static let refusals = """
    66 | inspect no.sqlite | no.sqlite: no such file
    66 | plan --source no.sqlite TO | no.sqlite: no such file
    66 | plan --source . TO | : it is not a file
    65 | inspect diary.sqlite | diary.sqlite: it is not an SQLite database
    65 | plan --source diary.sqlite TO | diary.sqlite: it is not an SQLite database
    65 | plan --source empty.sqlite TO | empty.sqlite: it is empty
    65 | plan --source plain.sqlite TO | not a Core Data store: it has no table Z_METADATA
    65 | plan --source cut.sqlite TO | it is cut off: it has 9000 of the
    65 | plan --source Notes.sqlite --source-model v2.mom TO | Note.stars: attribute added
    66 | plan --source Notes.sqlite --destination x --destination-model no.mom | no.mom cannot be read: the file does not exist
    65 | plan --source Notes.sqlite --destination x --destination-model open.xcdatamodel | contents: line 4: the XML ends before
    65 | plan --source Notes.sqlite --destination x --destination-model number.mom | Note.title: its type changes from String
    64 | plan --source Notes.sqlite --destination ./Notes.sqlite --destination-model v2.mom | are the same file, Notes.sqlite
    64 | plan | no source store is named
    65 | plan --source Notes.sqlite TO --mapping wrong.json | wrong.json:3:82: entity mapping NoteToNote, attribute stars
    65 | plan --source Notes.sqlite TO --mapping expecting.json | expecting.json:1:54: expect Nope: the destination model has no
    64 | plan --source Notes.sqlite TO --max-loss few | is neither none nor a number nor all
    64 | plan --source Notes.sqlite TO --max-loss 1.5 | is neither none nor a number nor all
    64 | plan --source Notes.sqlite TO --max-loss= | --max-loss needs a value
    64 | plan --source Notes.sqlite TO --max-loss 1,2,,3 | is neither none nor a number nor all
    64 | plan --source Notes.sqlite --destination= | --destination needs a value: --destination STORE
    64 | plan Notes.sqlite | Notes.sqlite is not a plan; did you mean --source Notes.sqlite?
    64 | plan notes.json | notes.json is not a plan; did you mean --mapping notes.json?
    65 | plan --source Notes.sqlite --destination New.sqlite --models other.mom | no model has the store's version, the model that the store keeps, or
    65 | plan --source Notes.sqlite TO --no-infer | and with --no-infer nothing is inferred; name one with --mapping
    64 | plan --surce x | did you mean --source?
    66 | plan --diff no.json | no.json: no such file
    64 | plan other.json | other.json
    73 | plan --source Notes.sqlite TO -o no/plan.json | no/plan.json cannot be made: its folder does not exist
    73 | plan --source Notes.sqlite TO -o notes.json | notes.json cannot be made: it exists and is not a plan
    66 | run -q --plan no.json | there is no plan no.json; make one with bulkmigrate plan
    65 | run -q --plan edited.json | edited.json is not a plan that can be run: it was changed after it was made
    65 | run -q --plan newer.json | its format is plan/9, not plan/2
    65 | run -q --plan open.json | it is not JSON: 1:2: expected a name in quotation marks
    65 | run --plan notes.json | its format is mapping/1, not plan/2
    73 | run -q --plan far.json | no/New.sqlite.bulkmigrate cannot be made: its folder does not exist
    7 | run -q --max-memory 1M | --max-memory 1 MiB is too small: this migration needs at least
    64 | run --max-memory 64 | --max-memory: '64' has no unit and would be 64 bytes; try 64M
    64 | run --policy SplitName | SplitName is not NAME=COMMAND
    64 | run --policy =python3 | =python3 is not NAME=COMMAND
    64 | run --policy SplitName= | policy SplitName has no program
    64 | run --policy SplitName='python3 | in 'python3 a ' is not closed
    64 | run --policy SplitName=python3\\ | python3\\ ends with a backslash
    65 | inspect bulkmigrate.plan.json | is a plan; to read it, type: bulkmigrate plan bulkmigrate.plan.json
    66 | report none | none: no such plan, state directory or store
    65 | report Notes.sqlite | it is a store; bulkmigrate plan --source makes a plan for one
    66 | verify | New.sqlite is not there; bulkmigrate run makes it
    66 | status nowhere | a migration removes its state directory when it is done
    64 | control --rate fast | --rate: 'fast' is neither a rate such as 50M nor off
    64 | control --rate 50 | --rate: '50' has no unit and would be 50 bytes; try 50M
    64 | control --pause --resume | --pause and --resume exclude each other
    64 | control --pause New.sqlite --results x | --results and MIGRATION exclude each other
    64 | run --restart --resume-if-started | --restart and --resume-if-started exclude each other
    64 | run -q -v | --quiet and --verbose exclude each other
    64 | run --report - | --report: - is not a file here; write ./- for one of this name
    64 | fixture --model v1.mom --rows Note=1 -o - | --output: - is not a file here
    64 | run --max-rejects 5 | --max-rejects has no effect without --on-error
    64 | verify --scratch S | --scratch has no effect without --level
    64 | plan bulkmigrate.plan.json --source Notes.sqlite | --source and PLAN exclude each other
    64 | plan --diff bulkmigrate.plan.json --full | --diff and --full exclude each other
    64 | plan --source Notes.sqlite TO --markdown --json | --markdown and --json exclude each other
    74 | plan --source Notes.sqlite TO -o /dev/full | /dev/full cannot be written: No space left on device
    74 | report bulkmigrate.plan.json -o /dev/full | /dev/full cannot be written: No space left on device
    64 | control | pass --pause, --resume or --rate RATE
    64 | preflight --source Notes.sqlite | unknown option --source
    64 | mapping | missing operand COMMAND
    64 | mapping --check x | unknown command 'mapping --check'; use mapping check
    64 | mapping init | pass --source-model and --destination-model
    66 | mapping init --source-model a --destination-model v2.mom | a cannot be read
    64 | mapping check notes.json -o y | unknown option -o
    66 | mapping check no.json | the mapping no.json cannot be read: the file does not exist
    64 | mapping check notes.json other.json | other.json
    64 | mapping check notes.json | no source model is named; pass --source-model or a mapping file
    64 | mapping diff notes.json | OTHER
    64 | mapping try | missing operand FILE
    64 | mapping try --expression title | --expression needs --source STORE and --entity NAME
    65 | mapping convert v1.mom | v1.mom:1:1: it is not JSON: expected a value, found 'b'
    73 | mapping convert fine.json -o notes.json | notes.json already exists and is not overwritten
    64 | inspect | missing operand FILE
    64 | rejects remove | 'remove'
    64 | run --on-error maybe | 'maybe'
    64 | run --max-rejects few | 'few'
    64 | run --max-rejects 1,23 | '1,23'
    64 | run --max-rejects 200% | '200%'
    64 | rejects show Note 0x1 | KEY: '0x1' is not a number
    64 | rejects replay Note 4 | unexpected argument 'Note'
    64 | rejects list X | unexpected argument 'X'
    66 | rejects --state-dir nope | nope: no such folder
    64 | run --dependants x | 'x'
    64 | pln | did you mean plan?
    64 | fleet rnu | unknown command 'fleet rnu'; did you mean fleet run?
    64 | apply | use run
    64 | show | use plan PLAN
    64 | evaluate | use mapping try --expression
    64 | pause | use control --pause
    64 | fleet throttle | use control --rate RATE --results FILE
    64 | migrate Notes.sqlite --in-place | use --no-copy
    64 | version | use --version
    64 | -V | use --version
    64 | --dry-run | use preflight
    """

  @Test func `what cannot be done is refused, with what can`() throws {
    let files = [
      "diary.sqlite": "Dear diary, this is not a database at all.", "empty.sqlite": "",
      "open.xcdatamodel/contents":
        "<?xml version=\"1.0\"?>\n<model>\n  <entity name=\"Note\">\n    <attribute name=\"ti",
      "open.json": "{", "notes.json": #"{ "bulkmigrate": "mapping/1" }"#,
      "expecting.json":
        #"{ "bulkmigrate": "mapping/1", "expect": [{ "entity": "Nope", "count": 1 }] }"#,
      "fine.json":
        #"{ "bulkmigrate": "mapping/1", "source": { "model": "v1.mom" }, "destination": { "model": "v2.mom" } }"#,
      "wrong.json": """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "v1.mom" }, "destination": { "model": "v2.mom" }, "entityMappings": [
          { "source": "Note", "destination": "Note", "attributes": { "stars": "$source.no" } } ] }
      """,
    ]
    for (name, text) in files { try program.write(text, to: name) }
    try StoreFile(program.directory.path("plain.sqlite")).execute("CREATE TABLE t (x)")
    let store = try Files.read(program.directory.path("Notes.sqlite"))
    try Files.write(Array(store.prefix(9_000)), to: program.directory.path("cut.sqlite"))
    try program.write(.of(.init("Note", [.optional("title", .integer16)])), to: "number.mom")
    try program.write(.of(.init("Other", [.optional("name")])), to: "other.mom")
    try #require(try program(planWords()).status == 0)
    let far = planWords(destination: "no/New.sqlite") + ["-o", "far.json"]
    try #require(try program(far).status == 0)
    let plan = try Files.read(program.directory.path("bulkmigrate.plan.json"))
    let text = String(decoding: plan, as: UTF8.self)
    try program.write(text.replacing("\"rows\" : 3", with: "\"rows\" : 4"), to: "edited.json")
    try program.write(text.replacing("plan/2", with: "plan/9"), to: "newer.json")
    let to = "--destination New.sqlite --destination-model v2.mom"
    for line in Self.refusals.split(separator: "\n") {
      let parts = line.components(separatedBy: " | ")
      let words = parts[1].replacing(" TO", with: " " + to).split(separator: " ").map(String.init)
      try refuse(words, try #require(Int32(parts[0])), parts[2])
    }
    try refuse(["run", "my plan.json"], 64, "did you mean --plan 'my plan.json'?")
  }

  // formats/migration.md 1.5
  @Test func `whatever lies where the destination belongs is not overwritten`() throws {
    try #require(try program(planWords()).status == 0)
    for name in ["New.sqlite", "New.sqlite-wal", "New.sqlite-journal", ".New_SUPPORT"] {
      try program.write("precious", to: name)
      try refuse(["run", "-q"], 73, "\(name) already exists and is not overwritten")
      program.remove(name)
    }
  }

  @Test(.disabled(if: getuid() == 0, "skips because the superuser may write everywhere"))
  func `a folder that may not be written to is named`() throws {
    let folder = try program.directory.folder("locked")
    #expect(try program(planWords(destination: "locked/New.sqlite")).status == 0)
    defer { chmod(folder, 0o755) }
    chmod(folder, 0o555)
    try refuse(["run", "-q"], 73, "New.sqlite.bulkmigrate cannot be made: Permission denied")
  }

  /// In WAL mode SQLite counts changes nowhere, and the log is gone when the last writer is.
  @Test(arguments: [false, true])
  func `a plan whose inputs have changed is stale`(isInWriteAheadMode: Bool) throws {
    let program = try Program(isInWriteAheadMode: isInWriteAheadMode)
    #expect(try program(Program.plan).status == 0)
    try StoreFile(program.directory.path("Notes.sqlite"))
      .execute("UPDATE ZNOTE SET ZTITLE = 'c' WHERE Z_PK = 2")
    try program.write(.of(.init("Note", [.optional("title"), .optional("other")])), to: "v2.mom")
    let before = try program.directory.bytes()
    let failure = try program(["run", "-q"])
    #expect(failure.status == 5)
    for input in ["the source store Notes.sqlite", "the model v2.mom"] {
      #expect(failure.errors.contains("\(input) has changed\n"), "\(failure.errors)")
    }
    #expect(try program.directory.bytes() == before)
  }

  @Test func `rows that break a new uniqueness constraint are named`() throws {
    try program.write(.of(.init("Note", [.optional("title")], unique: [["title"]])), to: "v2.mom")
    try StoreFile(program.directory.path("Notes.sqlite")).execute("UPDATE ZNOTE SET ZTITLE = 'a'")
    try #require(try program(Program.plan).status == 0)
    let failure = try program(["run", "-q"])
    #expect(failure.status == 65)
    for part in [
      "2 values break rules of the destination's model; no destination was made:\n",
      "  Note.title: unique: broken by 2 objects\n", "    key 2: a\n",
      "all are listed in New.sqlite.bulkmigrate/violations.jsonl\n",
      "repeat the command with --on-error quarantine\n",
    ] { #expect(failure.errors.contains(part), "\(failure.errors)") }
    let status = try program("status", "bulkmigrate.plan.json").output
    for part in ["failed: ", "New.sqlite.bulkmigrate/violations.jsonl\n", "--on-error quarantine"] {
      #expect(status.contains(part), "\(status)")
    }
    #expect(try program.directory.bytes()["New.sqlite"] == nil)
  }
}
