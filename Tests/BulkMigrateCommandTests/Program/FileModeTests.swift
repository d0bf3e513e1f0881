#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

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
#endif
