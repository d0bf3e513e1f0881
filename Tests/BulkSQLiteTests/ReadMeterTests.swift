import BulkTestSupport
import Testing

@testable import BulkSQLite

/// How the reading of a source is counted, and ended.
@Suite("Read meters")
struct ReadMeterTests {
  private let directory: TemporaryDirectory
  private let path: String

  /// A table of 1,000 rows of 1,000 bytes, three on a page.
  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("a.sqlite")
    let file = try Connection(path: path, access: .readWrite)
    try file.execute("PRAGMA page_size = 4096")
    try file.execute("CREATE TABLE T (a)")
    try file.execute(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
        + "INSERT INTO T SELECT zeroblob(1000) FROM n"
    )
  }

  @Test func `a statement fails where it would read more than the limit, and others go on`() throws
  {
    let connection = try Connection(reading: SourceFile(path: path))
    let meter = try #require(connection.readMeter(of: "main"))
    meter.limit = 10 * 4096
    let error = #expect(throws: SQLiteError.self) {
      try connection.value("SELECT sum(length(a)) FROM T NOT INDEXED WHERE a IS NOT x'01'")
    }
    #expect(error?.result == .interrupted)
    #expect(meter.isExhausted)
    #expect((9 * 4096...10 * 4096).contains(meter.bytes))
    meter.limit = .max
    #expect(!meter.isExhausted)
    #expect(try connection.value("SELECT count(a) FROM T NOT INDEXED") == .integer(1000))
  }

  @Test func `a few rows take a few pages`() throws {
    let connection = try Connection(reading: SourceFile(path: path))
    let meter = try #require(connection.readMeter(of: "main"))
    #expect(try connection.value("SELECT length(a) FROM T LIMIT 1") == .integer(1000))
    // The header, the schema, the root and a leaf.
    #expect(meter.bytes <= 4 * 4096)
  }

  @Test func `a file that is not a source has no meter`() throws {
    let connection = try Connection(path: directory.path("b.sqlite"), access: .readWrite)
    #expect(connection.readMeter(of: "main") == nil)
  }
}
