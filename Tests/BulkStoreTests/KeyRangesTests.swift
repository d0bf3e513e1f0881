import BulkTestSupport
import Testing

struct KeyRangesTests {
  private let directory = TemporaryDirectory()
  private let source: String

  init() throws {
    source = directory.path("source.sqlite")
  }

  private func ranges(
    keys: String,
    statedRows: Int64? = nil,
    table: String = "ZT",
    endsWithBlocks: Bool = false
  ) throws -> [ClosedRange<Int64>] {
    let connection = try Connection(path: source, access: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    let name = SQLText.quoted(table)
    try connection.execute("CREATE TABLE \(name) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER)")
    try connection.execute("INSERT INTO \(name) SELECT k, 1 FROM (\(keys))")
    guard case .integer(let rows) = try connection.value("SELECT count(*) FROM \(name)") else {
      return []
    }
    let session = try StoreSession(directory.path("destination.sqlite"), readingFrom: source)
    var ranges = try KeyRanges(
      of: table,
      rows: statedRows ?? rows,
      session,
      endsWithBlocks: endsWithBlocks
    )
    var result: [ClosedRange<Int64>] = []
    while let range = try ranges.nextRange() {
      result.append(range)
      try #require(result.count < 100)
    }
    return result
  }

  private static func series(_ count: Int, step: Int = 1, first: Int = 1) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(count - 1)) "
      + "SELECT \(first) + i * \(step) AS k FROM n"
  }

  @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
  func `a single row has one that holds it`(key: Int64) throws {
    let found = try ranges(keys: "SELECT \(key) AS k")
    #expect(found.count == 1)
    #expect(found.first?.contains(key) == true)
  }

  @Test(
    arguments: [
      ("SELECT 1 AS k WHERE 0", false, []),
      // Dense keys come in batches of as many keys, below zero too.
      (series(240_000), false, [[1, 100_000], [100_001, 200_000], [200_001, 300_000]]),
      (series(120_000, first: -80_000), false, [[-80_000, 19_999], [20_000, 119_999]]),
      // Ranges may end with blocks of 16,384 keys: 114,687 is 7 times 16,384, less 1.
      (series(150_000), true, [[1, 114_687], [114_688, 229_375]]),
      (series(120_000, first: -80_000), true, [[-80_000, 32_767], [32_768, 147_455]]),
      ("SELECT \(Int64.max) AS k", true, [[.max, .max]]),
      // Sparse keys come in batches of as many rows; one that ends with the last row is the last.
      (
        series(240_000, step: 1000, first: 1000), false,
        [[1_000, 100_000_000], [100_001_000, 200_000_000], [200_001_000, .max]]
      ),
      (
        series(200_000, step: 1000, first: 1000), false,
        [[1_000, 100_000_000], [100_001_000, 200_000_000]]
      ),
      (
        "SELECT \(Int64.min) AS k UNION SELECT -1 UNION SELECT 0 UNION SELECT \(Int64.max)", false,
        [[.min, .max]]
      ),
    ] as [(String, Bool, [[Int64]])]
  )
  func `keys come in ranges`(keys: String, endsWithBlocks: Bool, expected: [[Int64]]) throws {
    let found = try ranges(keys: keys, endsWithBlocks: endsWithBlocks)
    #expect(found.map { [$0.lowerBound, $0.upperBound] } == expected)
  }

  @Test(arguments: [0, 1, 1_000_000_000])
  func `a wrong number of rows changes no result`(statedRows: Int64) throws {
    let keys = [-9_000_000_000, -5, 7, 30_000, 9_000_000_000]
    let sql = keys.map { "SELECT \($0) AS k" }.joined(separator: " UNION ")
    let found = try ranges(keys: sql, statedRows: statedRows)
    for key in keys { #expect(found.count { $0.contains(Int64(key)) } == 1) }
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
  }

  @Test(arguments: ["a\"b", "x; DROP TABLE ZT", "🙂", "select"])
  func `a table may have any name`(name: String) throws {
    #expect(try ranges(keys: "SELECT 5 AS k", table: name) == [5...100_004])
  }
}
