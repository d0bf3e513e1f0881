import BulkTestSupport
import Testing

/// What happens to files while a migration runs.
struct ChangingSourceTests {
  private let store: SmallStore

  init() throws { store = try SmallStore() }

  /// Runs a migration and does something after its first batch.
  private func migrate(during body: @escaping () throws -> Void) throws {
    var migration = Migration(inTestProcess: try store.plan())
    var isDone = false
    migration.report = { _ in
      guard !isDone else { return }
      isDone = true
      do { try body() } catch { Issue.record(error) }
    }
    _ = try migration.run()
  }

  /// A file of another size, and one with other attributes, is looked at before anything is made.
  @Test(arguments: [false, true])
  func `a source that changed since the plan is refused before work`(isLonger: Bool) throws {
    var migration = Migration(inTestProcess: try store.plan())
    var bytes = store.bytes
    if isLonger { bytes += Array(repeating: 0, count: 4_096) } else { bytes[bytes.count - 1] ^= 1 }
    try Files.write(bytes, to: store.source)
    migration.report = { _ in Issue.record("work has begun") }
    let text = failure { try migration.run() }
    #expect(text.hasPrefix("the plan does not fit its inputs any more"), "\(text)")
    #expect(try store.left() == [])
  }

  /// What is done to the source.
  enum Change: Sendable {
    case remove
    case cut(UInt64)
    /// In WAL mode such a change leaves the first page, the size and the empty log as they were.
    case write(String)
  }

  @Test(arguments: [
    Change.remove, .cut(0), .cut(100), .cut(4_096), .cut(20_480),
    .write("UPDATE ZNOTE SET Z_OPT = 2"), .write("DELETE FROM ZTAG"),
  ])
  func `a source that is unlinked, cut off or written to is noticed`(change: Change) throws {
    let text = failure {
      try migrate {
        switch change {
        case .remove: try FileManager.default.removeItem(atPath: store.source)
        case .cut(let length):
          let file = try FileHandle(forWritingTo: URL(fileURLWithPath: store.source))
          try file.truncate(atOffset: length)
          try file.close()
        case .write(let sql): try store.change(sql)
        }
      }
    }
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2, "\(text)")
    #expect(lines.last?.hasPrefix("  the source store \(store.source) changed") == true, "\(text)")
    #expect(try store.left() == [])
  }

  @Test func `a source that is only read during a run does no harm`() throws {
    try migrate {
      let connection = try Connection(path: store.source, access: .readWrite)
      _ = try connection.value("SELECT count(*) FROM ZNOTE")
    }
    #expect(try store.outcome() == .right)
  }

  @Test func `a destination that appears during a run is left alone, and what was made is kept`()
    throws
  {
    _ = try store.folder.folder(".source_SUPPORT/_EXTERNAL_DATA")
    #expect(throws: MigrationError.self) {
      try migrate { try Files.write([1, 2, 3], to: store.destination) }
    }
    #expect(try Files.read(store.destination) == [1, 2, 3])
    #expect(try store.left() == ["destination.sqlite", "destination.sqlite.bulkmigrate"])
  }

  @Test func `a named pipe among the files beside a store stops nothing`() throws {
    _ = try store.folder.folder(".source_SUPPORT")
    #expect(mkfifo(store.source + "-wal", 0o600) == 0)
    #expect(throws: PlanError.self) { try store.migrate() }
  }
}
