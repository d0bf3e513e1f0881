import BulkTestSupport
import Testing

/// What lies where a migration works and is not its own.
@Suite("Files of others", .tags(.promise1, .promise2, .promise3, .promise4, .promise5), .program)
struct ForeignFileTests {
  private let program: Program

  init() throws {
    program = try Program()
    try #require(try program(Program.plan).status == 0)
  }

  private func run(_ words: String...) throws {
    try program(["run", "-q"] + words, ending: 0)
  }

  /// A command leaves every file in the folder, and in those that are linked from it, as it was.
  private func refuse(_ words: String, _ message: String) throws {
    let before = try program.directory.bytes()
    let failure = try program(words.words + ["-q"]).ending(73, words)
    #expect(message.isEmpty || failure.errors.contains(message), "\(words): \(failure.errors)")
    #expect(try program.directory.bytes() == before, "\(words)")
  }

  /// Makes a folder that looks as if a migration worked there.
  private func mark(_ folder: String) throws {
    let identity = "6E1F0B0C-52D3-4B40-9F2B-6A6A0D6C5E11"
    let mark = "{\"bulkmigrate\":\"state/1\",\"identity\":\"\(identity)\"}\n"
    try program.write(mark, to: "\(folder)/.bulkmigrate")
  }

  private func link(_ name: String, to destination: String) throws {
    let path = program.directory.path(name)
    try? FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: destination)
  }

  @Test func `a folder that is not ours is refused as it is`() throws {
    let foreign = " already exists and is not a state directory of a migration, so nothing"
    for name in [
      "draft-letter.txt", "destination-Rome.txt", "external-disk/a", "step-1/b", "step-2.sqlite",
      "associations-list", "violations-1.jsonl", "plan.json", "finished", "lock",
    ] { try program.write("mine", to: "S/\(name)") }
    for options in ["", "--restart ", "--resume-if-started "] {
      try refuse("run \(options)--state-dir S", "S" + foreign)
    }
    try refuse("run --state-dir .", foreign)
    // A mark of others, and locks that no power cut leaves.
    let zeros = String(repeating: "\0", count: 300)
    for (name, text) in [(".bulkmigrate", "theirs"), ("lock", zeros + "mine"), ("lock", "\0mine")] {
      try program.write(text, to: "T/\(name)")
      try refuse("run --state-dir T", "T" + foreign)
      program.remove("T")
    }
    try mark("T")
    try program.write("mine", to: "T/plan.json")
    try refuse("run --state-dir T", "T/plan.json already exists and was not made by this")
  }

  @Test(arguments: [nil, String(repeating: "\0", count: 300)])
  func `a folder is taken that is empty, or has what a power cut left of a lock, and stays`(
    lock: String?
  ) throws {
    _ = try program.directory.folder("S")
    if let lock { try program.write(lock, to: "S/lock") }
    try run("--state-dir", "S")
    #expect(try program.names(in: "S") == [])
    #expect(try program.migrated.rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  @Test(arguments: [[], ["--resume-if-started"]])
  func `what others put beside the files of a migration stays`(options: [String]) throws {
    let words = ["run", "-q", "--state-dir", "S"] + options
    let run = try program.start(words, standingAt: "counted:0")
    let names = ["draft-letter.txt", "destination-Rome.txt", "external-disk/a", "step-1/b"]
    for name in names { try program.write("mine", to: "S/\(name)") }
    #expect(run.goOn() == 0, "\(run.errors)")
    let after = try program.directory.bytes()
    #expect(names.allSatisfy { after["S/\($0)"] == Data("mine".utf8) })
    #expect(after["New.sqlite"] != nil)
    // What is left is still ours.
    program.remove("New.sqlite")
    #expect(try program(words).status == 0)
  }

  @Test func `a plan that was named stays where it is, in the state directory too`() throws {
    try mark("S")
    #expect(try program(Program.plan + ["--output", "S/plan.json"]).status == 0)
    let plan = try program.directory.bytes()["S/plan.json"]
    try run("--plan", "S/plan.json", "--state-dir", "S")
    #expect(try program.directory.bytes()["S/plan.json"] == plan)
  }

  @Test func `a run that keeps a receipt leaves what a later command reads, and nothing else`()
    throws
  {
    try run("--resume-if-started")
    #expect(
      try program.names(in: "New.sqlite.bulkmigrate") == [".bulkmigrate", "finished", "plan.json"]
    )
  }

  @Test func `migrate leaves a folder of others alone`() throws {
    try program.write("mine", to: "Notes.sqlite.bulkmigrate/notes.txt")
    try refuse("migrate Notes.sqlite --destination-model v2.mom", "")
    let before = try program.directory.bytes()
    #expect(try program("migrate", "Notes.sqlite", "--destination-model", "v1.mom").status == 0)
    #expect(try program.directory.bytes() == before)
  }

  // MARK: Links and other users

  @Test func `a state directory that is a link is refused`() throws {
    try program.write("theirs", to: "victim/plan.json")
    try link("S", to: "victim")
    for name in ["S", "S/"] {
      try refuse("run --state-dir \(name)", "S is a symbolic link, so what is in it cannot be")
    }
  }

  @Test(arguments: ["lock", "plan.json", "finished", ".bulkmigrate"])
  func `a link in a state directory is not followed`(name: String) throws {
    try program.write("theirs", to: "victim")
    try mark("S")
    try link("S/\(name)", to: "../victim")
    let run = try program.start(["run", "-q", "--state-dir", "S", "--resume-if-started"])
    #expect([0, 73].contains(run.end()), "\(run.errors)")
    #expect(try program.directory.bytes()["victim"] == Data("theirs".utf8))
  }

  @Test func `a file that is linked from a state directory is not written to`() throws {
    try program.write("theirs", to: "victim")
    try mark("S")
    try FileManager.default.linkItem(
      atPath: program.directory.path("victim"),
      toPath: program.directory.path("S/finished")
    )
    try run("--state-dir", "S", "--resume-if-started")
    #expect(try program.directory.bytes()["victim"] == Data("theirs".utf8))
  }

  @Test func `a state directory into which others write is refused, unless it was named`() throws {
    let folder = try program.directory.folder("New.sqlite.bulkmigrate")
    chmod(folder, 0o777)
    try refuse("run", "New.sqlite.bulkmigrate can be written to by other users, so what is")
    try run("--state-dir", "New.sqlite.bulkmigrate")
  }

  @Test(.enabled(if: geteuid() == 0, "skips because only root can give files away"))
  func `a state directory of another user is refused`() throws {
    let folder = try program.directory.folder("New.sqlite.bulkmigrate")
    #expect(chown(folder, 1, 1) == 0)
    for options in ["", " --state-dir New.sqlite.bulkmigrate"] {
      try refuse("run" + options, "New.sqlite.bulkmigrate belongs to another user")
    }
  }
}
