import BulkMigrate
import BulkTestSupport
import Synchronization
import Testing

struct StoreMigrationTests {
  private let app: AppVersions

  init() throws {
    app = try AppVersions()
    try app.writeStore(2)
  }

  private func destination(_ columns: String...) throws -> [[StoredValue]] {
    let list = columns.joined(separator: ", ")
    return try StoreFile(app.path("new.sqlite")).rows("SELECT \(list) FROM ZNOTE ORDER BY Z_PK")
  }

  @Test func `a run plans and makes the destination`() async throws {
    try app.writeMapping()
    var migration = StoreMigration(of: app)
    migration.mappings = [app.url("v2-to-v3.json")]
    let outcome = try await migration.run()
    #expect(outcome.rows == 2)
    #expect(outcome.destination == app.url("new.sqlite"))
    #expect(try destination("ZTITLE", "ZRANK", "ZBODY") == [["a", 5, nil], ["b", nil, nil]])
  }

  @Test func `a version by its name ends the way`() async throws {
    try app.writeStore(1)
    try await StoreMigration(of: app, version: "v2").run()
    #expect(try destination("ZTITLE", "ZSTARS") == [["a", nil], ["b", nil]])
  }

  @Test func `expressions take the time from the host, on whatever thread they are evaluated`()
    async throws
  {
    try app.writeMapping(rank: "CAST(now(), 'NSNumber')")
    var migration = StoreMigration(of: app, version: "v3")
    migration.mappings = [app.url("v2-to-v3.json")]
    migration.lossLimit = .all
    var host = SystemHost()
    host.now = { Date(timeIntervalSinceReferenceDate: 700.5) }
    try await SystemHost.$current.withValue(host) { [migration] in _ = try await migration.run() }
    #expect(try destination("ZRANK") == [[700], [700]])
  }

  @Test func `a plan tells what is lost, and a run of it does the same`() async throws {
    var migration = StoreMigration(
      app.path("store.sqlite"),
      to: app.path("App.momd/v1.mom"),
      as: app.path("new.sqlite")
    )
    migration.lossLimit = .count(1)
    let plan = try await migration.plan()
    #expect(plan.rows == 2)
    #expect(
      plan.losses.map(\.description) == [
        "1 value of Note.stars: no mapping reads them"
      ]
    )
    #expect(!FileManager.default.fileExists(atPath: app.path("new.sqlite")))
    let outcome = try await migration.run(plan)
    #expect(outcome.losses == plan.losses)
    #expect(try destination("ZTITLE") == [["a"], ["b"]])
  }

  @Test func `a preflight reads all rows and makes nothing`() async throws {
    let before = try app.directory.contents()
    let report = try await StoreMigration(of: app, version: "v2").preflight()
    #expect(report.findings == [])
    let strict = StoreMigration(of: app, version: "v4")
    let plan = try await strict.plan()
    let found = try await strict.preflight(plan, sample: 1)
    #expect(found.plan == plan.fingerprint)
    #expect(found.rowsRead == 2)
    #expect(try app.directory.contents() == before)
  }

  @Test func `a plan is read from the file that it was written to`() async throws {
    let migration = StoreMigration(of: app, version: "v2")
    let plan = try await migration.plan()
    try plan.encoded().write(to: app.url("plan.json"))
    #expect(try MigrationPlan(contentsOf: app.url("plan.json")) == plan)
  }

  @Test func `a store of the version already is left as it is`() async throws {
    let outcome = try await StoreMigration(of: app, version: "v2").run()
    #expect(outcome.destination == nil)
    #expect(!FileManager.default.fileExists(atPath: app.path("new.sqlite")))
  }

  @Test func `progress never decreases, and ends with all rows`() async throws {
    try app.writeStore(1)
    var migration = StoreMigration(of: app, version: "v2")
    let steps = Mutex<[MigrationProgress]>([])
    migration.progressHandler = { step in steps.withLock { $0.append(step) } }
    #expect(try await migration.run().rows == 2)
    let rows = steps.withLock(\.self).map(\.rowsDone)
    let last = steps.withLock(\.last)
    #expect(rows == rows.sorted())
    #expect(last?.rowsDone == 2)
    #expect(last?.rowsTotal == 2)
    #expect(last?.stage == .publishing)
  }
}

/// The test has a process of its own, in which nothing was migrated before.
struct MemoryTests {
  @Test func `what a run leaves in memory is not counted against the next one`() async {
    await #expect(processExitsWith: .success) {
      let app = try AppVersions()
      try app.writeStore(2)
      try app.writeMapping()
      var needed: [Int] = []
      for number in 1...4 {
        var migration = StoreMigration(of: app, to: "new\(number).sqlite")
        migration.mappings = [app.url("v2-to-v3.json")]
        migration.memoryLimit = .mebibytes(1)
        let error = await #expect(throws: StoreMigrationError.self) { try await migration.run() }
        #expect(error?.code == .limitTooSmall)
        let words = try #require(error?.description.split(separator: " "))
        let place = try #require(words.firstIndex(of: "least"))
        needed.append(try #require(Int(words[place + 1])))
        migration.memoryLimit = .gibibytes(1)
        try await migration.run()
      }
      // In MiB; planning takes code and heap too, a run would add some 7.
      #expect(needed[3] - needed[0] <= 4)
    }
  }
}

extension StoreMigration {
  /// A migration of `store.sqlite` in a folder of versions, in the process of the tests, which holds more
  /// memory than a limit would allow for.
  init(of app: AppVersions, to destination: String = "new.sqlite", version: String? = nil) {
    self.init(
      source: app.url("store.sqlite"),
      destination: app.url(destination),
      models: [app.url("App.momd")],
      version: version
    )
    memoryLimit = .gibibytes(64)
  }

  /// A migration to a model, in the process of the tests.
  init(_ source: String, to model: String, as destination: String) {
    self.init(
      source: URL(fileURLWithPath: source),
      destination: URL(fileURLWithPath: destination),
      model: URL(fileURLWithPath: model)
    )
    memoryLimit = .gibibytes(64)
  }
}

extension AppVersions {
  func url(_ name: String) -> URL { URL(fileURLWithPath: path(name)) }
}
