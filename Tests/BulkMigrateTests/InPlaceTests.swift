import BulkMigrate
import BulkTestSupport
import Testing

struct InPlaceTests {
  private let app: AppVersions

  init() throws {
    app = try AppVersions()
    try app.writeStore(1)
  }

  private var migration: StoreMigration {
    var migration = StoreMigration(
      inPlace: app.url("store.sqlite"),
      models: [app.url("App.momd")],
      version: "v2"
    )
    migration.memoryLimit = .gibibytes(64)
    return migration
  }

  private func stores() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: app.path("")).sorted()
  }

  @Test func `the store has the version afterwards, and a rollback gives the old one back`()
    async throws
  {
    let error = await #expect(throws: StoreMigrationError.self) { try await migration.rollback() }
    #expect(error?.code == .nothingToResume)
    let old = try Files.read(app.path("store.sqlite"))
    #expect(try await migration.migrate().rows == 2)
    #expect(try stores() == ["App.momd", "store.sqlite", "store~.sqlite"])
    #expect(try Files.read(app.path("store~.sqlite")) == old)
    #expect(
      try StoreFile(app.path("store.sqlite")).rows("SELECT ZTITLE, ZSTARS FROM ZNOTE") == [
        ["a", nil], ["b", nil],
      ]
    )
    let new = try Files.read(app.path("store.sqlite"))
    // A store of the version is left as it is.
    #expect(try await migration.migrate().destination == nil)
    #expect(try Files.read(app.path("store.sqlite")) == new)
    #expect(try await migration.rollback().path == app.path("store~undone.sqlite"))
    #expect(try Files.read(app.path("store.sqlite")) == old)
    #expect(try Files.read(app.path("store~undone.sqlite")) == new)
  }

  @Test func `the example of the manual goes to the current version`() async throws {
    try await bringUpToDate(app.url("store.sqlite"), models: app.url("App.momd"))
    #expect(
      try StoreFile(app.path("store.sqlite")).rows("SELECT ZTITLE, ZRANK, ZBODY FROM ZNOTE") == [
        ["a", nil, nil], ["b", nil, nil],
      ]
    )
  }

  @Test func `a mapping of the version that the store has is applied once`() async throws {
    try app.write(
      """
      { "bulkmigrate": "mapping/1",
        "source": { "model": "App.momd/v1.mom" }, "destination": { "model": "App.momd/v1.mom" },
        "entityMappings": [
          { "source": "Note", "destination": "Note", "attributes": { "title": "FUNCTION($source.title, 'stringByAppendingString:', 'x')" } } ] }
      """,
      to: "longer.json"
    )
    var migration = migration
    migration.version = "v1"
    migration.mapping = app.url("longer.json")
    #expect(try await migration.migrate().rows == 2)
    let titles: [[StoredValue]] = [["ax"], ["bx"]]
    let store = StoreFile(app.path("store.sqlite"))
    #expect(try store.rows("SELECT ZTITLE FROM ZNOTE") == titles)
    #expect(try await migration.migrate().destination == nil)
    #expect(try store.rows("SELECT ZTITLE FROM ZNOTE") == titles)
  }

  @Test func `a migration in place may lose nothing either`() async throws {
    try app.writeStore(2)
    var migration = migration
    migration.version = "v1"
    migration.models = [app.url("App.momd/v1.mom")]
    let old = try Files.read(app.path("store.sqlite"))
    let error = await #expect(throws: StoreMigrationError.self) { try await migration.migrate() }
    #expect(error?.code == .tooMuchLost)
    #expect(try Files.read(app.path("store.sqlite")) == old)
  }
}

struct ReplayTests {
  private let folder = TemporaryDirectory()

  /// Three notes, of which the second has no title, and a model in which titles are required.
  init() throws {
    let note = EntityDescription("Note", [.optional("title")])
    let store = TestStore(
      try .of(note),
      .each("Note", ["title": "a"], [:], ["title": "c"])
    )
    _ = try store.write(to: folder.path("store.sqlite"))
    try TestStore.write(.of(note), to: folder.path("v1.mom"))
    try TestStore.write(
      .of(EntityDescription("Note", [.required("title")])),
      to: folder.path("v2.mom")
    )
    try Files.write(Array(Self.mapping.utf8), to: folder.path("mapping.json"))
  }

  private static let mapping = """
    { "bulkmigrate": "mapping/1",
      "source": { "model": "v1.mom" }, "destination": { "model": "v2.mom" },
      "entityMappings": [
        { "source": "Note", "destination": "Note", "attributes": { "title": "$source.title" } } ] }
    """

  private var migration: StoreMigration {
    var migration = StoreMigration(
      source: URL(fileURLWithPath: folder.path("store.sqlite")),
      destination: URL(fileURLWithPath: folder.path("new.sqlite")),
      mapping: URL(fileURLWithPath: folder.path("mapping.json"))
    )
    migration.memoryLimit = .gibibytes(64)
    migration.rejects = RejectPolicy(.quarantine)
    return migration
  }

  private func titles() throws -> [[StoredValue]] {
    try StoreFile(folder.path("new.sqlite")).rows("SELECT ZTITLE FROM ZNOTE ORDER BY Z_PK")
  }

  @Test func `they are brought in once their values are corrected`() async throws {
    #expect(try await migration.run().rejected == 1)
    #expect(try titles() == [["a"], ["c"]])
    let error = await #expect(throws: StoreMigrationError.self) { try await migration.replay() }
    #expect(error?.code == .invalidObjects)
    #expect(try titles() == [["a"], ["c"]])

    let rejects = folder.path("new.sqlite.bulkmigrate/rejects/Note.jsonl")
    let line = String(decoding: try Files.read(rejects), as: UTF8.self)
    let corrected = line.replacing("\"title\": null", with: "\"title\": \"b\"")
    #expect(corrected != line)
    try Files.write(Array(corrected.utf8), to: rejects)
    #expect(try await migration.replay().rows == 3)
    #expect(try titles() == [["a"], ["b"], ["c"]])
  }

  @Test func `nothing is done where nothing was left out`() async throws {
    var migration = migration
    migration.mapping = nil
    migration.destinationModel = URL(fileURLWithPath: folder.path("v1.mom"))
    migration.strategy = .rebuild
    #expect(try await migration.replay().destination == nil)
  }
}
