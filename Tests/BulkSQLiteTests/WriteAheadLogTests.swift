import BulkTestSupport
import Testing

struct WriteAheadLogTests {
  private let directory = TemporaryDirectory()
  private let path: String
  private let copy: String

  init() throws {
    path = directory.path("live.sqlite")
    copy = directory.path("copy.sqlite")
  }

  /// A database in WAL mode whose log is not checkpointed by itself.
  private func writer(pageSize: Int = 4096) throws -> Connection {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("PRAGMA page_size = \(pageSize)")
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("PRAGMA wal_autocheckpoint = 0")
    return connection
  }

  /// Copies the database, changes the log of the copy, and expects what SQLite sees of it.
  private func expectCopy(rows: Int64, _ change: ((inout [UInt8]) -> Void)? = nil) throws {
    try DatabaseFiles.copy(path, to: copy)
    if let change {
      var log = try Files.read(copy + "-wal")
      change(&log)
      try Files.write(log, to: copy + "-wal")
    }
    let expected = try DatabaseFiles.recoveredView(copy, in: directory)
    #expect(try DatabaseFiles.sourceView(copy) == expected)
    let connection = try Connection(path: copy, access: .source)
    #expect(try connection.value("SELECT count(*) FROM t") == .integer(rows))
  }

  @Test(arguments: [512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536])
  func `rows that are only in the log are seen, at every page size`(pageSize: Int) throws {
    let writer = try writer(pageSize: pageSize)
    try writer.fill(1...500)
    try expectCopy(rows: 500)
    #expect(try DatabaseFile(SourceFile(path: copy)).pageSize == pageSize)
  }

  @Test func `frames after the last commit are not seen`() throws {
    let writer = try writer()
    try writer.fill(1...500)
    let committed = try Files.read(path + "-wal").count
    try writer.execute("PRAGMA cache_size = 1")
    try writer.execute("BEGIN")
    try writer.fill(1...2000, with: "b")
    try expectCopy(rows: 500)
    #expect(try Files.read(copy + "-wal").count > committed)
  }

  @Test func `a log without any commit counts for nothing`() throws {
    let writer = try writer()
    try writer.fill(1...100)
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try writer.execute("PRAGMA cache_size = 1")
    try writer.execute("BEGIN")
    try writer.fill(1...2000, with: "b")
    try expectCopy(rows: 100)
    #expect(try Files.read(copy + "-wal").count > 32)
    #expect(try DatabaseFile(SourceFile(path: copy)).logChecksum == 0)
  }

  @Test func `an empty log, or one of a header alone, counts for nothing`() throws {
    let writer = try writer()
    try writer.fill(1...100)
    let log = try Files.read(path + "-wal")
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for length in [0, 32] { try expectCopy(rows: 100) { $0 = Array(log.prefix(length)) } }
  }

  @Test func `frames from before a reset of the log are not seen`() throws {
    let writer = try writer()
    try writer.fill(1...500)
    let before = try Files.read(path + "-wal").count
    try writer.execute("PRAGMA wal_checkpoint(RESTART)")
    try writer.execute("UPDATE t SET v = 'after the reset' WHERE id = 7")
    try expectCopy(rows: 500)
    #expect(try Files.read(copy + "-wal").count == before)
    let connection = try Connection(path: copy, access: .source)
    #expect(try connection.value("SELECT v FROM t WHERE id = 7") == .text("after the reset"))
  }

  @Test func `frames that were checkpointed in part are laid over the same pages`() throws {
    let writer = try writer()
    try writer.fill(1...500)
    let reader = try Connection(path: path, access: .readWrite)
    try reader.execute("BEGIN")
    _ = try reader.value("SELECT count(*) FROM t")
    try writer.fill(1...700, with: "c")
    try writer.execute("PRAGMA wal_checkpoint(PASSIVE)")
    try expectCopy(rows: 700)
  }

  @Test func `a database that shrinks in the log ends where the last commit says`() throws {
    let writer = try writer()
    try writer.fill(1...2000)
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try writer.execute("DELETE FROM t WHERE id > 10")
    try writer.execute("VACUUM")
    try expectCopy(rows: 10)
    let file = try DatabaseFile(SourceFile(path: copy))
    #expect(file.effectiveSize < file.size)
  }

