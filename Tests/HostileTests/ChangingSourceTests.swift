import BulkVersions
import BulkExecute
import BulkPlan
import BulkSQLite
import BulkTestSupport
import Foundation
import Testing

/// What happens to files while a migration runs.
@Suite("A source that changes during the run") struct ChangingSourceTests {
  private let store: SmallStore
  private let source: String
  private let destination: String

  init() throws {
    store = try SmallStore()
    source = store.folder.path("source.sqlite")
    destination = store.folder.path("destination.sqlite")
    try Files.write(store.bytes, to: source)
  }

  /// Runs a migration and does something after its first batch.
  private func migrate(meanwhile body: @escaping () throws -> Void) throws {
    var migration = Migration(
      inTestProcess: try Planner.plan(store.request(source, to: destination))
    )
    var isDone = false
    migration.report = { _ in
      guard !isDone else { return }
      isDone = true
      do { try body() } catch { Issue.record(error) }
    }
    _ = try migration.run()
  }

  private func expectStale(_ error: MigrationError) throws {
    guard case .stalePlan(let reasons) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(
      reasons == ["the source store \(source) changed while it was read; no destination was made"]
    )
    let left = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
    #expect(left.filter { $0.hasPrefix("destination") } == [])
  }

  /// A file of another size, and one with other attributes, is looked at before anything is made.
  @Test(arguments: [false, true])
  func `a source that changed since the plan is refused before work`(isLonger: Bool) throws {
    var migration = Migration(
      inTestProcess: try Planner.plan(store.request(source, to: destination))
    )
    var bytes = store.bytes
    if isLonger { bytes += Array(repeating: 0, count: 4_096) } else { bytes[bytes.count - 1] ^= 1 }
    try Files.write(bytes, to: source)
    migration.report = { _ in Issue.record("work has begun") }
    let error = #expect(throws: MigrationError.self) { try migration.run() }
    guard case .stalePlan? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
    #expect(left.filter { $0.hasPrefix("destination") } == [])
  }

  @Test func `a source that is unlinked is noticed`() throws {
    let error = try #require(throws: MigrationError.self) {
      try migrate { try FileManager.default.removeItem(atPath: source) }
    }
    try expectStale(error)
  }

  @Test(arguments: [0, 100, 4_096, 20_480])
  func `a source that is cut off is noticed`(length: UInt64) throws {
    let error = try #require(throws: MigrationError.self) {
      try migrate {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: source))
        try file.truncate(atOffset: length)
        try file.close()
      }
    }
    try expectStale(error)
  }

  /// In WAL mode such a change leaves the first page, the size and the empty log as they were.
  @Test(arguments: ["UPDATE ZNOTE SET Z_OPT = 2", "DELETE FROM ZTAG"])
  func `a source that another connection writes to is noticed`(sql: String) throws {
    let error = try #require(throws: MigrationError.self) {
      try migrate {
        let connection = try Connection(path: source, access: .readWrite)
        try connection.execute(sql)
        try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      }
    }
    try expectStale(error)
  }

  @Test func `a source that is only read meanwhile does no harm`() throws {
    try migrate {
      let connection = try Connection(path: source, access: .readWrite)
      _ = try connection.value("SELECT count(*) FROM ZNOTE")
    }
    #expect(try Comparison(source: source, destination: destination).outcome() == .right)
  }

  @Test func `a destination that appears meanwhile is left alone, and what was made is kept`()
    throws
  {
    try FileManager.default.createDirectory(
      atPath: store.folder.path(".source_SUPPORT/_EXTERNAL_DATA"),
      withIntermediateDirectories: true
    )
    #expect(throws: MigrationError.self) {
      try migrate { try Files.write([1, 2, 3], to: destination) }
    }
    #expect(try Files.read(destination) == [1, 2, 3])
    let left = try FileManager.default.contentsOfDirectory(atPath: store.folder.url.path)
    #expect(
      left.filter { $0.contains("destination") }.sorted()
        == ["destination.sqlite", "destination.sqlite.bulkmigrate"]
    )
  }

  @Test func `a named pipe among the files beside a store stops nothing`() throws {
    let folder = store.folder.path(".source_SUPPORT")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    #expect(mkfifo(source + "-wal", 0o600) == 0)
    #expect(throws: PlanError.self) { try migrate {} }
  }
}
