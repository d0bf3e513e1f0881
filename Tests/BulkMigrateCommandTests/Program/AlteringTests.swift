#if os(Linux)
import BulkSQLite
import BulkTestSupport
import Foundation
import Testing

/// A store is changed itself, without a copy.
@Suite(
  "Stores that are changed in their place",
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct AlteringTests {
  private let migration: Interrupted
  private var program: Program { migration.program }
  private var store: StoreFile { StoreFile(program.directory.path("Source.sqlite")) }

  private static let words = [
    "migrate", "-q", "Source.sqlite", "--destination-model", "B.xcdatamodel", "--in-place",
    "--max-loss", "all",
  ]

  init() throws { migration = try Interrupted(copied: 250) }

  /// What the store holds when it is copied and changed.
  private func copied() throws -> [String] {
    let copy = StoreFile(program.directory.path("Copied.sqlite"))
    try migration.undisturbed.write(to: URL(fileURLWithPath: copy.path))
    return try copy.meaning()
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: program.directory.path)
      .filter { $0.contains("Source") }
  }

  @Test(arguments: ["delete", "wal"])
  func `it holds what a copy would hold, and nothing is left beside it`(mode: String) throws {
    try store.execute("PRAGMA journal_mode = \(mode)")
    let run = try program(Self.words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.errors.contains(
        "Source.sqlite itself is changed; nothing is kept of the old store, and rollback cannot go back"
      )
    )
    #expect(try names() == ["Source.sqlite"])
    #expect(try store.meaning() == copied())
    #expect(try store.integrity() == [["ok"]])
    #expect(try store.rows("PRAGMA journal_mode") == [[.text(mode)]])
    let again = try program(Self.words)
    #expect(again.output == "Source.sqlite is of this version already: nothing was done\n")
  }

  @Test func `texts in another encoding keep it`() throws {
    let other = program.directory.path("Other.sqlite")
    try Reencoding.write(store.path, to: other, as: "UTF-16le")
    try FileManager.default.removeItem(atPath: store.path)
    try FileManager.default.moveItem(atPath: other, toPath: store.path)
    let run = try program(Self.words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try store.rows("PRAGMA encoding") == [[.text("UTF-16le")]])
    #expect(try store.meaning() == copied())
    #expect(try store.integrity() == [["ok"]])
  }

  @Test(arguments: ["delete", "wal"])
  func `one that is killed before its commit is the old store`(mode: String) throws {
    try store.execute("PRAGMA journal_mode = \(mode)")
    let before = try store.meaning()
    let run = try program(Self.words, environment: ["BULKMIGRATE_FAILPOINT": "altered:0"])
    #expect(run.status == -9)
    #expect(try store.meaning() == before)
    #expect(try program(Self.words).status == 0)
    #expect(try store.meaning() == copied())
  }

  /// A commit may lie in the log alone.
  @Test func `one that is killed behind its commit is whole after the next`() throws {
    try store.execute("PRAGMA journal_mode = wal")
    let before = try Files.read(store.path)
    let run = try program(Self.words, environment: ["BULKMIGRATE_FAILPOINT": "step:1"])
    try #require(run.status == -9, "\(run.errors)")
    try #require(try names().contains("Source.sqlite-wal"))
    #expect(try program(Self.words).status == 0)
    #expect(try names() == ["Source.sqlite"])
    #expect(try Files.read(store.path) != before)
    #expect(try store.meaning() == copied())
  }

  /// A process that closes a file lets go of all the locks that it has on it.
  @Test(arguments: ["delete", "wal"])
  func `nobody else writes while it is changed`(mode: String) throws {
    try store.execute("PRAGMA journal_mode = \(mode)")
    let running = try program.start(Self.words, standingAt: "altered:0")
    let error = #expect(throws: SQLiteError.self) {
      try Connection(path: store.path, access: .readWrite).execute("CREATE TABLE intruder (a)")
    }
    #expect(error?.result == .busy)
    #expect(running.goOn() == 0, "\(running.errors)")
    #expect(try store.meaning() == copied())
  }

  @Test(arguments: ["delete", "wal"])
  func `what another program wrote after it was read is not lost`(mode: String) throws {
    try store.execute("PRAGMA journal_mode = \(mode)")
    let running = try program.start(Self.words, standingAt: "read:0")
    try store.execute("CREATE TABLE intruder (a)")
    let before = try store.meaning()
    #expect(running.goOn() == 5, "\(running.errors)")
    #expect(running.errors.contains("changed while it was read"), "\(running.errors)")
    #expect(try store.meaning() == before)
  }

  @Test func `a store that is open elsewhere is left alone`() throws {
    let before = try Files.read(store.path)
    let connection = try Connection(path: store.path, access: .readWrite)
    try connection.execute("BEGIN IMMEDIATE")
    let run = try program(Self.words)
    #expect(run.status == 75, "\(run.errors)")
    #expect(run.errors.contains("is open in another program"), "\(run.errors)")
    try connection.execute("ROLLBACK")
    #expect(try Files.read(store.path) == before)
  }

  @Test func `what only a new store can have is refused, with the reason`() throws {
    try store.execute("ALTER TABLE ZNOTE ADD COLUMN ZMORE INTEGER DEFAULT 3")
    let before = try Files.read(store.path)
    let run = try program(Self.words)
    #expect(run.status == 64, "\(run.errors)")
    #expect(
      run.errors
        == "bulkmigrate: the store cannot be changed as it is: entity Page: the statement of ZNOTE states "
        + "more than columns; without --strategy copy and --in-place it is rebuilt\n"
    )
    #expect(try Files.read(store.path) == before)
  }

  @Test func `a damaged store is refused`() throws {
    var bytes = try Files.read(store.path)
    bytes[bytes.count - 4096] ^= 0x40
    try Files.write(bytes, to: store.path)
    let run = try program(Self.words)
    #expect([64, 65].contains(run.status), "\(run.status) \(run.errors)")
    #expect(try Files.read(store.path) == bytes)
  }

  @Test func `nothing may be lost unless it is allowed`() throws {
    let before = try Files.read(store.path)
    let run = try program(Array(Self.words.dropLast(2)))
    #expect(run.status == 65, "\(run.errors)")
    #expect(try Files.read(store.path) == before)
  }
}
#endif
