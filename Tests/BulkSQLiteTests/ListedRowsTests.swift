@testable import BulkSQLite
import BulkTestSupport
import Testing

/// A list holds the value of each row, in as few bytes as its block needs.
struct ListedRowsTests {
  private let directory = TemporaryDirectory()
  private let connection: Connection

  init() throws {
    connection = try Connection(path: directory.path("t.sqlite"), access: .readWrite)
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, a, b INTEGER)")
  }

  private func list(
    column: Int?,
    where conditions: [RecordCopy.Condition] = [],
    within bytes: Int = 1 << 20
  ) throws -> ListedRows? {
    let root = try #require(try connection.root(ofTable: "t"))
    let contents = ListedRows.Contents(root: root, conditions: conditions, column: column)
    // A quarter is for pages.
    return LookupCache(bytes: bytes / 3 * 4).list(
      contents,
      of: connection.file,
      largestRecord: 1 << 16
    )
  }

  private func text(_ value: RecordValue?) -> String {
    switch value {
    case .null?: "NULL"
    case .integer(let number)?: "\(number)"
    case .real(let number)?: "\(number)"
    case .text(let bytes)?: "'\(String(decoding: bytes, as: UTF8.self))'"
    case nil: "SQL"
    }
  }

  /// The first keys of blocks of 4,096 keys, the first of which begins with the first key.
  private static let blocks: [Int64] = [-5000, -904, 3192, 101_496]

  @Test(
    arguments: [
      (0, 0), (0, 200), (-100, 155), (-100, 156), (1 << 40, 1 << 40 + 65_535), (-1, 65_535),
      (5, 5 + 4_294_967_295), (5, 5 + 4_294_967_296), (.min, .max),
    ] as [(Int64, Int64)]
  )
  func `integers keep their values in blocks of all widths`(least: Int64, greatest: Int64) throws {
    var expected: [Int64: String] = [:]
    for first in Self.blocks {
      for (offset, value) in [least, greatest, nil, least].enumerated() {
        let key = first + Int64(offset) * 1000
        expected[key] = value.map { "\($0)" } ?? "NULL"
        try connection.execute("INSERT INTO t VALUES (\(key), \(expected[key] ?? ""), 1)")
      }
    }
    let list = try #require(try list(column: 1))
    for (key, value) in expected {
      #expect(text(list.value(ofRow: key, as: .integer)) == value)
      #expect(list.contains(key))
    }
    for key in [-5001, -4999, 0, 3191, 104_497, 1 << 40, .min, .max] as [Int64] {
      #expect(text(list.value(ofRow: key, as: .integer)) == "NULL")
      #expect(!list.contains(key))
    }
  }

  @Test func `values of all classes are those of their column, or need SQL`() throws {
    let values = ["NULL", "7", "0.5", "9e999", "'é'", "CAST(x'41ff' AS TEXT)", "x'00'", "''"]
    for (offset, value) in values.enumerated() {
      try connection.execute("INSERT INTO t VALUES (\(offset + 1), \(value), 1)")
    }
    let list = try #require(try list(column: 1))
    func all(_ kind: RecordProgram.Kind) -> [String] {
      (1...8).map { text(list.value(ofRow: $0, as: kind)) }
    }
    #expect(all(.integer) == ["NULL", "7", "SQL", "SQL", "SQL", "SQL", "SQL", "SQL"])
    #expect(all(.number) == ["NULL", "7", "0.5", "inf", "SQL", "SQL", "SQL", "SQL"])
    #expect(all(.real) == ["NULL", "7.0", "0.5", "inf", "SQL", "SQL", "SQL", "SQL"])
    #expect(all(.text) == ["NULL", "SQL", "SQL", "SQL", "'é'", "'A\u{FFFD}'", "SQL", "''"])
    #expect(all(.validText) == ["NULL", "SQL", "SQL", "SQL", "'é'", "SQL", "SQL", "''"])
  }

  @Test func `keys alone are listed where conditions hold`() throws {
    try connection.execute("INSERT INTO t VALUES (1, NULL, 1), (2, NULL, 2), (70, 1, 1)")
    let list = try #require(try list(column: nil, where: [.isIn(2, [1])]))
    #expect([0, 1, 2, 69, 70, 71].filter { list.contains($0) } == [1, 70])
  }

  @Test func `what does not fit is not listed`() throws {
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO t SELECT i, 'text ' || i, i FROM n
      """
    )
    // Five blocks of 4,096 keys with a byte for each tag and two for each value, and the places of 16 blocks.
    let bytes = 5 * 4096 * 3
    let numbers = try #require(try list(column: 2, within: bytes + 16 * 24))
    #expect(text(numbers.value(ofRow: 20_000, as: .integer)) == "20000")
    #expect(numbers.bytes <= bytes + 16 * 24)
    #expect(try list(column: 2, within: bytes) == nil)
    #expect(try list(column: 1, within: 200_000) == nil)
    let texts = try #require(try list(column: 1))
    withExtendedLifetime(texts) {
      #expect(text(texts.value(ofRow: 19_999, as: .text)) == "'text 19999'")
    }
    #expect(try list(column: nil, within: 0)?.contains(20_000) == true)
    try connection.execute("DELETE FROM t WHERE k % 2 = 0")
    #expect(try list(column: nil, within: 2000) == nil)
    #expect(try list(column: nil, within: 4000)?.contains(19_999) == true)
  }

  @Test func `rows that cannot be read are not listed`() throws {
    try connection.execute("INSERT INTO t VALUES (1, hex(zeroblob(40000)), 1)")
    #expect(try list(column: 2) == nil)
    #expect(try list(column: nil) == nil)
  }

  @Test func `lists that nobody uses give way to others`() throws {
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO t SELECT i, i, i FROM n
      """
    )
    let root = try #require(try connection.root(ofTable: "t"))
    let cache = LookupCache(bytes: 100_000 / 3 * 4)
    func list(_ column: Int) -> ListedRows? {
      let contents = ListedRows.Contents(root: root, conditions: [], column: column)
      return cache.list(contents, of: connection.file, largestRecord: 1 << 16)
    }
    // Two lists of 61,440 bytes do not fit together.
    for column in [1, 2] { #expect(list(column) != nil) }
    let used = try #require(list(1))
    #expect(list(2) == nil)
    #expect(text(used.value(ofRow: 9, as: .integer)) == "9")
  }
}
