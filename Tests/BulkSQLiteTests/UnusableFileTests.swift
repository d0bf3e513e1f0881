import BulkTestSupport
import Testing

struct UnusableFileTests {
  private let directory = TemporaryDirectory()
  private let path: String

  init() throws {
    path = directory.path("store.sqlite")
  }

  /// A database of nine pages of 512 bytes.
  private func smallDatabase() throws -> [UInt8] {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("PRAGMA page_size = 512")
    try connection.fill(1...14)
    let bytes = try Files.read(path)
    try #require(bytes.count == 9 * 512)
    return bytes
  }

  private func error(
    of path: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> SQLiteError {
    try #require(throws: SQLiteError.self, sourceLocation: sourceLocation) {
      try DatabaseFile(SourceFile(path: path))
    }
  }

  private func readAll() throws { _ = try DatabaseFiles.sourceView(path) }

  @Test func `a missing file is named`() throws {
    let expected = SQLiteError(code: 14, message: "no such file", path: path)
    #expect(throws: expected) { try DatabaseFile(SourceFile(path: path)) }
    #expect(throws: expected) { try Connection(path: path, access: .source) }
    #expect(expected.description == "\(path): no such file")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `an empty path is not a file`() {
    #expect(throws: SQLiteError.self) { try DatabaseFile(SourceFile(path: "")) }
    #expect(throws: SQLiteError.self) { try Connection(path: "", access: .source) }
    #expect(throws: SQLiteError.self) { try Connection(path: "", access: .readWrite) }
  }

  @Test func `a folder is not a file`() throws {
    let folder = directory.url.path
    let expected = SQLiteError(code: 14, message: "it is not a file", path: folder)
    #expect(throws: expected) { try DatabaseFile(SourceFile(path: folder)) }
    #expect(throws: expected) { try Connection(path: folder, access: .source) }
  }

  @Test func `a pipe is not a file, and is not waited for`() throws {
    let made = path.withCString { mkfifo($0, 0o600) }
    try #require(made == 0)
    #expect(try error(of: path).message == "it is not a file")
  }

  @Test func `a folder in the place of the log is refused`() throws {
    _ = try smallDatabase()
    _ = try directory.folder("store.sqlite-wal")
    #expect(try error(of: path).path == path + "-wal")
  }

  @Test func `another kind of file is named where it shows`() throws {
    try Files.write(Array("PK\u{3}\u{4}".utf8) + Array(repeating: 0, count: 200), to: path)
    #expect(try error(of: path).message == "it is not an SQLite database; it is a ZIP archive")
    var random = SeededGenerator(seed: 1)
    let bytes = (0..<8_192).map { _ in UInt8.random(in: 0...255, using: &random) }
    try Files.write(bytes, to: path)
    #expect(
      try error(of: path).message
        == "it is not an SQLite database; it may be encrypted (SQLCipher)"
    )
    try Files.write(
      Array(repeating: Array("a text of some letters".utf8), count: 1_024).flatMap(\.self),
      to: path
    )
    #expect(try error(of: path).message == "it is not an SQLite database")
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read every file"))
  func `a file that may not be read is named`() throws {
    _ = try smallDatabase()
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    let expected = SQLiteError(code: 14, message: "Permission denied", path: path)
    #expect(throws: expected) { try DatabaseFile(SourceFile(path: path)) }
    #expect(throws: expected) { try Connection(path: path, access: .source) }
  }

  @Test func `an empty file is not a database`() throws {
    try Files.write([], to: path)
    #expect(try error(of: path) == SQLiteError(code: 26, message: "it is empty", path: path))
  }

  @Test(
    arguments: [
      Array("SQLite format 3".utf8), Array("not a database, but long enough for a header".utf8),
      Array(repeating: 0, count: 4096), Array(repeating: 255, count: 100),
    ] as [[UInt8]]
  )
  func `a file of other bytes is not a database`(bytes: [UInt8]) throws {
    try Files.write(bytes, to: path)
    let expected = SQLiteError(code: 26, message: "it is not an SQLite database", path: path)
    #expect(try error(of: path) == expected)
    let thrown = try #require(throws: SQLiteError.self) { try readAll() }
    #expect(thrown.result == .notADatabase)
    #expect(thrown.path == path)
  }

  @Test(
    arguments: [
      ([0, 0], 0), ([0, 2], 2), ([1, 0], 256), ([3, 0], 768), ([255, 255], 65_535), ([0, 3], 3),
    ] as [([UInt8], Int)]
  )
  func `a header with an impossible page size is refused`(
    field: [UInt8],
    stated: Int
  ) throws {
    var bytes = try smallDatabase()
    bytes.replaceSubrange(16..<18, with: field)
    try Files.write(bytes, to: path)
    let message = "its header says a page has \(stated) bytes"
    #expect(try error(of: path) == SQLiteError(code: 26, message: message, path: path))
    #expect(throws: SQLiteError.self) { try readAll() }
  }

  @Test(arguments: 1...8)
  func `a file that is cut off at a page is refused, with both sizes`(pages: Int) throws {
    let bytes = try smallDatabase()
    try Files.write(Array(bytes.prefix(pages * 512)), to: path)
    let message =
      "it is cut off: it has \(pages * 512) of the 4608 bytes that its header states"
    #expect(try error(of: path) == SQLiteError(code: 11, message: message, path: path))
    #expect(throws: SQLiteError.self) { try readAll() }
  }

  @Test(arguments: [100, 101, 511, 513, 1000, 4607])
  func `a file that is cut off inside a page is refused`(size: Int) throws {
    let bytes = try smallDatabase()
    try Files.write(Array(bytes.prefix(size)), to: path)
    #expect([.corrupt, .notADatabase].contains(try error(of: path).result))
    // SQLite itself notices some of these only where it meets the missing bytes.
    _ = try? readAll()
  }

  @Test(arguments: 0..<200)
  func `random damage is an error or is read, but never ends the program`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var bytes = try smallDatabase()
    for _ in 0..<Int.random(in: 1...40, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    try Files.write(bytes, to: path)
    do {
      _ = try DatabaseFile(SourceFile(path: path))
      try readAll()
    } catch let error as SQLiteError {
      #expect(error.path == path)
    }
  }
}
