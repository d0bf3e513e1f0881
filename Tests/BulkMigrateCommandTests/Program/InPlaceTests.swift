#if os(Linux)
import BulkSQLite
import BulkTestSupport
import Foundation
import Testing

@Suite(
  "Stores that are migrated in their place",
  .tags(.promise13),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct InPlaceTests {
  private let migration: LongMigration
  private var program: Program { migration.program }
  private let old: Data

  private static let words = [
    "migrate", "-q", "Source.sqlite", "--mapping", "all.json", "--destination-model",
    "B.xcdatamodel",
  ]
  private static let value = "_EXTERNAL_DATA/0B61C1D5"

  init() throws {
    migration = try LongMigration()
    old = try Self.bytes(migration.program, "Source.sqlite")
    let folder = migration.program.directory.path(".Source_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("value".utf8).write(to: URL(fileURLWithPath: folder + "/0B61C1D5"))
  }

  private static func bytes(_ program: Program, _ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: program.directory.path(name)))
  }

  private func bytes(_ name: String) throws -> Data { try Self.bytes(program, name) }

  private func killed(at place: String, _ words: [String]) throws -> Bool {
    try migration.killed(at: place, words)
  }

  /// Whether a store with this name has its external value.
  private func hasValue(_ folder: String) -> Bool {
    let path = program.directory.path("\(folder)/\(Self.value)")
    return FileManager.default.contents(atPath: path) == Data("value".utf8)
  }

  @Test func `a store is replaced, and can be put back`() throws {
    let run = try program(Self.words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try bytes("Source.sqlite") == migration.undisturbed)
    #expect(try bytes("Source~.sqlite") == old)
    #expect(hasValue(".Source_SUPPORT") && hasValue(".Source~_SUPPORT"))
    #expect(
      try migration.leftovers() == [".Source_SUPPORT", ".Source~_SUPPORT", "Source~.sqlite"]
    )
    let again = try program(Self.words)
    #expect(again.status == 0)
    #expect(again.output == "Source.sqlite is of this version already: nothing was done\n")
    let rollback = try program("rollback", "Source.sqlite")
    #expect(rollback.status == 0, "\(rollback.errors)")
    #expect(try bytes("Source.sqlite") == old)
    #expect(try bytes("Source~undone.sqlite") == migration.undisturbed)
    #expect(hasValue(".Source_SUPPORT") && hasValue(".Source~undone_SUPPORT"))
    let nothing = try program("rollback", "Source.sqlite")
    #expect(nothing.status == 66)
    #expect(nothing.errors.contains("Source~.sqlite, so there is nothing to go back to"))
  }

  @Test func `a report is written of what was done in place, over no other file`() throws {
    let refused = try program(Self.words + ["--report", "all.json"])
    #expect(refused.status == 73)
    #expect(try bytes("Source.sqlite") == old)
    let kept = try program(Self.words + ["--report", "Source~.sqlite"])
    #expect(kept.status == 73)
    #expect(try bytes("Source~.sqlite") == old)
    #expect(try bytes("Source.sqlite") == migration.undisturbed)
    #expect(try program("rollback", "Source.sqlite").status == 0)
    try FileManager.default.removeItem(atPath: program.directory.path("Source~undone.sqlite"))
    try FileManager.default.removeItem(atPath: program.directory.path(".Source~undone_SUPPORT"))
    let run = try program(Self.words + ["--report", "report.html"])
    #expect(run.status == 0, "\(run.errors)")
    let report = try String(contentsOfFile: program.directory.path("report.html"), encoding: .utf8)
    #expect(report.hasPrefix("<!DOCTYPE html>"))
    #expect(report.contains("--report report.html"))
  }

  @Test(
    arguments: [
      "commit:3", "checkpoint:5", "synchronized:0", "external:0", "published:0", "kept-external:0",
      "kept:0", "swapped:0",
    ]
  )
  func `after a kill the old or the new store is in place, and doing it again goes on`(
    place: String
  ) throws {
    #expect(try killed(at: place, Self.words))
    #expect(try bytes("Source.sqlite") == (place == "swapped:0" ? migration.undisturbed : old))
    #expect(hasValue(".Source_SUPPORT"))
    let run = try program(Self.words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try bytes("Source.sqlite") == migration.undisturbed)
    #expect(try bytes("Source~.sqlite") == old)
    #expect(hasValue(".Source_SUPPORT") && hasValue(".Source~_SUPPORT"))
    #expect(
      try migration.leftovers() == [".Source_SUPPORT", ".Source~_SUPPORT", "Source~.sqlite"]
    )
  }

  @Test(arguments: ["commit:3", "published:0", "kept-external:0", "kept:0", "swapped:0"])
  func `a store that is rebuilt is rebuilt once, whatever interrupts it`(place: String) throws {
    let mapping = """
      { "bulkmigrate": "mapping/1", "entityMappings": [ { "source": "Note", "destination": "Note",
        "attributes": { "title": "uppercase:($source.title)" } } ] }
      """
    try Data(mapping.utf8)
      .write(to: URL(fileURLWithPath: program.directory.path("upper.json")))
    let words = [
      "migrate", "-q", "Source.sqlite", "--rebuild", "--mapping", "upper.json",
      "--destination-model", "A.xcdatamodel",
    ]
    #expect(try killed(at: place, words))
    let interrupted = try bytes("Source.sqlite")
    #expect((interrupted == old) == (place != "swapped:0"))
    let run = try program(words)
    #expect(run.status == 0, "\(run.errors)")
    let rebuilt = try bytes("Source.sqlite")
    #expect(rebuilt != old)
    #expect(place != "swapped:0" || rebuilt == interrupted)
    #expect(try bytes("Source~.sqlite") == old)
    #expect(hasValue(".Source_SUPPORT") && hasValue(".Source~_SUPPORT"))
    try FileManager.default.removeItem(atPath: program.directory.path("upper.json"))
    #expect(
      try migration.leftovers() == [".Source_SUPPORT", ".Source~_SUPPORT", "Source~.sqlite"]
    )
  }

  @Test func `what a kill leaves of the folder goes with the next command`() throws {
    #expect(try program(Self.words).status == 0)
    for name in ["lock", ".bulkmigrate"] {
      let folder = try program.directory.folder("Source.sqlite.bulkmigrate")
      try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      #expect(try program(Self.words).status == 0)
      #expect(!FileManager.default.fileExists(atPath: folder), "\(name)")
    }
  }

  /// A folder of external values that somebody put where the kept one would be, after the new store was made.
  @Test func `a folder of others beside the kept store stays`() throws {
    try FileManager.default.removeItem(atPath: program.directory.path(".Source_SUPPORT"))
    #expect(try killed(at: "published:0", Self.words))
    try program.write("mine", to: ".Source~_SUPPORT/letter.txt")
    _ = try program(Self.words)
    _ = try program(Self.words + ["--rebuild"])
    #expect(
      try program.directory.bytes()[".Source~_SUPPORT/letter.txt"] == Data("mine".utf8)
    )
  }

  @Test func `a rebuild that was begun is given up where nothing is to be done`() throws {
    let words = ["migrate", "-q", "Source.sqlite", "--destination-model", "A.xcdatamodel"]
    #expect(try killed(at: "kept:0", words + ["--rebuild"]))
    #expect(try program(words).status == 0)
    #expect(try bytes("Source.sqlite") == old)
    #expect(hasValue(".Source_SUPPORT"))
    #expect(try migration.leftovers() == [".Source_SUPPORT"])
  }

  @Test(arguments: ["restored-external:0", "undone:0", "rolled-back:0"])
  func `a rollback can be killed too`(place: String) throws {
    #expect(try program(Self.words).status == 0)
    #expect(try killed(at: place, ["rollback", "Source.sqlite"]))
    let isDone = place == "rolled-back:0"
    #expect(try bytes("Source.sqlite") == (isDone ? old : migration.undisturbed))
    #expect(hasValue(".Source_SUPPORT"))
    #expect(try program("rollback", "Source.sqlite").status == 0)
    // What was killed late is done, once.
    #expect(try program("rollback", "Source.sqlite").status == 66)
    #expect(try bytes("Source.sqlite") == old)
    #expect(try bytes("Source~undone.sqlite") == migration.undisturbed)
    #expect(hasValue(".Source_SUPPORT") && hasValue(".Source~undone_SUPPORT"))
  }

  // MARK: What models of the protocol found (Plans/models/findings.md)

  @Test func `a swap that has only begun is not rolled back`() throws {
    #expect(try killed(at: "kept:0", Self.words))
    let refused = try program("rollback", "Source.sqlite")
    #expect(refused.status == 66)
    #expect(try bytes("Source.sqlite") == old)
    #expect(try !migration.leftovers().contains("Source~undone.sqlite"))
    let run = try program(Self.words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try bytes("Source.sqlite") == migration.undisturbed)
    #expect(try program("rollback", "Source.sqlite").status == 0)
    #expect(try bytes("Source.sqlite") == old)
  }

  @Test func `a file that is no store is not put back`() throws {
    #expect(try program(Self.words).status == 0)
    let kept = URL(fileURLWithPath: program.directory.path("Source~.sqlite"))
    try Data("theirs".utf8).write(to: kept)
    let refused = try program("rollback", "Source.sqlite")
    #expect(refused.status == 65, "\(refused.errors)")
    #expect(try bytes("Source.sqlite") == migration.undisturbed)
    #expect(try bytes("Source~.sqlite") == Data("theirs".utf8))
  }

  @Test func `a copy that an interrupted swap kept without hard links counts as its own`() throws {
    #expect(try killed(at: "kept:0", Self.words))
    let kept = URL(fileURLWithPath: program.directory.path("Source~.sqlite"))
    try FileManager.default.removeItem(at: kept)
    try old.write(to: kept)
    let run = try program(Self.words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try bytes("Source.sqlite") == migration.undisturbed)
    #expect(try bytes("Source~.sqlite") == old)
    #expect(hasValue(".Source_SUPPORT") && hasValue(".Source~_SUPPORT"))
  }

  @Test func `values of a kept store stay when a later swap has only begun`() throws {
    #expect(try killed(at: "swapped:0", Self.words))
    let new = try program.directory.folder("Source.sqlite.bulkmigrate/new")
    try Data("cut off".utf8).write(to: URL(fileURLWithPath: "\(new)/Source.sqlite"))
    let run = try program(Self.words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try bytes("Source.sqlite") == migration.undisturbed)
    #expect(try bytes("Source~.sqlite") == old)
    #expect(hasValue(".Source_SUPPORT") && hasValue(".Source~_SUPPORT"))
  }

  @Test func `a store that was kept before is not overwritten`() throws {
    try Data("kept".utf8).write(to: URL(fileURLWithPath: program.directory.path("Source~.sqlite")))
    let run = try program(Self.words)
    #expect(run.status == 73)
    #expect(
      run.errors
        == "bulkmigrate: \(program.directory.path)/Source~.sqlite already exists, kept from an "
        + "earlier migration, and is not overwritten; delete it, or go back to it with bulkmigrate "
        + "rollback Source.sqlite\n"
    )
    #expect(try bytes("Source~.sqlite") == Data("kept".utf8))
    #expect(try bytes("Source.sqlite") == old)
  }

  @Test func `calls that have no time at all come to the end together`() throws {
    let codes = try Slices.codes { try program(Self.words + ["--max-duration", "0s"]) }
    #expect(codes.count > 8)
    #expect(codes.dropLast().allSatisfy { $0 == 6 }, "\(codes)")
    #expect(codes.last == 0, "\(codes)")
    #expect(try bytes("Source.sqlite") == migration.undisturbed)
    #expect(try bytes("Source~.sqlite") == old)
  }

  @Test func `a folder that cannot be removed afterwards is told, and removed by the next call`()
    throws
  {
    let lock = program.directory.path("Source.sqlite.bulkmigrate/state/lock")
    let run = try migration.standing(at: "swapped:0", Self.words)
    try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
    #expect(run.goOn() == 74)
    let path = program.directory.path("Source.sqlite")
    #expect(
      run.errors
        == "bulkmigrate: \(path) is migrated, but \(path).bulkmigrate cannot be removed: "
        + "Is a directory; the same command removes it\n"
    )
    try FileManager.default.removeItem(atPath: lock)
    let again = try program(Self.words)
    #expect(again.status == 0, "\(again.errors)")
    #expect(
      try migration.leftovers() == [".Source_SUPPORT", ".Source~_SUPPORT", "Source~.sqlite"]
    )
  }

  @Test func `a store that somebody has open is left alone`() throws {
    let connection = try Connection(
      path: program.directory.path("Source.sqlite"),
      access: .readWrite
    )
    try connection.execute("BEGIN")
    _ = try connection.value("SELECT count(*) FROM ZNOTE")
    let run = try program(Self.words)
    #expect(run.status == 75)
    #expect(
      run.errors.hasSuffix(
        "Source.sqlite is open in another program; close it and try again; nothing was replaced\n"
      )
    )
    #expect(try bytes("Source.sqlite") == old)
    try connection.execute("ROLLBACK")
  }

  @Test func `what is written after an interruption is not lost`() throws {
    #expect(try killed(at: "kept:0", Self.words))
    let store = StoreFile(program.directory.path("Source.sqlite"))
    try store.execute("UPDATE ZNOTE SET ZTITLE = 'later' WHERE Z_PK = 7")
    let run = try program(Self.words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try store.rows("SELECT ZTITLE FROM ZNOTE WHERE Z_PK = 7") == [["LATER"]])
  }
}
#endif
