import BulkTestSupport
import Testing

struct RandomTransactionTests {
  private let directory = TemporaryDirectory()

  @Test(arguments: ["WAL", "DELETE", "TRUNCATE", "PERSIST"], RandomSeeds.first(6))
  func `what is seen of a copy is what SQLite recovers from it`(
    mode: String,
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed ^ UInt64(mode.utf8.count) << 32)
    let path = directory.path("live.sqlite")
    let writer = try RandomWriter(path: path, mode: mode, random: &random)
    let copy = directory.path("copy.sqlite")
    var compared = 0
    for _ in 0..<60 {
      try writer.act(&random)
      guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
      try DatabaseFiles.copy(path, to: copy)
      guard try !Files.read(copy).isEmpty else { continue }
      let expected = try DatabaseFiles.recoveredView(copy, in: directory)
      let before = try Files.contents(of: directory.url.path)
      #expect(try DatabaseFiles.sourceView(copy) == expected)
      #expect(try Files.contents(of: directory.url.path) == before)
      compared += 1
    }
    #expect(compared > 5)
  }
}

/// A writer that does one thing after the other at random, with transactions left open in between.
private final class RandomWriter {
  private let connection: Connection
  private var isInTransaction = false

  init(path: String, mode: String, random: inout SeededGenerator) throws {
    connection = try Connection(path: path, access: .readWrite)
    let pageSize = [512, 1024, 4096, 8192].randomElement(using: &random) ?? 512
    let vacuum = ["NONE", "FULL", "INCREMENTAL"].randomElement(using: &random) ?? "NONE"
    // Syncing decides how a journal states its length; it is slow, so most writers do without.
    let synchronous =
      ["OFF", "OFF", "OFF", "NORMAL", "FULL"].randomElement(using: &random) ?? "OFF"
    try connection.execute("PRAGMA page_size = \(pageSize)")
    try connection.execute("PRAGMA auto_vacuum = \(vacuum)")
    try connection.execute("PRAGMA journal_mode = \(mode)")
    try connection.execute("PRAGMA synchronous = \(synchronous)")
    try connection.execute("PRAGMA cache_size = \(Int.random(in: 1...8, using: &random))")
    try connection.execute("PRAGMA wal_autocheckpoint = \(Int.random(in: 0...40, using: &random))")
    try connection.fill(1...30)
  }

  func act(_ random: inout SeededGenerator) throws {
    let key = Int.random(in: 1...400, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1, 2: try connection.fill(key...(key + Int.random(in: 0...80, using: &random)))
    case 3, 4:
      let size = Int.random(in: 0...9000, using: &random)
      try connection.execute("UPDATE t SET v = hex(zeroblob(\(size))) WHERE id % 37 = \(key % 37)")
    case 5:
      try connection.execute("DELETE FROM t WHERE id BETWEEN \(key) AND \(key + 120)")
    case 6: try connection.execute("CREATE TABLE IF NOT EXISTS u\(key % 5) (a, b UNIQUE)")
    case 7: try connection.execute("DROP TABLE IF EXISTS u\(key % 5)")
    case 8, 9: try beginOrEnd(&random)
    case 10: if !isInTransaction { try connection.execute("VACUUM") }
    default:
      if !isInTransaction {
        try connection.execute("PRAGMA incremental_vacuum(\(key % 9))")
        try connection.execute("PRAGMA wal_checkpoint(\(key % 2 == 0 ? "PASSIVE" : "RESTART"))")
      }
    }
  }

  private func beginOrEnd(_ random: inout SeededGenerator) throws {
    if isInTransaction {
      try connection.execute(Bool.random(using: &random) ? "COMMIT" : "ROLLBACK")
    } else {
      try connection.execute("BEGIN")
    }
    isInTransaction.toggle()
  }
}
