import BulkTestSupport
import Testing

/// No option that names a file to write takes a store or a plan for it.
@Suite(
  "The program, and the files that it writes beside a store",
  .tags(.promise3, .promise5, .promise7),
  .program
)
struct OutputFileTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program(Program.plan, ending: 0)
  }

  /// Tries a command, which must be refused and leave everything as it is.
  private func refuse(_ words: [String], _ reason: String, _ status: Int32 = 73) throws {
    let before = try program.directory.bytes()
    let run = try program(words).ending(status, "\(words)")
    #expect(run.errors.contains(reason), "\(words): \(run.errors)")
    #expect(try program.directory.bytes() == before, "\(words)")
  }

  @Test func `a run writes its report into no store and no plan`() throws {
    _ = try program.directory.folder("S")
    try refuse(["run", "--report", "Notes.sqlite"], "it is a store")
    try refuse(["run", "--report", "New.sqlite"], "it is a store of the plan")
    try refuse(["run", "--report", "New.sqlite-wal"], "it is a store of the plan")
    try refuse(["run", "--report", "bulkmigrate.plan.json"], "it exists and is not a ")
    try refuse(["run", "--report", "v1.mom"], "it exists and is not a ")
    try refuse(["run", "--report", "none/here"], "its folder does not exist")
    for folder in [".", "S"] {
      try refuse(["run", "--report", folder], "it exists and is not a report")
    }
    try refuse(Program.plan + ["-o", "New.sqlite"], "it is a store of the plan")
    try refuse(["report", "-o", "New.sqlite"], "it is a store of the plan")
  }

  @Test func `a proof is written where nothing is`() throws {
    try #require(try program("run", "-q").status == 0)
    try refuse(["verify", "--proof", "none/here"], "its folder does not exist")
    try refuse(["verify", "--proof", "v1.mom"], "cannot be used as a proof", 65)
  }

  @Test func `a plan goes to standard output`() throws {
    try program.write(program(Program.plan + ["-o", "-"], ending: 0).output, to: "b.plan")
    #expect(
      try program("plan", "--diff", "bulkmigrate.plan.json", "b.plan").output == "no difference\n"
    )
  }

  @Test func `a link in the place of a file is not followed`() throws {
    let words = ["report", "--output"]
    try #require(try program("run", "-q", "--resume-if-started").status == 0)
    try program.write("", to: "victim")
    for target in ["victim", "dangling"] {
      let link = program.directory.path(target + ".link")
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
      try refuse(words + [target + ".link"], "cannot be made: it is a symbolic link")
    }
    #expect(
      try program.shell("\"$0\" \(words.joined(separator: " ")) /dev/stdout | cat").status == 0
    )
  }

  @Test(arguments: [0o600, 0o640])
  func `who may read the source may read what holds its values`(mode: Int) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode],
      ofItemAtPath: program.directory.path("Notes.sqlite")
    )
    try #require(try program("run", "-q", "--report", "report.html").status == 0)
    #expect(try program.mode(of: "report.html") == mode)
  }

  /// Plans a fleet of one store.
  private func planFleet(of source: String) throws {
    try program.write(
      "{\"id\": \"a\", \"source\": \"\(source)\", \"destination\": \"A.sqlite\"}\n",
      to: "stores.jsonl"
    )
    try program(
      ["fleet", "plan", "--manifest", "stores.jsonl", "--models", ".", "--to", "v2"]
    ).ending(0)
  }

  @Test func `the results of a fleet go into no store`() throws {
    try planFleet(of: "Notes.sqlite")
    try refuse(["fleet", "run", "--results", "Notes.sqlite"], "holds no results")
    try #require(try program("fleet", "run", "-q").status == 0)
    try refuse(["fleet", "report", "--table", "Notes.sqlite"], "it already exists")
  }

  @Test func `a store of a fleet that needs no change has its destination`() throws {
    try #require(try program("run", "-q").status == 0)
    try planFleet(of: "New.sqlite")
    let run = try program("fleet", "run", "-q", ending: 0)
    #expect(run.output == "1 store: 1 done\n")
    #expect(
      try StoreFile(program.directory.path("A.sqlite")).rows(of: "ZNOTE")
        == StoreFile(program.directory.path("New.sqlite")).rows(of: "ZNOTE")
    )
    #expect(try program("fleet", "run", "-q").output == "1 store: 1 already\n")
  }
}

/// Who may read what a migration makes.
@Suite("Modes of files", .tags(.promise7), .program)
struct FileModeTests {
  private let program: Program
  private static let value = "_SUPPORT/_EXTERNAL_DATA/0B61C1D5"

  init() throws {
    program = try Program()
    try program.write("value", to: ".Notes\(Self.value)")
    try #require(try program(Program.plan).status == 0)
  }

  @Test(
    arguments: [
      (0o600, 0o600), (0o640, 0o640), (0o644, 0o644), (0o444, 0o644), (0o400, 0o600),
    ] as [(mode_t, Int)]
  )
  func `the destination can be read by those who can read the source`(
    mode: mode_t,
    expected: Int
  ) throws {
    let source = program.directory.path("Notes.sqlite")
    for file in [source, program.directory.path(".Notes\(Self.value)")] { chmod(file, mode) }
    chmod(program.directory.path(".Notes_SUPPORT"), 0o750)
    // Only root can give files away.
    let isRoot = geteuid() == 0
    if isRoot { #expect(chown(source, 0, 7) == 0) }
    try program("run", "-q", ending: 0)
    #expect(try program.mode(of: "New.sqlite") == expected)
    #expect(try program.mode(of: ".New\(Self.value)") == expected)
    #expect(try program.mode(of: ".New_SUPPORT") == 0o750)
    guard isRoot else { return }
    let made = try FileManager.default.attributesOfItem(atPath: program.migrated.path)
    #expect(made[.groupOwnerAccountID] as? Int == 7)
  }

  @Test func `what lies on the way is for nobody else`() throws {
    let run = try program.start(["run", "-q", "--state-dir", "S"], standingAt: "commit:1")
    #expect(try program.mode(of: "S") == 0o700)
    let names = try program.names(in: "S")
    #expect(names.contains { $0.hasPrefix("destination-") })
    for name in names { #expect(try program.mode(of: "S/\(name)") == 0o600, "\(name)") }
    #expect(run.goOn() == 0)
  }

  @Test func `a store that is migrated in its place keeps its mode`() throws {
    chmod(program.directory.path("Notes.sqlite"), 0o600)
    let words = ["migrate", "-q", "Notes.sqlite", "--destination-model", "v2.mom"]
    let run = try program.start(words, standingAt: "counted:0")
    #expect(try program.mode(of: "Notes.sqlite.bulkmigrate") == 0o700)
    #expect(run.goOn() == 0, "\(run.errors)")
    #expect(try program.mode(of: "Notes.sqlite") == 0o600)
  }
}
