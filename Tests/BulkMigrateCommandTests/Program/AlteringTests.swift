import BulkTestSupport
import Testing

/// A store is changed itself, without a copy.
@Suite("Stores that are changed in their place", .program)
struct AlteringTests {
  private let migration: Interrupted
  private var program: Program { migration.program }
  private var store: StoreFile { StoreFile(program.directory.path("Source.sqlite")) }

  private static let words =
    "migrate -q Source.sqlite --destination-model B.mom --no-copy --max-loss all".words

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
    let run = try program(Self.words, ending: 0)
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
    try program(Self.words, ending: 0)
    #expect(try store.rows("PRAGMA encoding") == [[.text("UTF-16le")]])
    #expect(try store.meaning() == copied())
    #expect(try store.integrity() == [["ok"]])
  }

  /// A commit may lie in the log alone.
  @Test(arguments: [("delete", "altered:0"), ("wal", "altered:0"), ("wal", "step:1")])
  func `one that is killed is the old store, or whole after the next`(
    mode: String,
    failpoint: String
  ) throws {
    try store.execute("PRAGMA journal_mode = \(mode)")
    let before = try store.meaning()
    try program(Self.words, environment: ["BULKMIGRATE_FAILPOINT": failpoint]).ending(-9)
    if failpoint == "altered:0" {
      #expect(try store.meaning() == before)
    } else {
      #expect(try names().contains("Source.sqlite-wal"))
    }
    #expect(try program(Self.words).status == 0)
    #expect(try names() == ["Source.sqlite"])
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
    let run = try program(Self.words, ending: 75)
    #expect(run.errors.contains("is open in another program"), "\(run.errors)")
    try connection.execute("ROLLBACK")
    #expect(try Files.read(store.path) == before)
  }

  @Test func `what is refused leaves it as it is`() throws {
    func refuse(
      _ codes: Int32...,
      saying message: String,
      to words: [String] = Self.words
    ) throws {
      let before = try Files.read(store.path)
      let run = try program(words)
      #expect(codes.contains(run.status), "\(run.status) \(run.errors)")
      #expect(run.errors.contains(message), "\(run.errors)")
      #expect(try Files.read(store.path) == before)
    }
    try refuse(65, saying: "more is lost than", to: Array(Self.words.dropLast(2)))
    // Only a new store can have what is not a column.
    try store.execute("ALTER TABLE ZNOTE ADD COLUMN ZMORE INTEGER DEFAULT 3")
    try refuse(64, saying: "the store cannot be changed as it is: entity Page: the statement of")
    var bytes = try Files.read(store.path)
    bytes[bytes.count - 4096] ^= 0x40
    try Files.write(bytes, to: store.path)
    try refuse(64, 65, saying: "bulkmigrate: ")
  }
}