  @Test func `a database that grows in the log ends where the last commit says`() throws {
    let writer = try writer()
    try writer.fill(1...10)
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try writer.fill(11...2000)
    try expectCopy(rows: 2000)
    let file = try DatabaseFile(SourceFile(path: copy))
    #expect(file.effectiveSize > file.size)
  }

  @Test func `a database that shrank and grew again in the log has no pages of the past`() throws {
    let writer = try writer()
    try writer.fill(1...2000)
    try writer.execute("DELETE FROM t WHERE id > 10")
    try writer.execute("VACUUM")
    try writer.fill(11...1500, with: "d")
    try expectCopy(rows: 1500)
  }

  @Test(arguments: [LogChecksum.Order.bigEndian, .littleEndian])
  func `checksums count in both byte orders`(order: LogChecksum.Order) throws {
    let writer = try writer()
    try writer.fill(1...500)
    try expectCopy(rows: 500) { $0 = LogChecksum.rewritten($0, order) }
  }

  @Test(arguments: [LogChecksum.Order.bigEndian, .littleEndian])
  func `a log whose header names the other byte order counts for nothing`(
    order: LogChecksum.Order
  ) throws {
    let writer = try writer()
    try writer.fill(1...100)
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try writer.fill(101...500)
    try expectCopy(rows: 100) { log in
      log = LogChecksum.rewritten(log, order)
      log[3] ^= 1
    }
  }

  @Test(
    arguments: [
      (0, "the magic number"), (5, "the version"), (8, "the page size"), (10, "the page size"),
      (12, "the checkpoint's number"), (17, "the first salt"), (24, "the checksum"),
    ]
  )
  func `a flipped bit in the header of the log is treated as SQLite treats it`(
    offset: Int,
    what: String
  ) throws {
    let writer = try writer()
    try writer.fill(1...100)
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try writer.fill(101...500)
    try expectCopy(rows: 100) { $0[offset] ^= 0x10 }
  }

  @Test func `a log of an unknown version is refused`() throws {
    let writer = try writer()
    try writer.fill(1...100)
    try DatabaseFiles.copy(path, to: copy)
    var log = try Files.read(copy + "-wal")
    log[7] += 1
    try Files.write(LogChecksum.rewritten(log, .littleEndian), to: copy + "-wal")
    let error = try #require(throws: SQLiteError.self) { try DatabaseFile(SourceFile(path: copy)) }
    #expect(error.path == copy + "-wal")
    #expect(error.message == "its log has version 3007001, but only 3007000 is known")
    #expect(throws: SQLiteError.self) { try DatabaseFiles.recoveredView(copy, in: directory) }
  }

  @Test(arguments: 0..<60)
  func `of a damaged log that counts which SQLite recovers`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let writer = try writer(pageSize: [512, 1024, 4096][Int(seed % 3)])
    try writer.fill(1...50)
    try writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for round in 0..<Int.random(in: 1...6, using: &random) {
      let first = Int.random(in: 1...80, using: &random)
      try writer.fill(first...(first + 40), with: ["x", "y", "z"][round % 3])
    }
    try DatabaseFiles.copy(path, to: copy)
    var log = try Files.read(copy + "-wal")
    let offset = Int.random(in: 0..<log.count, using: &random)
    if seed.isMultiple(of: 2) {
      log.removeLast(log.count - offset)
    } else {
      log[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    try Files.write(log, to: copy + "-wal")
    let expected = try DatabaseFiles.recoveredView(copy, in: directory)
    #expect(try DatabaseFiles.sourceView(copy) == expected)
  }

  @Test func `the checksum of the log tells apart two logs over the same file`() throws {
    let writer = try writer()
    try writer.fill(1...10)
    try DatabaseFiles.copy(path, to: copy)
    let first = try DatabaseFile(SourceFile(path: copy))
    try writer.execute("UPDATE t SET v = 'other' WHERE id = 1")
    try DatabaseFiles.copy(path, to: copy)
    let second = try DatabaseFile(SourceFile(path: copy))
    #expect(first.firstPage == second.firstPage)
    #expect(first.logChecksum != 0)
    #expect(first.logChecksum != second.logChecksum)
  }
}
