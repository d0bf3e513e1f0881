import BulkTestSupport
import Testing

@Suite("Pages that trees share", .tags(.promise29))
struct PageCensusTests {
  private let directory = TemporaryDirectory()
  private let path: String

  init() throws {
    path = directory.path("t.sqlite")
    let connection = try Connection(path: path, access: .readWrite)
    for sql in [
      "PRAGMA page_size = 512", "CREATE TABLE t (a TEXT, b BLOB)", "CREATE INDEX i ON t (a)",
      "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 400) "
        + "INSERT INTO t SELECT 'a text of some length ' || x, iif(x % 50, NULL, zeroblob(20000)) "
        + "FROM c",
    ] { try connection.execute(sql) }
  }

  private func root(_ name: String) throws -> Int { try StoreFile(path).root(of: name) }

  private struct Unreadable: Error {}

  private func fault(
    of names: String...,
    isStopped: @escaping () -> Bool = { false }
  ) throws -> SQLiteError? {
    let file = SourceFile(path: path)
    guard var census = PageCensus(file, isStopped: isStopped) else { throw Unreadable() }
    let roots = [("the schema", 1)] + (try names.map { ($0, UInt32(try root($0))) })
    do throws(SQLiteError) {
      for (name, root) in roots { try census.take(root: root, of: name) }
      return nil
    } catch {
      return error
    }
  }

  /// Lets the first cell of a page lead to the same page as its end.
  private func shareChild(of page: Int) throws {
    var bytes = try Files.read(path)
    let start = (page - 1) * 512
    let cell = start + Int(bytes[start + 12]) * 256 + Int(bytes[start + 13])
    for byte in 0..<4 { bytes[cell + byte] = bytes[start + 8 + byte] }
    try Files.write(bytes, to: path)
  }

  @Test func `no page of a sound file is met twice`() throws {
    #expect(try fault(of: "t", "i") == nil)
  }

  @Test func `headers of pages tell the number of rows and entries`() throws {
    let file = SourceFile(path: path)
    for name in ["t", "i"] {
      let root = UInt32(try root(name))
      #expect(file.entries(below: root, upTo: .max) == 400)
      let some = try #require(file.entries(below: root, upTo: 100))
      #expect((100..<150).contains(some))
    }
    // What is not a page of a tree is left to SQLite.
    #expect(file.entries(below: 1_000_000, upTo: .max) == nil)
  }

  // Each row has a page of 64 KiB, and 256 of them are 16 MiB.
  @Test func `how far a large table is read is told after every 16 MiB`() throws {
    let path = directory.path("large.sqlite")
    let connection = try Connection(path: path, access: .readWrite)
    for sql in [
      "PRAGMA page_size = 65536", "PRAGMA synchronous = OFF", "CREATE TABLE t (a BLOB)",
      "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 600) "
        + "INSERT INTO t SELECT zeroblob(60000) FROM c",
    ] { try connection.execute(sql) }
    guard var census = PageCensus(SourceFile(path: path)) else { throw Unreadable() }
    var keys: [Int64] = []
    _ = try census.contents(ofTable: 2, of: "t", counting: nil) { keys.append($0) }
    // The root is the first of the pages.
    #expect(keys == [255, 511])
  }

  private func contents(of name: String, counting column: Int?) throws -> TableContents? {
    guard var census = PageCensus(SourceFile(path: path)) else { throw Unreadable() }
    return try census.contents(ofTable: UInt32(try root(name)), of: name, counting: column)
  }

  @Test func `the rows, the largest record and the numbers of a column are counted`() throws {
    let connection = try Connection(path: path, access: .readWrite)
    for sql in [
      "CREATE TABLE e (k INTEGER PRIMARY KEY, n INTEGER, b BLOB)",
      "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 300) "
        + "INSERT INTO e SELECT x, CASE x % 4 WHEN 0 THEN 0 WHEN 1 THEN 1 WHEN 2 THEN 70000 ELSE -5 END, "
        + "iif(x = 7, zeroblob(3000), NULL) FROM c",
    ] { try connection.execute(sql) }
    let found = try #require(try contents(of: "e", counting: 1))
    #expect(found.rows == 300)
    #expect(found.rowsByNumber == [0: 75, 1: 75, 70_000: 75, -5: 75])
    // A header of five bytes with no key, a number of one byte and a BLOB; -5 is the number of row 7.
    #expect(found.largestRecord == 5 + 1 + 3_000)
    #expect(try contents(of: "t", counting: nil)?.rows == 400)
    #expect(try contents(of: "t", counting: nil)?.rowsByNumber == nil)
  }

  @Test(arguments: ["NULL", "'a'", "1.5"])
  func `of a column with anything but integers nothing is known`(value: String) throws {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("CREATE TABLE e (k INTEGER PRIMARY KEY, n INTEGER)")
    try connection.execute("INSERT INTO e VALUES (1, 1), (2, \(value))")
    #expect(try contents(of: "e", counting: 1) == nil)
    #expect(try contents(of: "e", counting: nil)?.rows == 2)
  }

  @Test func `a tree that is named twice is met twice`() throws {
    let fault = try fault(of: "t", "t")
    #expect(
      fault?.message == "it is damaged: page 2, to which t leads, is used elsewhere already"
    )
  }

  @Test(arguments: ["t", "i"])
  func `a page to which two others lead is told`(name: String) throws {
    try shareChild(of: try root(name))
    let fault = try fault(of: "t", "i")
    #expect(fault?.message.hasSuffix("is used elsewhere already") == true)
  }

  /// Of the rows of 20,030 bytes each claims to have 2,000,062.
  @Test func `values that claim more pages than there are are told`() throws {
    var bytes = try Files.read(path)
    for offset in bytes.indices.dropLast(2)
    where Array(bytes[offset..<(offset + 3)]) == [0x81, 0x9C, 0x3E] {
      bytes.replaceSubrange(offset..<(offset + 3), with: [0xFA, 0x89, 0x3E])
    }
    try Files.write(bytes, to: path)
    let fault = try fault(of: "t", "i")
    #expect(fault?.message.hasSuffix("of t begins more values than the file can hold") == true)
  }

  @Test func `it gives up when it is told to`() throws {
    #expect(try fault(of: "t", "i", isStopped: { true })?.result == .interrupted)
  }
}
