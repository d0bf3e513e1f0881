import BulkTestSupport
import Testing

struct RollbackJournalTests {
  private let directory = TemporaryDirectory()
  private let path: String
  private let copy: String

  init() throws {
    path = directory.path("live.sqlite")
    copy = directory.path("copy.sqlite")
  }

  /// A database whose changes reach the file before they are committed.
  private func writer(
    mode: String = "DELETE",
    synchronous: String = "FULL",
    pageSize: Int = 4096
  ) throws -> Connection {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA page_size = \(pageSize)")
    try connection.execute("PRAGMA journal_mode = \(mode)")
    try connection.execute("PRAGMA synchronous = \(synchronous)")
    try connection.execute("PRAGMA cache_size = 1")
    return connection
  }

  /// Copies the database, and expects what SQLite sees of it.
  private func expectCopy(ending letter: String? = nil) throws {
    try DatabaseFiles.copy(path, to: copy)
    try expectView(ending: letter)
  }

  private func expectView(ending letter: String? = nil) throws {
    let expected = try DatabaseFiles.recoveredView(copy, in: directory)
    #expect(try DatabaseFiles.sourceView(copy) == expected)
    guard let letter else { return }
    let found = try Connection(path: copy, access: .source).value(
      "SELECT group_concat(DISTINCT substr(v, -1)) FROM t"
    )
    #expect(found == .text(letter))
  }

  /// The number of journal headers that have records behind them.
  private func sections(_ journal: [UInt8], sectorSize: Int = 512) -> Int {
    let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    return stride(from: 0, to: journal.count, by: sectorSize)
      .count { journal[$0...].starts(with: magic) }
  }

  @Test(
    arguments: ["DELETE", "TRUNCATE", "PERSIST"],
    ["OFF", "NORMAL", "FULL"]
  )
  func `what an open transaction has changed in the file is not seen`(
    mode: String,
    synchronous: String
  ) throws {
    let writer = try writer(mode: mode, synchronous: synchronous)
    try writer.fill(1...500, with: "a")
    let committed = try Files.read(path)
    try writer.execute("BEGIN")
    try writer.fill(1...700, with: "b")
    try expectCopy(ending: "a")
    try #require(try Files.read(copy) != committed)
    try #require(try !Files.read(copy + "-journal").isEmpty)
  }

