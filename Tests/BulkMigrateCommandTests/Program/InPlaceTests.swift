import BulkTestSupport
import Testing

@Suite("Stores that are migrated in their place", .tags(.promise13), .program)
struct InPlaceTests {
  private let migration: Interrupted
  private var program: Program { migration.program }
  private let old: [UInt8]
  private var new: [UInt8] { Array(migration.undisturbed) }

  private static let words =
    "migrate -q Source.sqlite --mapping all.json --destination-model B.mom".words
  private static let value = "_EXTERNAL_DATA/0B61C1D5"

  init() throws {
    migration = try Interrupted()
    old = try Files.read(migration.program.directory.path("Source.sqlite"))
    try migration.program.write("value", to: ".Source_SUPPORT/\(Self.value)")
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try Files.read(program.directory.path(name))
  }

  private func kill(at step: String, _ words: [String] = Self.words) throws {
    let run = try migration(words, failpoint: step)
    try #require(run.status == -9, "\(run.status) \(run.errors)")
  }

  private func migrate(_ words: [String] = Self.words) throws {
    let run = try migration(words)
    #expect(run.status == 0, "\(run.errors)")
  }

  private func refuse(_ words: [String], _ status: Int32, _ message: String = "") throws {
    let run = try migration(words)
    #expect(run.status == status, "\(run.errors)")
    #expect(message.isEmpty || run.errors.contains(message), "\(run.errors)")
  }

  /// Expects the new store with its value, or another one, and the old one beside it.
  private func expectReplaced(by made: [UInt8]? = nil, beside other: String = "Source~") throws {
    let kept = other == "Source~" ? old : new
    #expect(try bytes("Source.sqlite") == made ?? new)
    #expect(try bytes("\(other).sqlite") == kept)
    for folder in [".Source_SUPPORT", ".\(other)_SUPPORT"] {
      #expect(try bytes("\(folder)/\(Self.value)") == Array("value".utf8))
    }
    let names = try Set(migration.leftovers()).subtracting(["upper.json", "report.html"])
    #expect(names == [".Source_SUPPORT", ".\(other)_SUPPORT", "\(other).sqlite"])
  }

  @Test func `a store is replaced, and can be put back`() throws {
    try migrate()
    try expectReplaced()
    let again = try program(Self.words, ending: 0)
    #expect(again.output == "Source.sqlite is of this version already: nothing was done\n")
    try migrate(["rollback", "Source.sqlite"])
    try expectReplaced(by: old, beside: "Source~undone")
    try refuse(["rollback", "Source.sqlite"], 66, "so there is nothing to go back to")
  }

  @Test func `a report is written of what was done in place, over no other file`() throws {
    for name in ["all.json", "Source~.sqlite", "Source~.sqlite-wal"] {
      try refuse(Self.words + ["--report", name], 73)
    }
    #expect(try bytes("Source.sqlite") == old)
    try migrate(Self.words + ["--report", "report.html"])
    let report = String(decoding: try bytes("report.html"), as: UTF8.self)
    #expect(report.hasPrefix("<!DOCTYPE html>"))
    #expect(report.contains("--report report.html"))
    try expectReplaced()
  }

  @Test(
    arguments: [
      "commit:3", "checkpoint:5", "synchronized:0", "external:0", "published:0", "kept-external:0",
      "kept:0", "swapped:0",
    ]
  )
  func `after a kill the old or the new store is in place, and doing it again goes on`(
    step: String
  ) throws {
    try kill(at: step)
    #expect(try bytes("Source.sqlite") == (step == "swapped:0" ? new : old))
    #expect(try bytes(".Source_SUPPORT/\(Self.value)") == Array("value".utf8))
    try migrate()
    try expectReplaced()
  }

  @Test(arguments: ["commit:3", "published:0", "kept-external:0", "kept:0", "swapped:0"])
  func `a store that is rebuilt is rebuilt once, whatever interrupts it`(step: String) throws {
    try program.write(
      """
      { "bulkmigrate": "mapping/1", "entityMappings": [ { "source": "Note", "destination": "Note",
        "attributes": { "title": "uppercase:($source.title)" } } ] }
      """,
      to: "upper.json"
    )
    let words = [
      "migrate", "-q", "Source.sqlite", "--strategy", "rebuild", "--mapping", "upper.json",
      "--destination-model", "A.mom",
    ]
    try kill(at: step, words)
    let interrupted = try bytes("Source.sqlite")
    #expect((interrupted == old) == (step != "swapped:0"))
    try migrate(words)
    let rebuilt = try bytes("Source.sqlite")
    #expect(rebuilt != old)
    try expectReplaced(by: step == "swapped:0" ? interrupted : rebuilt)
  }

  @Test
  func `what was made stays where the next call is refused, and is not finished without the store`()
    throws
  {
    try kill(at: "checkpoint:5")
    let state = "Source.sqlite.bulkmigrate/state"
    try refuse(Self.words + ["--max-memory", "1M"], 7)
    try refuse(["resume", "--state-dir", state], 64, "bulkmigrate migrate")
    #expect(try program.names(in: state).contains { $0.hasPrefix("checkpoint-") })
    try migrate()
    try expectReplaced()
  }

  @Test func `a rebuild that was begun is given up where nothing is to be done`() throws {
    let words = ["migrate", "-q", "Source.sqlite", "--destination-model", "A.mom"]
    try kill(at: "kept:0", words + ["--strategy", "rebuild"])
    try migrate(words)
    #expect(try bytes("Source.sqlite") == old)
    #expect(try migration.leftovers() == [".Source_SUPPORT"])
  }

