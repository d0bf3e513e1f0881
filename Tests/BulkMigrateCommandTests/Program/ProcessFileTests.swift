import BulkTestSupport
import Testing

/// What a process gets from whoever starts it, and what it meets that is not a file.
@Suite(
  "Descriptors, signals, and what is not a file",
  .tags(.promise6, .promise13, .promise18),
  .program
)
struct ProcessFileTests {
  private let program: Program

  init() throws {
    program = try Program()
    try #require(try program(Program.plan).status == 0)
  }

  @Test func `standard descriptors that are closed are not files of the migration`() throws {
    let process = try StoppableProcess(
      "/bin/sh",
      ["-c", "exec \"$0\" run <&- >&- 2>&-", Program.path ?? "/nowhere"],
      in: program.directory.path,
      environment: ["BULKMIGRATE_STANDSTILL": "counted:0"]
    )
    try #require(process.standsStill())
    let files = try (0...2).map {
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.number)/fd/\($0)")
    }
    #expect(files == ["/dev/null", "/dev/null", "/dev/null"])
    #expect(process.goOn() == 0)
    #expect(try program.migrated.rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func `a fixture that a signal stops leaves nothing`(signal: Int32, code: Int32) throws {
    let before = try program.directory.contents()
    let words = "fixture --model v2.mom --rows Note=5M -o X.sqlite".words
    let run = try program.start(words, batchRows: nil)
    while try program.directory.contents() == before { sched_yield() }
    run.send(signal)
    #expect(run.end() == code, "\(run.errors)")
    #expect(try program.directory.contents() == before)
  }

  @Test func `a named pipe among the external values is refused, and not opened`() throws {
    try program.write("value", to: ".Notes_SUPPORT/_EXTERNAL_DATA/0B61C1D5")
    let pipe = program.directory.path(".Notes_SUPPORT/_EXTERNAL_DATA/pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let before = try program.directory.contents()
    let run = try program.start(["run", "-q"])
    #expect(run.end() == 65)
    #expect(
      run.errors.contains("pipe is a named pipe, a socket or a device, and no external value;"),
      "\(run.errors)"
    )
    #expect(try program.directory.contents() == before)
  }

  @Test(arguments: [
    "plan --source pipe --destination X.sqlite --destination-model v2.mom",
    "plan --source Notes.sqlite --destination X.sqlite --destination-model pipe",
    "plan --source Notes.sqlite --destination X.sqlite --destination-model v2.mom --source-model pipe",
    "plan --source Notes.sqlite --destination X.sqlite --destination-model v2.mom --mapping pipe",
    "plan --source Notes.sqlite --destination X.sqlite --destination-model v2.mom --output pipe",
    "check --sources pipe --models v1.mom --models v2.mom", "run --plan pipe",
    "run --report pipe", "run --state-dir pipe", "report --output pipe",
    "verify --plan pipe",
    "fixture --model pipe --rows Note=1 --output X.sqlite",
    "fleet plan --manifest pipe --models . --to v2", "fleet run --fleet pipe",
    "fleet run --results pipe", "fleet run --scratch pipe --stage-in false --stage-out false",
    "fleet status --results pipe", "fleet report --table pipe",
    "fleet retry --results pipe -o X.jsonl",
  ])
  func `a named pipe in the place of a file is refused at once`(command: String) throws {
    let pipe = program.directory.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    if command.hasPrefix("fleet ") {
      let store = #"{"id": "a", "source": "Notes.sqlite", "destination": "A.sqlite"}"#
      try program.write(store, to: "stores.jsonl")
      try program("fleet plan -q --manifest stores.jsonl --models . --to v2".words, ending: 0)
    }
    let run = try program.shell("timeout -s KILL 20 \"$0\" \(command)")
    #expect(![0, 137].contains(run.status), "\(run.status)")
    #expect(run.errors.contains("pipe"), "\(run.errors)")
    let type = try FileManager.default.attributesOfItem(atPath: pipe)[.type]
    #expect(type as? FileAttributeType == .typeUnknown)
    #expect(!FileManager.default.fileExists(atPath: program.directory.path("New.sqlite")))
  }

  /// A process has such a stack where somebody bounds the memory of each of very many.
  @Test func `a stack of 64 KiB and 24 files suffice, and a limit of file sizes is a full disk`()
    throws
  {
    let full = try program.shell("ulimit -f 4; exec \"$0\" run -q").ending(74)
    #expect(full.errors.contains("the disk is full"), "\(full.errors)")
    let words = Program.plan.joined(separator: " ")
    try program.shell(
      "ulimit -s 64; ulimit -n 24; \"$0\" \(words) && \"$0\" run -q && \"$0\" verify --level full -q"
    ).ending(0)
    #expect(try program.migrated.rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  @Test func `a signal asks for the state, and the run goes on`() throws {
    let run = try program.start(["run", "-q"], standingAt: "commit:1")
    run.send(SIGUSR1)
    #expect(run.goOn() == 0, "\(run.errors)")
    #expect(run.errors.contains(" rows"), "\(run.errors)")
    #expect(try program.migrated.rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  @Test func `a list of stores may come through a pipe`() throws {
    let run = try program.shell(
      "echo Notes.sqlite | \"$0\" check --sources /dev/stdin --models v1.mom --models v2.mom"
    )
    #expect(run.output.contains("Notes.sqlite"), "\(run.errors)")
  }

  @Test(arguments: ["run", "status", "verify", "inspect Notes.sqlite"])
  func `too few files are said to be too few`(command: String) throws {
    let run = try program.shell("ulimit -n 8; \"$0\" \(command)").ending(7)
    #expect(
      run.errors.hasSuffix(
        "and needs 24 at least; nothing was done; raise the limit: ulimit -n 1024\n"
      ),
      "\(run.errors)"
    )
    #expect(try !program.directory.contents().contains("New.sqlite.bulkmigrate"))
  }
}
