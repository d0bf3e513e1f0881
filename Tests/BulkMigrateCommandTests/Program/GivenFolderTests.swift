import BulkTestSupport
import Foundation
import Testing

/// Folders that a user gives to commands besides `run`, and those that they make beside a store.
@Suite(
  "The program, and folders that are not its own",
  .tags(.promise1, .promise2, .promise4),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct GivenFolderTests {
  private let program: Program

  init() throws {
    program = try Program()
    try #require(try program(Program.plan).status == 0)
    try #require(try program("run", "-q").status == 0)
  }

  private func refuse(_ words: [String], _ reason: String) throws {
    let before = try program.directory.bytes()
    let run = try program(words)
    #expect(run.status == 73, "\(words): \(run.errors)")
    #expect(run.errors.contains(reason), "\(words): \(run.errors)")
    #expect(try program.directory.bytes() == before, "\(words)")
  }

  @Test func `a folder that is not ours is no place for an expected store`() throws {
    let verify = ["verify", "--level", "full"]
    try refuse(verify + ["--scratch", "."], "it already exists and was not made by bulkmigrate")
    try program.write("mine", to: "S/letter.txt")
    try refuse(verify + ["--scratch", "S"], "S cannot be made: it already exists and was not made")
    try program.write("mine", to: "New.sqlite.verification/letter.txt")
    try refuse(verify, "New.sqlite.verification cannot be made: it already exists and was not")
  }

  @Test func `settings of a folder that name it as scratch remove nothing`() throws {
    try program.write(
      #"{ "bulkmigrate": "config/1", "options": { "scratch": "." } }"#,
      to: "bulkmigrate.config.json"
    )
    try refuse(["verify", "--level", "full"], "it already exists and was not made by bulkmigrate")
  }

  @Test func `a link in the place of the folder is not followed`() throws {
    try program.write("theirs", to: "victim/letter.txt")
    try FileManager.default.createSymbolicLink(
      atPath: program.directory.path("New.sqlite.verification"),
      withDestinationPath: "victim"
    )
    try refuse(["verify", "--level", "full"], "it is a symbolic link")
  }

  @Test(.enabled(if: geteuid() == 0, "skips because only root can give files away"))
  func `a folder of another user is no place for an expected store`() throws {
    let folder = try program.directory.folder("New.sqlite.verification")
    #expect(chown(folder, 1, 1) == 0)
    try refuse(["verify", "--level", "full"], "belongs to another user")
  }

  @Test func `an empty folder is used and stays, one that was made goes`() throws {
    _ = try program.directory.folder("S")
    for name in ["S", "T"] {
      let run = try program("verify", "--level", "full", "--scratch", name)
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try program.names(in: "S") == [])
    #expect(try !program.directory.contents().contains("T"))
    #expect(try !program.directory.contents().contains("New.sqlite.verification"))
  }

  @Test func `a verification that is refused leaves the folder as it was`() throws {
    _ = try program.directory.folder("S")
    try program.write("no store", to: "Notes.sqlite")
    for name in ["S", "T"] {
      #expect(try program("verify", "--level", "full", "--scratch", name).status != 0)
    }
    #expect(try program.names(in: "S") == [])
    #expect(try !program.directory.contents().contains("T"))
  }

  @Test func `what others put beside an expected store stays`() throws {
    let words = ["verify", "--level", "full", "-q", "--scratch", "S"]
    let run = try program.start(words, standingAt: "counted:0")
    let names = ["expected.sqlite", "letter.txt", "destination/a"]
    for name in names { try program.write("mine", to: "S/\(name)") }
    #expect(run.goOn() == 0, "\(run.errors)")
    let after = try program.directory.bytes()
    #expect(names.allSatisfy { after["S/\($0)"] == Data("mine".utf8) })
    #expect(
      try program.names(in: "S") == [
        ".bulkmigrate", "destination", "expected.sqlite", "letter.txt",
      ]
    )
    // What is left is still ours.
    #expect(try program(words).status == 0)
  }

  @Test func `a verification that was killed is continued, a second one at a time refused`() throws
  {
    let words = ["verify", "--level", "full", "-q"]
    let run = try program.start(words, standingAt: "counted:0")
    #expect(try program(words).status == 8)
    run.send(SIGKILL)
    _ = run.end()
    #expect(try program(words).status == 0)
    #expect(try !program.directory.contents().contains("New.sqlite.verification"))
  }

  @Test func `a state directory that was given empty stays`() throws {
    try FileManager.default.removeItem(atPath: program.directory.path("New.sqlite"))
    _ = try program.directory.folder("S")
    #expect(try program("run", "-q", "--state-dir", "S").status == 0)
    #expect(try program.names(in: "S") == [])
  }
}
