#if os(Linux)
import BulkTestSupport
import Foundation
import Testing

/// Two attempts to migrate one store in its place, of which one does not know of the other.
@Suite(
  "Attempts in place that are overtaken",
  .tags(.promise15),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct InPlaceFencingTests {
  private let program: Program
  private static let words = ["migrate", "-q", "Notes.sqlite", "--destination-model", "v2.mom"]

  init() throws { program = try Program() }

  /// Removes all locks, without which nobody can know that their owner still runs.
  private func removeLocks() throws {
    for name in try program.directory.contents() where name.hasSuffix("/lock") {
      try FileManager.default.removeItem(atPath: program.directory.path(name))
    }
  }

  /// Where the other stands still while the first goes on; `nil` where it is done.
  @Test(arguments: [
    ("commit:1", "commit:1"), ("commit:1", "kept:0"), ("counted:0", "counted:0"),
    ("kept:0", "kept:0"), ("commit:1", nil),
  ])
  func `one that stood still changes nothing, and the other ends well`(
    first: String,
    second: String?
  ) throws {
    let overtaken = try program.start(Self.words, standingAt: first)
    try removeLocks()
    let other = try program.start(Self.words, standingAt: second)
    if second == nil { #expect(other.end() == 0) }
    let before = try program.directory.bytes()
    #expect(overtaken.goOn() == 9, "\(overtaken.errors)")
    #expect(try program.directory.bytes() == before)
    if second != nil { #expect(other.goOn() == 0, "\(other.errors)") }
    #expect(try program.names(in: ".") == ["Notes.sqlite", "Notes~.sqlite", "v1.mom", "v2.mom"])
    let made = StoreFile(program.directory.path("Notes.sqlite"))
    #expect(try made.rows("SELECT count(*), sum(ZSTARS) FROM ZNOTE") == [[3, 9]])
  }

  @Test(arguments: [words, ["rollback", "Notes.sqlite"]])
  func `a store that is being migrated is left to that process`(words: [String]) throws {
    let first = try program.start(Self.words, standingAt: "kept:0")
    let second = try program(words)
    #expect(second.status == 8, "\(second.errors)")
    #expect(first.goOn() == 0, "\(first.errors)")
  }
}
#endif
