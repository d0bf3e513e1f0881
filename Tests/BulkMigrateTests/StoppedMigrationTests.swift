import BulkFixture
import BulkMigrate
import BulkTestSupport
import Synchronization
import Testing

/// A migration of 26,000 notes and 26,000 tags, which nothing ties together, so that there is a
/// checkpoint between them.
struct StoppedMigrationTests {
  private let folder = TemporaryDirectory()

  private static func model(_ attributes: AttributeDescription...) throws -> ManagedObjectModel {
    try .of(EntityDescription("Note", attributes), .init("Tag", attributes))
  }

  init() throws {
    let source = try Self.model(.optional("title"))
    let destination = try Self.model(.optional("title"), .optional("rank", .integer16, default: 1))
    try TestStore.write(destination, to: folder.path("v2.mom"))
    var request = FixtureRequest()
    request.rows = ["Note": 26_000, "Tag": 26_000]
    _ = try Fixture(source, request).write(to: folder.path("store.sqlite"))
  }

  private func migration(to name: String) -> StoreMigration {
    StoreMigration(
      folder.path("store.sqlite"),
      to: folder.path("v2.mom"),
      as: folder.path(name)
    )
  }

  /// Runs a migration, and cancels its task as soon as rows are written.
  private func stop(_ stopped: StoreMigration) async throws -> MigrationRecord {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let task = Mutex<Task<MigrationRecord, any Error>?>(nil)
    var migration = stopped
    migration.progressHandler = { step in
      if step.rowsDone > 0 { task.withLock { $0?.cancel() } }
    }
    task.withLock { [migration] in
      $0 = Task {
        for await _ in gate {}
        return try await migration.run()
      }
    }
    open.finish()
    return try await #require(task.withLock(\.self)).value
  }

  @Test(arguments: [false, true])
  func `it keeps what is done, and is resumed to the same bytes`(byRunning: Bool) async throws {
    try await migration(to: "undisturbed.sqlite").run()
    let migration = migration(to: "new.sqlite")
    await #expect(throws: CancellationError.self) { try await stop(migration) }
    #expect(!FileManager.default.fileExists(atPath: folder.path("new.sqlite")))
    #expect(migration.isInterrupted)
    // It is not started over by accident.
    let error = await #expect(throws: StoreMigrationError.self) { try await migration.run() }
    #expect(error?.code == .unfinished)
    #expect(error?.description.hasSuffix("resume(), or start over with restart()") == true)
    let outcome = try await byRunning ? migration.runOrResume() : migration.resume()
    #expect(outcome.rowsBefore == 26_000)
    #expect(outcome.rows == 52_000)
    #expect(!migration.isInterrupted)
    #expect(
      try Files.read(folder.path("new.sqlite")) == Files.read(folder.path("undisturbed.sqlite"))
    )
  }

  @Test func `it is started over on request`() async throws {
    let migration = migration(to: "new.sqlite")
    await #expect(throws: CancellationError.self) { try await stop(migration) }
    #expect(try await migration.restart().rowsBefore == nil)
    #expect(!migration.isInterrupted)
  }

  @Test func `runs whose time is over complete it together`() async throws {
    try await migration(to: "undisturbed.sqlite").run()
    var migration = migration(to: "new.sqlite")
    migration.timeLimit = .milliseconds(1)
    let error = await #expect(throws: StoreMigrationError.self) { try await migration.run() }
    #expect(error?.code == .unfinished)
    #expect(error?.description == "the time limit is over; continue with resume()")
    var attempts = 1
    while migration.status.state == .interrupted, attempts < 20 {
      attempts += 1
      _ = try? await migration.resume()
    }
    #expect(attempts < 20)
    #expect(
      try Files.read(folder.path("new.sqlite")) == Files.read(folder.path("undisturbed.sqlite"))
    )
  }

  @Test func `its status is read, and requests reach it, while it works`() async throws {
    let other = migration(to: "new.sqlite")
    let error = #expect(throws: StoreMigrationError.self) { try other.pause() }
    #expect(error?.code == .nothingToResume)
    var migration = other
    let seen = Mutex<[MigrationRecord.State]>([])
    migration.progressHandler = { _ in
      seen.withLock { $0.append(other.status.state) }
      #expect(throws: Never.self) {
        try other.pause()
        try other.throttle(to: .mebibytes(1_000))
        try other.unpause()
      }
    }
    #expect(try await migration.run().rows == 52_000)
    #expect(Set(seen.withLock(\.self)) == [.running])
    #expect(migration.status.state == .none)
    let report = try await migration.report()
    #expect(
      report.hasPrefix("<!DOCTYPE html>\n<!-- bulkmigrate report/1 -->\n")
        && report.contains("planned")
    )
  }

  // formats/migration.md 8.16
  @Test func `a task that is cancelled before does nothing`() async throws {
    let migration = migration(to: "new.sqlite")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await migration.run()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() == [
        "store.sqlite", "v2.mom",
      ]
    )
  }
}
