import BulkTestSupport
import Testing

/// A database of some pages whose digests are written down while it is made: transaction 3 of three.
struct PageLogTests {
  private let directory = TemporaryDirectory()
  private var path: String { directory.path("scratch.sqlite") }
  private var log: String { path + "-pages" }

  init() throws {
    let connection = try Connection(path: path, access: .recorded)
    for sql in [
      "PRAGMA page_size = 512", "PRAGMA auto_vacuum = INCREMENTAL",
      "PRAGMA journal_mode = TRUNCATE",
      "PRAGMA synchronous = FULL", "PRAGMA cache_size = 3",
    ] { try connection.execute(sql) }
    for number in 1...3 {
      try connection.execute("BEGIN IMMEDIATE")
      try connection.execute("CREATE TABLE t\(number) (x INTEGER PRIMARY KEY, y BLOB)")
      try connection.execute(
        "WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n WHERE x < 40) "
          + "INSERT INTO t\(number) SELECT x, zeroblob(x) FROM n"
      )
      try connection.execute("PRAGMA user_version = \(number)")
      try connection.execute("COMMIT")
    }
  }

  private func isSound(after transaction: Int64? = 3) throws -> Bool {
    try PageCheck(of: path).isSound(after: transaction) { false }
  }

  /// The fields of the header that change without a transaction
  /// (The SQLite Database File Format, 1.3.7, 1.3.12 and 1.3.15).
  private static let counters = [24..<28, 60..<64, 68..<72, 92..<96]

  @Test func `an untouched database is sound`() throws {
    #expect(try isSound())
    #expect(try isSound(after: nil))
  }

  @Test func `a changed bit in any byte is found, but for counters of the header`() throws {
    let bytes = try Files.read(path)
    #expect(bytes.count > 10 * 512)
    var unnoticed: [Int] = []
    for offset in bytes.indices {
      var changed = bytes
      changed[offset] ^= 1 << (offset % 8)
      try Files.write(changed, to: path)
      if try isSound() { unnoticed.append(offset) }
    }
    #expect(unnoticed == Self.counters.flatMap { Array($0) })
  }

  @Test func `a database that was cut off is found`() throws {
    let bytes = try Files.read(path)
    for count in stride(from: 0, to: bytes.count, by: 256) {
      try Files.write(Array(bytes.prefix(count)), to: path)
      #expect(try !isSound(), "\(count) bytes")
    }
  }

  @Test func `a changed bit in any byte of the log is found`() throws {
    let bytes = try Files.read(log)
    for offset in bytes.indices {
      var changed = bytes
      changed[offset] ^= 1 << (offset % 8)
      try Files.write(changed, to: log)
      // A record that says it ends a later transaction than the database had is one that counts for
      // nothing; then the last one is missing.
      #expect(try !isSound(), "byte \(offset)")
    }
  }

  @Test func `a log that was cut off has lost the last transaction`() throws {
    let bytes = try Files.read(log)
    for count in stride(from: 0, to: bytes.count, by: 16) {
      try Files.write(Array(bytes.prefix(count)), to: log)
      #expect(try !isSound(), "\(count) bytes")
    }
  }

  @Test func `a lost log leaves nothing that could be compared`() throws {
    try FileManager.default.removeItem(atPath: log)
    #expect(try !isSound())
    #expect(try !isSound(after: nil))
  }

  @Test func `a transaction that the database does not have counts for nothing`() throws {
    let before = try Files.read(path)
    let logBefore = try Files.read(log)
    let connection = try Connection(path: path, access: .recorded)
    try connection.execute("BEGIN IMMEDIATE")
    try connection.execute("DELETE FROM t1")
    try connection.execute("PRAGMA user_version = 4")
    try connection.execute("COMMIT")
    #expect(try PageCheck(of: path).isSound(after: 4) { false })
    #expect(try Files.read(log).count > logBefore.count)
    // As a rollback would leave it.
    try Files.write(before, to: path)
    #expect(try isSound())
    #expect(try Files.read(log) == logBefore)
  }

  @Test func `a transaction that was undone leaves a sound database`() throws {
    let connection = try Connection(path: path, access: .recorded)
    try connection.execute("BEGIN IMMEDIATE")
    try connection.execute("UPDATE t2 SET y = zeroblob(400)")
    try connection.execute("PRAGMA user_version = 4")
    try connection.execute("ROLLBACK")
    #expect(try isSound())
    try connection.execute("DROP TABLE t3")
    try connection.execute("PRAGMA incremental_vacuum")
    #expect(try isSound())
  }
}
