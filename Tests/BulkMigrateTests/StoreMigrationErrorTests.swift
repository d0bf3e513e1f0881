import BulkMigrate
import BulkTestSupport
import Foundation
import Testing

@Suite("Errors of a migration from Swift", .tags(.promise20))
struct StoreMigrationErrorTests {
  private let app: AppVersions

  init() throws {
    app = try AppVersions()
    try app.writeStore(1)
  }

  /// The error of some work, with the names of files without their folder.
  private func failure(
    _ code: StoreMigrationError.Code,
    of work: () async throws -> Void
  ) async throws -> String {
    let error = try await #require(throws: StoreMigrationError.self) { try await work() }
    #expect(error.code == code)
    #expect(error.localizedDescription == error.description)
    return error.description.replacing(app.path(""), with: "")
  }

  @Test func `a source that is not there is missing`() async throws {
    var migration = StoreMigration(of: app)
    migration.source = app.url("other.sqlite")
    let text = try await failure(.missingInput) { [migration] in _ = try await migration.plan() }
    #expect(text == "other.sqlite: no such file")
  }

  @Test func `a source on the net is missing`() async throws {
    var migration = StoreMigration(of: app)
    migration.source = try #require(URL(string: "https://example.org/store.sqlite"))
    let text = try await failure(.missingInput) { [migration] in _ = try await migration.plan() }
    #expect(text == "https://example.org/store.sqlite names no file")
  }

  @Test func `a destination that is there is not overwritten`() async throws {
    try app.write("mine", to: "new.sqlite")
    let migration = StoreMigration(of: app, version: "v2")
    let text = try await failure(.destinationExists) { _ = try await migration.run() }
    #expect(
      text
        == "new.sqlite already exists and is not overwritten; name another destination or move it away"
    )
    #expect(try Files.read(app.path("new.sqlite")) == Array("mine".utf8))
  }

  @Test func `a plan is stale when the source has changed`() async throws {
    let migration = StoreMigration(of: app, version: "v2")
    let plan = try await migration.plan()
    try StoreFile(app.path("store.sqlite")).execute("UPDATE ZNOTE SET ZTITLE = 'c'")
    let text = try await failure(.stalePlan) { _ = try await migration.run(plan) }
    #expect(
      text == """
        the plan does not fit its inputs any more; make a new one:
          the source store store.sqlite has changed
        """
    )
    #expect(!FileManager.default.fileExists(atPath: app.path("new.sqlite")))
  }

  @Test func `a plan of another migration is refused`() async throws {
    let plan = try await StoreMigration(of: app, to: "other.sqlite", version: "v2").plan()
    let migration = StoreMigration(of: app, version: "v2")
    let text = try await failure(.stalePlan) { _ = try await migration.run(plan) }
    #expect(
      text == """
        the plan does not fit its inputs any more; make a new one:
          the plan makes other.sqlite of store.sqlite, not new.sqlite of store.sqlite
        """
    )
  }

  @Test func `without an interrupted run there is nothing to resume`() async throws {
    let migration = StoreMigration(of: app, version: "v2")
    let text = try await failure(.nothingToResume) { _ = try await migration.resume() }
    #expect(
      text == "there is no interrupted migration in new.sqlite.bulkmigrate; run() begins one"
    )
  }

  @Test func `more than the limit is not lost`() async throws {
    try app.writeStore(2)
    let migration = StoreMigration(
      app.path("store.sqlite"),
      to: app.path("App.momd/v1.mom"),
      as: app.path("new.sqlite")
    )
    let text = try await failure(.tooMuchLost) { _ = try await migration.run() }
    #expect(
      text == """
        more is lost than a `lossLimit` of .count(0) allows; nothing was made:
          1 value of Note.stars: nothing in the destination is made of them
        to accept this, pass a `lossLimit` of .count(1) or a `lossLimit` of .all
        """
    )
  }

  @Test func `a version that no model has is asked for by the argument's name`() async throws {
    let migration = StoreMigration(of: app, version: "v9")
    let text = try await failure(.ambiguousInput) { _ = try await migration.plan() }
    #expect(
      text == """
        there is no version v9; pass `version` with one of its versions:
          v1
          v2
          v3
          v4  (current)
        """
    )
  }

  @Test func `a mapping without models asks for the model by the property's name`() async throws {
    try app.write(#"{ "bulkmigrate": "mapping/1", "entityMappings": [] }"#, to: "bare.json")
    let migration = StoreMigration(
      source: app.url("store.sqlite"),
      destination: app.url("new.sqlite"),
      mapping: app.url("bare.json")
    )
    let text = try await failure(.missingInput) { _ = try await migration.plan() }
    #expect(
      text == """
        no destination model is named; pass `destinationModel` or a mapping file that names one
        """
    )
  }

  @Test func `a policy that is missing is to be added to the policies`() async throws {
    try app.write(
      """
      { "bulkmigrate": "mapping/1", "source": { "model": "App.momd/v1.mom" },
        "destination": { "model": "App.momd/v2.mom" },
        "entityMappings": [
          { "source": "Note", "destination": "Note", "policy": "Notes.Starring" } ] }
      """,
      to: "policy.json"
    )
    let migration = StoreMigration(
      source: app.url("store.sqlite"),
      destination: app.url("new.sqlite"),
      mapping: app.url("policy.json")
    )
    let text = try await failure(.policy) { _ = try await migration.plan() }
    #expect(text.hasSuffix("\nadd them to `policies` or `transformers`"))
  }

  @Test func `a memory limit that is too small has the property's name`() async throws {
    var migration = StoreMigration(of: app, version: "v2")
    migration.memoryLimit = .mebibytes(1)
    let text = try await failure(.limitTooSmall) { [migration] in _ = try await migration.run() }
    #expect(text.hasPrefix("`memoryLimit` 1 MiB is too small: this migration needs at least "))
  }
}
