import BulkMigrate
import BulkTestSupport
import CBulkSQLite
import Testing

/// Each test has a process of its own, in which nothing has used SQLite or made a thread of the library before.
@Suite("The process of an app", .serialized)
struct HostProcessTests {
  @Test func `a migration changes none of its settings`() async {
    await #expect(processExitsWith: .success) {
      let before = HostProcess()
      let ownSystems = Set(SQLiteSettings.fileSystems)
      try await HostProcessTests.migrate()
      let changes = HostProcess().changes(since: before)
      #expect(changes == [], "\(changes)")
      // A connection has one of these only by its name.
      let added = Set(SQLiteSettings.fileSystems).subtracting(ownSystems)
      let names = Set(["source", "scratch", "recorded", "plain"].map { "bulkmigrate-" + $0 })
      #expect(added == names, "\(added)")
    }
  }

  @Test func `a migration that is the first to use SQLite and threads leaves them as they come`()
    async
  {
    await #expect(processExitsWith: .success) {
      try await HostProcessTests.migrate()
      let settings = SQLiteSettings()
      let countsMemory = sqlite3_compileoption_used("DEFAULT_MEMSTATUS=0") == 0
      #expect(settings.countsMemory == countsMemory, "memory statistics")
      #expect(settings.fileSystem == "unix", "file system")
      #expect(Heap.adapts, "thresholds")
      #expect(Heap.arenas(ofThreads: 6) == 6, "arenas")
    }
  }

  /// Plans, examines, migrates and verifies a store by a mapping, in a route of two steps.
  private static func migrate() async throws {
    let app = try AppVersions()
    try app.writeStore(2)
    try app.writeMapping()
    var migration = StoreMigration(of: app)
    migration.mappings = [app.url("v2-to-v3.json")]
    let plan = try await migration.plan()
    _ = try await migration.preflight(plan)
    let outcome = try await migration.run(plan)
    #expect(outcome.rows == 2)
    #expect(try await migration.verify(plan, level: .full).differences == [])
  }
}