  @Test func `what a kill leaves of the folder goes with the next command`() throws {
    try migrate()
    for name in ["lock", ".bulkmigrate"] {
      try program.write("", to: "Source.sqlite.bulkmigrate/\(name)")
      try migrate()
      try expectReplaced()
    }
  }

  /// A folder of external values that somebody put where the kept one would be, after the new store was made.
  @Test func `a folder of others beside the kept store stays`() throws {
    program.remove(".Source_SUPPORT")
    try kill(at: "published:0")
    try program.write("mine", to: ".Source~_SUPPORT/letter.txt")
    _ = try program(Self.words)
    _ = try program(Self.words + ["--strategy", "rebuild"])
    #expect(try bytes(".Source~_SUPPORT/letter.txt") == Array("mine".utf8))
  }

  @Test(arguments: ["restored-external:0", "undone:0", "rolled-back:0"])
  func `a rollback can be killed too`(step: String) throws {
    try migrate()
    try kill(at: step, ["rollback", "Source.sqlite"])
    #expect(try bytes("Source.sqlite") == (step == "rolled-back:0" ? old : new))
    #expect(try bytes(".Source_SUPPORT/\(Self.value)") == Array("value".utf8))
    try migrate(["rollback", "Source.sqlite"])
    // What was killed late is done, once.
    try refuse(["rollback", "Source.sqlite"], 66)
    try expectReplaced(by: old, beside: "Source~undone")
  }

  // MARK: What models of the protocol found (Plans/models/findings.md)

  @Test func `a swap that has only begun is not rolled back`() throws {
    try kill(at: "kept:0")
    try refuse(["rollback", "Source.sqlite"], 66)
    #expect(try bytes("Source.sqlite") == old)
    #expect(try !migration.leftovers().contains("Source~undone.sqlite"))
    try migrate()
    try expectReplaced()
    try migrate(["rollback", "Source.sqlite"])
    #expect(try bytes("Source.sqlite") == old)
  }

  @Test func `a file that is not a store is not put back`() throws {
    try migrate()
    try program.write("theirs", to: "Source~.sqlite")
    try refuse(["rollback", "Source.sqlite"], 65)
    #expect(try bytes("Source.sqlite") == new)
    #expect(try bytes("Source~.sqlite") == Array("theirs".utf8))
  }

  @Test func `a copy that an interrupted swap kept without hard links counts as its own`() throws {
    try kill(at: "kept:0")
    program.remove("Source~.sqlite")
    try Files.write(old, to: program.directory.path("Source~.sqlite"))
    try migrate()
    try expectReplaced()
  }

  @Test func `values of a kept store stay when a later swap has only begun`() throws {
    try kill(at: "swapped:0")
    try program.write("cut off", to: "Source.sqlite.bulkmigrate/new/Source.sqlite")
    try migrate()
    try expectReplaced()
  }

  @Test func `a store that was kept before, or that somebody has open, is left alone`() throws {
    let connection = try Connection(
      path: program.directory.path("Source.sqlite"),
      access: .readWrite
    )
    try connection.execute("BEGIN")
    _ = try connection.value("SELECT count(*) FROM ZNOTE")
    try refuse(Self.words, 75, "open in another program; close it and try again; nothing was")
    try connection.execute("ROLLBACK")
    #expect(try bytes("Source.sqlite") == old)
    try program.write("kept", to: "Source~.sqlite")
    try refuse(Self.words, 73, "Source~.sqlite already exists, kept from an earlier migration")
    #expect(try bytes("Source~.sqlite") == Array("kept".utf8))
    #expect(try bytes("Source.sqlite") == old)
  }

  @Test func `calls that have no time at all come to the end together`() throws {
    let codes = try Slices.codes { try migration(Self.words + ["--max-duration", "0s"]) }
    #expect(codes.count > 8)
    #expect(codes.last == 0, "\(codes)")
    try expectReplaced()
  }

  @Test func `a folder that cannot be removed afterwards is told, and removed by the next call`()
    throws
  {
    let run = try migration.standing(at: "swapped:0", Self.words)
    let lock = try program.directory.folder("Source.sqlite.bulkmigrate/state/lock")
    #expect(run.goOn() == 74)
    #expect(run.errors.contains("Source.sqlite is migrated, but "), "\(run.errors)")
    #expect(run.errors.contains("cannot be removed: Is a directory; the same command removes it"))
    try FileManager.default.removeItem(atPath: lock)
    try migrate()
    try expectReplaced()
  }

  @Test func `what is written after an interruption is not lost`() throws {
    try kill(at: "kept:0")
    let store = StoreFile(program.directory.path("Source.sqlite"))
    try store.execute("UPDATE ZNOTE SET ZTITLE = 'later' WHERE Z_PK = 7")
    try migrate()
    #expect(try store.rows("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 7") == [["LATER"]])
  }
}

/// Two attempts to migrate one store in its place, of which one does not know of the other.
@Suite("Attempts in place that are overtaken", .tags(.promise15), .program)
struct InPlaceFencingTests {
  private let program: Program
  private static let words = ["migrate", "-q", "Notes.sqlite", "--destination-model", "v2.mom"]

  init() throws { program = try Program() }

  /// Removes all locks, without which nobody can know that their owner still runs.
  private func removeLocks() throws {
    for name in try program.directory.contents() where name.hasSuffix("/lock") {
      program.remove(name)
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
    try program(words, ending: 8)
    #expect(first.goOn() == 0, "\(first.errors)")
  }
}