  @Test(arguments: [512, 1024, 4096, 32_768, 65_536])
  func `pages of every size come back from a journal, to the end of its sections`(
    pageSize: Int
  ) throws {
    let writer = try writer(pageSize: pageSize)
    try writer.fill(1...3000, with: "a")
    try writer.execute("BEGIN")
    try writer.fill(1...3500, with: "b")
    try expectCopy(ending: "a")
    if pageSize == 4096 { #expect(try sections(Files.read(copy + "-journal")) > 2) }
  }

  @Test(arguments: ["TRUNCATE", "PERSIST"])
  func `a journal that a commit has cleared counts for nothing`(mode: String) throws {
    let writer = try writer(mode: mode)
    try writer.fill(1...500, with: "a")
    try writer.fill(1...500, with: "b")
    try expectCopy(ending: "b")
    try #require(FileManager.default.fileExists(atPath: copy + "-journal"))
  }

  @Test func `a journal that is shorter than its header counts for nothing`() throws {
    let writer = try writer()
    try writer.fill(1...500, with: "a")
    try DatabaseFiles.copy(path, to: copy)
    try Files.write([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7, 0, 0], to: copy + "-journal")
    try expectView(ending: "a")
  }

  @Test func `a transaction that shrank the file is undone`() throws {
    let writer = try writer()
    try writer.execute("PRAGMA auto_vacuum = FULL")
    try writer.fill(1...2000, with: "a")
    let before = try Files.read(path)
    try writer.execute("BEGIN")
    try writer.execute("DELETE FROM t WHERE id > 100")
    try expectCopy()
    #expect(try DatabaseFile(SourceFile(path: copy)).effectiveSize == Int64(before.count))
  }

  @Test func `a transaction that made the file larger is undone`() throws {
    let writer = try writer()
    try writer.fill(1...100, with: "a")
    let before = try Files.read(path)
    try writer.execute("BEGIN")
    try writer.fill(101...3000, with: "b")
    try expectCopy()
    let file = try DatabaseFile(SourceFile(path: copy))
    #expect(file.size > Int64(before.count))
    #expect(file.effectiveSize == Int64(before.count))
  }

  @Test func `the first transaction of a database is undone to an empty database`() throws {
    let writer = try writer()
    try writer.execute("BEGIN")
    try writer.fill(1...3000, with: "b")
    try DatabaseFiles.copy(path, to: copy)
    try #require(try !Files.read(copy).isEmpty)
    let error = try #require(throws: SQLiteError.self) { try DatabaseFile(SourceFile(path: copy)) }
    #expect(error.message == "it is empty once its journal is rolled back")
    let source = try Connection(path: copy, access: .source)
    #expect(try source.value("SELECT count(*) FROM sqlite_schema") == .integer(0))
  }

  @Test func `a journal of a transaction over several files is refused, with what to do`() throws {
    let writer = try writer()
    try writer.fill(1...500, with: "a")
    try writer.execute("BEGIN")
    try writer.fill(1...700, with: "b")
    try DatabaseFiles.copy(path, to: copy)
    // The end of such a journal: page number of the lock page, name, its length, its sum, magic.
    let name = Array("x-mjABCDEF".utf8)
    let sum = name.reduce(UInt32(0)) { $0 + UInt32($1) }
    var journal = try Files.read(copy + "-journal")
    journal += [0, 4, 0, 1] + name + [0, 0, 0, UInt8(name.count)]
    journal += [UInt8(sum >> 24), UInt8(sum >> 16 & 255), UInt8(sum >> 8 & 255), UInt8(sum & 255)]
    journal += [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    try Files.write(journal, to: copy + "-journal")
    let message =
      "its journal belongs to a transaction over several files; open it once with the program "
      + "that wrote it, so that the transaction is rolled back"
    let expected = SQLiteError(code: 14, message: message, path: copy + "-journal")
    #expect(throws: expected) { try DatabaseFile(SourceFile(path: copy)) }
    #expect(throws: expected) { try Connection(path: copy, access: .source) }
  }

  @Test(arguments: 0..<80)
  func `of a damaged journal that counts which SQLite rolls back`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let writer = try writer(synchronous: "OFF", pageSize: [512, 1024, 4096][Int(seed % 3)])
    try writer.fill(1...400, with: "a")
    try writer.execute("PRAGMA synchronous = \(seed / 4 % 2 == 0 ? "OFF" : "FULL")")
    try writer.execute("BEGIN")
    let first = Int.random(in: 1...300, using: &random)
    try writer.fill(first...(first + Int.random(in: 50...400, using: &random)), with: "b")
    try DatabaseFiles.copy(path, to: copy)
    var journal = try Files.read(copy + "-journal")
    let offset = Int.random(in: 0..<journal.count, using: &random)
    switch seed % 4 {
    case 0, 1: journal.removeLast(journal.count - offset)
    case 2: journal[offset] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    default:
      journal[Int.random(in: 0..<28, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
    }
    try Files.write(journal, to: copy + "-journal")
    let expected = Result { try DatabaseFiles.recoveredView(copy, in: directory) }
      .mapError { ($0 as? SQLiteError).map { $0.code & 0xff } ?? 0 }
    let seen = Result { try DatabaseFiles.sourceView(copy) }
      .mapError { ($0 as? SQLiteError).map { $0.code & 0xff } ?? 0 }
    #expect(seen == expected)
  }
}

extension Int32: @retroactive Error {}
