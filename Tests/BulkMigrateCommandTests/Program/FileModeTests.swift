#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// Who may read what a migration makes.
@Suite(
  "Modes of files",
  .tags(.promise7),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct FileModeTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("value", to: ".Notes_SUPPORT/_EXTERNAL_DATA/0B61C1D5")
    try #require(try program(Program.plan).status == 0)
  }

  private func set(_ mode: Int, of name: String) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode],
      ofItemAtPath: program.directory.path(name)
    )
  }

  @Test(arguments: [
    [0o600, 0o600], [0o640, 0o640], [0o644, 0o644], [0o444, 0o644], [0o400, 0o600],
  ])
  func `the destination can be read by those who can read the source`(modes: [Int]) throws {
    try set(modes[0], of: "Notes.sqlite")
    try set(modes[0], of: ".Notes_SUPPORT/_EXTERNAL_DATA/0B61C1D5")
    try set(0o750, of: ".Notes_SUPPORT")
    let run = try program("run", "-q")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try program.mode(of: "New.sqlite") == modes[1])
    #expect(try program.mode(of: ".New_SUPPORT/_EXTERNAL_DATA/0B61C1D5") == modes[1])
    #expect(try program.mode(of: ".New_SUPPORT") == 0o750)
  }

  @Test(.enabled(if: geteuid() == 0, "skips because only root can give files away"))
  func `a source of another group gives its group to the destination`() throws {
    try set(0o640, of: "Notes.sqlite")
    #expect(chown(program.directory.path("Notes.sqlite"), 0, 7) == 0)
    #expect(try program("run", "-q").status == 0)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: program.directory.path("New.sqlite")
    )
    #expect(attributes[.groupOwnerAccountID] as? Int == 7)
    #expect(try program.mode(of: "New.sqlite") == 0o640)
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
    try set(0o600, of: "Notes.sqlite")
    let words = ["migrate", "-q", "Notes.sqlite", "--destination-model", "v2.mom"]
    let run = try program.start(words, standingAt: "counted:0")
    #expect(try program.mode(of: "Notes.sqlite.bulkmigrate") == 0o700)
    #expect(run.goOn() == 0, "\(run.errors)")
    #expect(try program.mode(of: "Notes.sqlite") == 0o600)
  }
}
#endif
