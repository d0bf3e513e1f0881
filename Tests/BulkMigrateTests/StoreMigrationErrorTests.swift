import BulkMigrate
import BulkTestSupport
import Testing

@Suite("Errors of a migration from Swift", .tags(.promise20))
struct StoreMigrationErrorTests {
  private let app: AppVersions
  private var migration: StoreMigration { StoreMigration(of: app, version: "v2") }

  init() throws {
    app = try AppVersions()
    try app.writeStore(1)
  }

  /// The error of a migration, with the names of files without their folder.
  private func failure(
    _ code: StoreMigrationError.Code,
    of migration: StoreMigration,
    _ work: (StoreMigration) async throws -> Void = { _ = try await $0.plan() }
  ) async throws -> String {
    let error = try await #require(throws: StoreMigrationError.self) { try await work(migration) }
    #expect(error.code == code)
    #expect(error.localizedDescription == error.description)
    return error.description.replacing(app.path(""), with: "")
  }

  /// A migration by a mapping file of some text.
  private func migration(by mapping: String) throws -> StoreMigration {
    try app.write(mapping, to: "mapping.json")
    return StoreMigration(
      source: app.url("store.sqlite"),
      destination: app.url("new.sqlite"),
      mapping: app.url("mapping.json")
    )
  }

  @Test func `a source that is not there or on the net is missing`() async throws {
    var migration = migration
    migration.source = app.url("other.sqlite")
    #expect(try await failure(.missingInput, of: migration) == "other.sqlite: no such file")
    migration.source = try #require(URL(string: "https://example.org/store.sqlite"))
    #expect(
      try await failure(.missingInput, of: migration)
        == "https://example.org/store.sqlite names no file"
    )
  }

  @Test func `a destination that is there is not overwritten`() async throws {
    try app.write("mine", to: "new.sqlite")
    let text = try await failure(.destinationExists, of: migration) { try await $0.run() }
    #expect(text.hasPrefix("new.sqlite already exists and is not overwritten"))
    #expect(try Files.read(app.path("new.sqlite")) == Array("mine".utf8))
  }

  @Test func `a plan of another migration is refused, and one whose source has changed`()
    async throws
  {
    let other = try await StoreMigration(of: app, to: "other.sqlite", version: "v2").plan()
    let plan = try await migration.plan()
    try StoreFile(app.path("store.sqlite")).execute("UPDATE ZNOTE SET ZTITLE = 'c'")
    for (plan, reason) in [
      (plan, "the source store store.sqlite has changed"),
      (other, "the plan makes other.sqlite of store.sqlite, not new.sqlite of store.sqlite"),
    ] {
      let text = try await failure(.stalePlan, of: migration) { try await $0.run(plan) }
      #expect(
        text == "the plan does not fit its inputs any more; make a new one:\n  \(reason)"
      )
    }
    #expect(!FileManager.default.fileExists(atPath: app.path("new.sqlite")))
  }

  @Test func `without an interrupted run there is nothing to resume`() async throws {
    let text = try await failure(.nothingToResume, of: migration) { try await $0.resume() }
    #expect(
      text
        == "there is nothing to resume in new.sqlite.bulkmigrate: no run was interrupted, or none after its first checkpoint; run() begins one"
    )
  }

  @Test func `more than the limit is not lost`() async throws {
    try app.writeStore(2)
    let migration = StoreMigration(
      app.path("store.sqlite"),
      to: app.path("App.momd/v1.mom"),
      as: app.path("new.sqlite")
    )
    let text = try await failure(.tooMuchLost, of: migration) { try await $0.run() }
    #expect(text.hasPrefix("more is lost than a `lossLimit` of .count(0) allows;"))
    #expect(text.hasSuffix("pass a `lossLimit` of .count(1)"))
  }

  @Test func `what is missing is asked for by the names of arguments and properties`() async throws
  {
    let version = try await failure(.ambiguousInput, of: StoreMigration(of: app, version: "v9"))
    #expect(version.hasPrefix("there is no version v9; pass `version` with one of its versions:\n"))
    let bare = try migration(by: #"{ "bulkmigrate": "mapping/1", "entityMappings": [] }"#)
    #expect(
      try await failure(.missingInput, of: bare).contains("pass `destinationModel` or a mapping")
    )
    let policy = try migration(
      by: """
        { "bulkmigrate": "mapping/1", "source": { "model": "App.momd/v1.mom" },
          "destination": { "model": "App.momd/v2.mom" },
          "entityMappings": [
            { "source": "Note", "destination": "Note", "policy": "Notes.Starring" } ] }
        """
    )
    #expect(
      try await failure(.policy, of: policy).hasSuffix("add them to `policies` or `transformers`")
    )
    var small = migration
    small.memoryLimit = .mebibytes(1)
    let text = try await failure(.limitTooSmall, of: small) { try await $0.run() }
    #expect(text.hasPrefix("`memoryLimit` 1 MiB is too small: this migration needs at least "))
  }
}
