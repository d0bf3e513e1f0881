import BulkTestSupport
import Testing

/// Folders that a user gives to commands other than `run`, and those that they make beside a store.
@Suite(
  "The program, and folders that are not its own",
  .tags(.promise1, .promise2, .promise4),
  .program
)
struct GivenFolderTests {
  private let program: Program
  private static let verify = ["verify", "--level", "full", "-q"]

  init() throws {
    program = try Program()
    try #require(try program(Program.plan).status == 0)
    try #require(try program("run", "-q").status == 0)
  }

  private func refuse(_ reason: String, _ options: [String] = []) throws {
    let before = try program.directory.bytes()
    let run = try program(Self.verify + options).ending(73, "\(options)")
    #expect(run.errors.contains(reason), "\(options): \(run.errors)")
    #expect(try program.directory.bytes() == before, "\(options)")
  }

  @Test func `a folder that is not ours cannot take an expected store`() throws {
    try refuse("it already exists and was not made by bulkmigrate", ["--scratch", "."])
    try program.write("mine", to: "S/letter.txt")
    try refuse("S cannot be made: it already exists and was not made", ["--scratch", "S"])
    let scratch = program.directory.path("New.sqlite.verification")
    try program.write("mine", to: "New.sqlite.verification/letter.txt")
    try refuse("New.sqlite.verification cannot be made: it already exists and was not")
    try FileManager.default.removeItem(atPath: scratch)
    try FileManager.default.createSymbolicLink(atPath: scratch, withDestinationPath: "S")
    try refuse("it is a symbolic link")
    try FileManager.default.removeItem(atPath: scratch)
    // Only root can give files away.
    guard geteuid() == 0 else { return }
    let folder = try program.directory.folder("New.sqlite.verification")
    #expect(chown(folder, 1, 1) == 0)
    try refuse("belongs to another user")
  }

  @Test(arguments: [true, false])
  func `an empty folder is used and stays, one that was made goes`(isStore: Bool) throws {
    _ = try program.directory.folder("S")
    if !isStore { try program.write("no store", to: "Notes.sqlite") }
    for options in [["--scratch", "S"], ["--scratch", "T"], []] {
      let run = try program(Self.verify + options)
      #expect((run.status == 0) == isStore, "\(run.errors)")
    }
    #expect(try program.names(in: "S") == [])
    let names = try program.directory.contents()
    #expect(!names.contains("T") && !names.contains("New.sqlite.verification"))
  }

  @Test func `what others put beside an expected store stays`() throws {
    let words = Self.verify + ["--scratch", "S"]
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
    let run = try program.start(Self.verify, standingAt: "counted:0")
    #expect(try program(Self.verify).status == 8)
    run.send(SIGKILL)
    _ = run.end()
    #expect(try program(Self.verify).status == 0)
    #expect(try !program.directory.contents().contains("New.sqlite.verification"))
  }
}
