import BulkTestSupport
import Foundation
import Testing

/// What lies in a state directory is damaged between two runs: cut off, or a bit of it changed.
@Suite(
  "What an interrupted migration left is damaged",
  .tags(.promise14, .promise16),
  .enabled(if: Program.path != nil, "skips because the program bulkmigrate is not built")
)
struct DamagedStateTests {
  private let migration = try? Interrupted()

  private func interrupted(at failpoint: String) throws -> (Interrupted, [String: Data]) {
    let migration = try #require(migration)
    try #require(try migration.isKilled(at: failpoint))
    return (migration, try migration.snapshot())
  }

  /// Some places of a file: the first and last bytes, and others spread over it.
  private func places(in bytes: Data, _ count: Int) -> [Int] {
    guard !bytes.isEmpty else { return [] }
    let spread = (0..<count).map { $0 * (bytes.count - 1) / max(count - 1, 1) }
    return Set(spread).sorted()
  }

  private func outcomes(
    _ migration: Interrupted,
    _ snapshot: [String: Data],
    of name: String,
    _ count: Int
  ) throws -> [String] {
    let bytes = try #require(snapshot[name])
    return try places(in: bytes, count).compactMap { place in
      try migration.lay(snapshot, with: [name: bytes.flipped(bit: place % 8, at: place)])
      return try migration.outcome("\(name), byte \(place)")
    }
  }

  @Test func `a checkpoint that was torn is passed by`() throws {
    let (migration, snapshot) = try interrupted(at: "checkpoint:9")
    // The first is needed, the second was not committed.
    for name in try migration.files("checkpoint-") {
      let bytes = try #require(snapshot[name])
      for count in places(in: bytes, 4) {
        try migration.lay(snapshot, with: [name: bytes.prefix(count)])
        #expect(try migration.outcome("\(name), \(count) bytes") == nil)
      }
    }
  }

  @Test func `a checkpoint with a changed bit is passed by`() throws {
    let (migration, snapshot) = try interrupted(at: "checkpoint:9")
    for name in try migration.files("checkpoint-") {
      #expect(try outcomes(migration, snapshot, of: name, 4) == [])
    }
  }

  @Test func `a changed bit in a segment costs time, not rows`() throws {
    let (migration, snapshot) = try interrupted(at: "checkpoint:9")
    let names = try migration.files("associations-")
    #expect(!names.isEmpty)
    for name in names { #expect(try outcomes(migration, snapshot, of: name, 6) == []) }
  }

  @Test func `a changed bit in the scratch store costs time, not rows`() throws {
    let (migration, snapshot) = try interrupted(at: "checkpoint:11")
    let name = try #require(migration.files("destination-", ".sqlite").first)
    #expect(try outcomes(migration, snapshot, of: name, 24) == [])
  }

  @Test func `a changed bit in a journal that is rolled back costs time, not rows`() throws {
    // Some rows of its transaction are in the file already when it is killed.
    let (migration, snapshot) = try interrupted(at: "commit:11")
    let name = try #require(migration.files("destination-", "-journal").first)
    #expect(try outcomes(migration, snapshot, of: name, 8) == [])
  }

  @Test func `a changed bit in the log of pages costs time, not rows`() throws {
    let (migration, snapshot) = try interrupted(at: "checkpoint:11")
    let name = try #require(migration.files("destination-", "-pages").first)
    #expect(try outcomes(migration, snapshot, of: name, 8) == [])
  }

  @Test func `a changed bit in a store that is to be published costs time, not rows`() throws {
    let (migration, snapshot) = try interrupted(at: "counted:0")
    let name = try #require(migration.files("destination-", ".sqlite").first)
    #expect(try outcomes(migration, snapshot, of: name, 12) == [])
  }
}
