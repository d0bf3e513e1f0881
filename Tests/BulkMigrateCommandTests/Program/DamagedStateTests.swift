import BulkTestSupport
import Testing

/// What lies in a state directory is damaged between two runs: cut off, or a bit of it changed.
@Suite("What an interrupted migration left is damaged", .tags(.promise14, .promise16), .program)
struct DamagedStateTests {
  enum Damage {
    /// The files are cut off, or a bit changes, at a number of places spread over them.
    case cuts(Int), bits(Int)
    /// A bit changes in each page.
    case pages
  }

  @Test(
    arguments: [
      // The first checkpoint is needed, the second was not committed.
      ("checkpoint:9", "checkpoint-*", .cuts(4)), ("checkpoint:9", "checkpoint-*", .bits(4)),
      ("checkpoint:9", "associations-*", .bits(6)),
      ("checkpoint:11", "destination-*.sqlite", .bits(24)),
      // Some rows of its transaction are in the file already when it is killed.
      ("commit:11", "destination-*-journal", .bits(8)),
      ("checkpoint:11", "destination-*-pages", .bits(8)),
      // A store that is to be published.
      ("counted:0", "destination-*.sqlite", .bits(12)),
    ] as [(String, String, Damage)]
  )
  func `damage costs time, not rows`(failpoint: String, files: String, damage: Damage) throws {
    try damageFiles(files, of: Interrupted(), killedAt: failpoint, by: damage)
  }

  @Test(arguments: ["checkpoint:3", "checkpoint:9"])
  func `damage to any page of a copy costs time, not rows`(failpoint: String) throws {
    let migration = try Interrupted(copied: 250)
    try damageFiles("destination-*.sqlite", of: migration, killedAt: failpoint, by: .pages)
  }

  private func damageFiles(
    _ pattern: String,
    of migration: Interrupted,
    killedAt failpoint: String,
    by damage: Damage
  ) throws {
    try #require(try migration.isKilled(at: failpoint))
    let snapshot = try Files.contents(of: migration.state)
    let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    let names = snapshot.keys.filter { $0.hasPrefix(parts[0]) && $0.hasSuffix(parts[1]) }
    #expect(!names.isEmpty)
    for name in names.sorted() {
      let bytes = snapshot[name] ?? []
      for (offset, damaged) in RandomSeeds.some(of: damages(bytes, damage), every: 3) {
        try? FileManager.default.removeItem(atPath: migration.state)
        _ = try migration.program.directory.folder("Big.sqlite.bulkmigrate")
        for (other, bytes) in snapshot.merging([name: damaged], uniquingKeysWith: { $1 }) {
          try Files.write(bytes, to: "\(migration.state)/\(other)")
        }
        #expect(try migration.outcome("\(name), byte \(offset)") == nil)
      }
    }
  }

  private func damages(_ bytes: [UInt8], _ damage: Damage) -> [(Int, [UInt8])] {
    func offsets(_ count: Int) -> [Int] {
      guard !bytes.isEmpty else { return [] }
      return Set((0..<count).map { $0 * (bytes.count - 1) / (count - 1) }).sorted()
    }
    func flipped(_ bit: Int, at offset: Int) -> (Int, [UInt8]) {
      var result = bytes
      result[offset] ^= 1 << bit
      return (offset, result)
    }
    return switch damage {
    case .cuts(let count): offsets(count).map { ($0, Array(bytes.prefix($0))) }
    case .bits(let count): offsets(count).map { flipped($0 % 8, at: $0) }
    case .pages: stride(from: 2004, to: bytes.count, by: 4096).map { flipped(5, at: $0) }
    }
  }
}
