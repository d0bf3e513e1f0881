#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// What lies where a migration works and is not its own.
@Suite(
  "Files of others",
  .tags(.promise1, .promise2, .promise3, .promise4, .promise5),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct ForeignFileTests {
  private let program: Program
  private static let identity = "6E1F0B0C-52D3-4B40-9F2B-6A6A0D6C5E11"

  init() throws {
    program = try Program()
    try #require(try program(Program.plan).status == 0)
  }

  /// Files whose names begin as those of a migration do.
  private static let names = [
    "draft-letter.txt", "destination-Rome.txt", "external-disk/a", "step-1/b", "step-2.sqlite",
    "associations-list", "violations-1.jsonl", "plan.json", "finished", "lock",
  ]

  private func lay(in folder: String) throws -> [String: Data] {
    for name in Self.names { try program.write("mine", to: "\(folder)/\(name)") }
    return try program.directory.bytes()
  }

  /// Makes a folder that looks as if a migration worked there.
  private func mark(_ folder: String) throws {
    let mark = "{\"bulkmigrate\":\"state/1\",\"identity\":\"\(Self.identity)\"}\n"
    try program.write(mark, to: "\(folder)/.bulkmigrate")
  }

  @Test(arguments: ["run", "run --restart", "run --resume-if-started"])
  func `a folder that is not ours is refused as it is`(command: String) throws {
    let before = try lay(in: "S")
    let words = command.split(separator: " ").map(String.init) + ["-q", "--state-dir", "S"]
    let failure = try program.failure(words)
    #expect(
      failure
        == Failure(
          status: 73,
          errors:
            "bulkmigrate: S already exists and is not a state directory of a migration, so nothing "
            + "in it is touched; name another folder with --state-dir, or move it away\n"
        )
    )
    #expect(try program.directory.bytes() == before)
  }

  @Test func `the folder in which the plan lies is refused too`() throws {
    let before = try program.directory.bytes()
    #expect(try program("run", "-q", "--state-dir", ".").status == 73)
    #expect(try program.directory.bytes() == before)
  }

  @Test func `an empty folder is taken`() throws {
    _ = try program.directory.folder("S")
    let run = try program("run", "-q", "--state-dir", "S")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try program.migrated.rows("SELECT count(*) FROM ZNOTE") == [[3]])
  }

  @Test
  func
    `a folder with what a power cut has left of a lock is taken, and with no other file of zeros`()
    throws
  {
    let zeros = String(repeating: "\0", count: 300)
    for text in ["\(zeros)mine", "\0mine"] {
      try program.write(text, to: "S/lock")
      #expect(try program("run", "-q", "--state-dir", "S").status == 73)
      #expect(try program.directory.bytes()["S/lock"] == Data(text.utf8))
    }
    try program.write(zeros, to: "S/lock")
    let run = try program("run", "-q", "--state-dir", "S")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(arguments: ["run", "run --resume-if-started"])
  func `what others put beside the files of a migration stays`(command: String) throws {
    let words = command.split(separator: " ").map(String.init) + ["-q", "--state-dir", "S"]
    let run = try program.start(words, standingAt: "counted:0")
    let names = ["draft-letter.txt", "destination-Rome.txt", "external-disk/a", "step-1/b"]
    for name in names { try program.write("mine", to: "S/\(name)") }
    #expect(run.goOn() == 0, "\(run.errors)")
    let after = try program.directory.bytes()
    #expect(names.allSatisfy { after["S/\($0)"] == Data("mine".utf8) })
    #expect(after["New.sqlite"] != nil)
    // What is left is still ours.
    try FileManager.default.removeItem(atPath: program.directory.path("New.sqlite"))
    #expect(try program(words).status == 0)
  }

  @Test func `another plan in the state directory is not overwritten`() throws {
    try mark("S")
    try program.write("mine", to: "S/plan.json")
    let failure = try program.failure(["run", "-q", "--state-dir", "S"])
    #expect(failure.status == 73)
    #expect(failure.errors.contains("S/plan.json already exists and was not made by this"))
    #expect(try program.directory.bytes()["S/plan.json"] == Data("mine".utf8))
  }

  @Test func `a plan that was named stays where it is, in the state directory too`() throws {
    try mark("S")
    #expect(try program(Program.plan + ["--output", "S/plan.json"]).status == 0)
    let plan = try program.directory.bytes()["S/plan.json"]
    let run = try program("run", "-q", "--plan", "S/plan.json", "--state-dir", "S")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try program.directory.bytes()["S/plan.json"] == plan)
  }

  @Test func `a run that keeps a receipt leaves what a later command reads, and nothing else`()
    throws
  {
    let run = try program("run", "-q", "--resume-if-started")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try program.names(in: "New.sqlite.bulkmigrate") == [".bulkmigrate", "finished", "plan.json"]
    )
  }

  @Test(arguments: [["v2.mom", "73"], ["v1.mom", "0"]])
  func `migrate leaves a folder of others alone`(arguments: [String]) throws {
    try program.write("mine", to: "Notes.sqlite.bulkmigrate/notes.txt")
    let before = try program.directory.bytes()
    let run = try program("migrate", "-q", "Notes.sqlite", "--destination-model", arguments[0])
    #expect(run.status == Int32(arguments[1]), "\(run.errors)")
    #expect(try program.directory.bytes() == before)
  }

  // MARK: Links and other users

  @Test func `a state directory that is a link is refused`() throws {
    try program.write("theirs", to: "victim/plan.json")
    let link = program.directory.path("S")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "victim")
    for name in ["S", "S/"] {
      let failure = try program.failure(["run", "-q", "--state-dir", name])
      #expect(failure.status == 73)
      #expect(failure.errors.contains("S is a symbolic link, so what is in it cannot be trusted"))
    }
    #expect(try program.names(in: "victim") == ["plan.json"])
    #expect(try program.directory.bytes()["victim/plan.json"] == Data("theirs".utf8))
  }

  @Test func `a file of others with the name of a mark stays`() throws {
    try program.write("theirs", to: "S/.bulkmigrate")
    let run = try program("run", "-q", "--state-dir", "S")
    #expect(run.status == 73, "\(run.errors)")
    #expect(run.errors.contains("is not a state directory of a migration"), "\(run.errors)")
    #expect(try program.directory.bytes()["S/.bulkmigrate"] == Data("theirs".utf8))
  }

  @Test(arguments: ["lock", "plan.json", "finished", ".bulkmigrate"])
  func `a link in a state directory is not followed`(name: String) throws {
    try program.write("theirs", to: "victim")
    try mark("S")
    let link = program.directory.path("S/\(name)")
    try? FileManager.default.removeItem(atPath: link)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../victim")
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
    let run = try program("run", "-q", "--state-dir", "S", "--resume-if-started")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try program.directory.bytes()["victim"] == Data("theirs".utf8))
  }

  @Test func `a state directory into which others write is refused, unless it was named`() throws {
    let folder = try program.directory.folder("New.sqlite.bulkmigrate")
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    let failure = try program.failure(["run", "-q"])
    #expect(failure.status == 73)
    #expect(
      failure.errors.contains("New.sqlite.bulkmigrate can be written to by other users, so what is")
    )
    let named = try program("run", "-q", "--state-dir", "New.sqlite.bulkmigrate")
    #expect(named.status == 0, "\(named.errors)")
  }

  @Test(.enabled(if: geteuid() == 0, "skips because only root can give files away"))
  func `a state directory of another user is refused`() throws {
    let folder = try program.directory.folder("New.sqlite.bulkmigrate")
    #expect(chown(folder, 1, 1) == 0)
    let failure = try program.failure(["run", "-q"])
    #expect(failure.status == 73)
    #expect(failure.errors.contains("New.sqlite.bulkmigrate belongs to another user, so what is"))
    let named = try program.failure(["run", "-q", "--state-dir", "New.sqlite.bulkmigrate"])
    #expect(named.status == 73)
  }

  @Test func `a plan is written over a plan only`() throws {
    try program.write("mine", to: "notes.txt")
    let failure = try program.failure(Program.plan + ["--output", "notes.txt"])
    #expect(
      failure
        == Failure(
          status: 73,
          errors:
            "bulkmigrate: notes.txt cannot be made: it exists and is not a plan, so it is "
            + "not overwritten; name another --output\n"
        )
    )
    #expect(try program.directory.bytes()["notes.txt"] == Data("mine".utf8))
    #expect(try program(Program.plan).status == 0)
  }
}
#endif
