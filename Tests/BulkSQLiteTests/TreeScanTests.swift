import BulkSQLite
import BulkTestSupport
import Foundation
import Testing

/// Tables and indexes that are read without SQLite.
@Suite("Trees that are checked and summed up")
struct TreeScanTests {
  private let directory: TemporaryDirectory
  private let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path("t.sqlite")
  }

  private func make(_ statements: String...) throws {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    for statement in statements { try connection.execute(statement) }
  }

  private func root(_ name: String) throws -> UInt32 {
    let connection = try Connection(path: path, access: .source)
    let value = try connection.value("SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")
    guard case .integer(let page) = value else { return 0 }
    return UInt32(page)
  }

  private func sums(
    _ columns: [TreeColumn],
    groups: [[Int]] = [],
    isStopped: Bool = false
  ) throws -> [RowSum]? {
    try TreeScan(path: path) { isStopped }?.sums(ofTable: root("t"), columns, groups: groups)
  }

  private func sum(_ columns: [TreeColumn], limit: Int64 = .max) throws -> RowSum? {
    try TreeScan(path: path) { false }?.sum(ofIndex: root("i"), columns, entryLimit: limit)
  }

  private static let key = TreeColumn(.integer, isRowID: true)
  private static let any = TreeColumn(.blob)

  /// Numbers from 1 on, as rows of `n`.
  private static func numbers(_ count: Int) -> String {
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) "
  }

  /// Keys and values of all lengths of a record's fields, in trees of one to three levels; long values
  /// lie in chains of pages, those of the index too.
  @Test(arguments: [0, 1, 60, 1_000, 6_000], [512, 4_096, 65_536])
  func `a table and its index have one sum`(rows: Int, pageSize: Int) throws {
    try make(
      "PRAGMA page_size = \(pageSize)",
      "CREATE TABLE t (k INTEGER PRIMARY KEY, a INTEGER, b REAL, c VARCHAR, d BLOB)",
      Self.numbers(rows)
        + """
        INSERT INTO t SELECT i * 7 - 100,
          CASE i % 9 WHEN 0 THEN NULL WHEN 1 THEN 0 WHEN 2 THEN 1 ELSE (1 << (i % 62)) - i END,
          CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN i WHEN 2 THEN i / 3.0 ELSE -0.5 END,
          CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE 'text ' || i END,
          zeroblob(CASE WHEN i % 50 = 0 THEN i % 9000 ELSE i % 40 END) FROM n WHERE \(rows) > 0
        """,
      "CREATE INDEX i ON t (b DESC, a, c, d, k)"
    )
    let columns = [
      Self.key, TreeColumn(.integer), TreeColumn(.real), TreeColumn(.text), TreeColumn(.blob),
    ]
    let groups = [[2, 1, 3, 4, 0], []]
    let sums = try #require(try self.sums(columns, groups: groups))
    #expect(sums.map(\.count) == [Int64(rows), Int64(rows)])
    let terms = [2, 1, 3, 4].map { columns[$0] } + [TreeColumn(.integer)]
    #expect(try sum(terms) == sums[0])
    #expect(try sum(terms, limit: Int64(rows)) == sums[0])
    if rows > 0 { #expect(try sum(terms, limit: Int64(rows) - 1) == nil) }
  }

  @Test func `a log that is not in the file yet counts`() throws {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA journal_mode = WAL")
    try connection.execute("CREATE TABLE t (a INTEGER)")
    try connection.execute("INSERT INTO t VALUES (1), (2), (3)")
    #expect(try sums([TreeColumn(.integer)], groups: [[0]])?[0].count == 3)
  }

  @Test func `a column that was added later is NULL in rows from before`() throws {
    try make(
      "CREATE TABLE t (a INTEGER)",
      "INSERT INTO t VALUES (1)",
      "ALTER TABLE t ADD COLUMN b VARCHAR",
      "INSERT INTO t VALUES (2, 'x')",
      "CREATE INDEX i ON t (b)"
    )
    let columns = [TreeColumn(.integer), TreeColumn(.text)]
    #expect(try sums(columns, groups: [[1]])?[0] == sum([columns[1]]))
  }

  /// Long texts and blobs are taken in words of 8 bytes and a rest.
  @Test(
    arguments: [
      ["1", "1.5", "'1'", "x'31'", "NULL", "2", "-1", "0"],
      ["''", "x''", "NULL", "0", "x'00'", "x'0000'"],
      [
        "'abcdefgh'", "'abcdefghi'", "'abcdefgi'", "'bbcdefgh'", "'abcdefghj'",
        "'abcdefghabcdefgh'",
      ],
    ]
  )
  func `values that differ in class or content have different sums`(values: [String]) throws {
    try make("CREATE TABLE t (a)")
    var met: Set<RowSum> = []
    for value in values {
      try make("DELETE FROM t", "INSERT INTO t VALUES (\(value))")
      met.insert(try #require(try sums([Self.any], groups: [[0]]))[0])
    }
    #expect(met.count == values.count)
  }

  /// The affinities are those that section 3.1.1 of SQLite's datatype document gives the types.
  @Test(
    arguments: [
      ("INTEGER", ["1", "NULL"], ["1.5", "'1'", "x'31'"]),
      ("VARCHAR", ["'1'", "NULL", "''"], ["1", "1.5", "x'31'"]),
      ("TIMESTAMP", ["1", "1.5", "NULL"], ["'1'", "x'31'"]),
      ("FLOAT", ["1", "1.5", "NULL"], ["'1'", "x'31'"]),
      ("DECIMAL", ["1", "1.5", "NULL"], ["'1'", "x'31'"]),
      ("BLOB", ["x'31'", "NULL", "1", "1.5", "'1'"], []),
      ("", ["x'31'", "NULL", "1", "1.5", "'1'"], []),
      ("CHARINT", ["1"], ["'1'"]),
      ("FLOATING POINT", ["1"], ["1.5"]),
    ] as [(String, [String], [String])]
  )
  func `a column holds what its type is for`(
    type: String,
    good: [String],
    bad: [String]
  ) throws {
    let column = TreeColumn(ColumnAffinity(declaredType: type))
    try make("CREATE TABLE t (a)", "CREATE INDEX i ON t (a)")
    for (values, isGood) in [(good, true), (bad, false)] {
      for value in values {
        try make("DELETE FROM t", "INSERT INTO t VALUES (\(value))")
        #expect(try (sums([column]) != nil) == isGood, "\(value)")
        #expect(try (sum([column]) != nil) == isGood, "\(value)")
      }
    }
  }

  @Test func `only some numbers may occur where they are named`() throws {
    let column = TreeColumn(.integer, numbers: [1, 3])
    try make("CREATE TABLE t (a)", "INSERT INTO t VALUES (1), (3), (NULL)")
    #expect(try sums([column]) != nil)
    try make("INSERT INTO t VALUES (2)")
    #expect(try sums([column]) == nil)
  }

  @Test func `a scan can be stopped`() throws {
    try make(
      "PRAGMA page_size = 512",
      "CREATE TABLE t (a)",
      Self.numbers(3_000) + "INSERT INTO t SELECT zeroblob(200) FROM n"
    )
    #expect(try sums([Self.any]) != nil)
    #expect(try sums([Self.any], isStopped: true) == nil)
  }

  @Test func `more fields than columns, another tree, and no tree are refused`() throws {
    try make(
      "CREATE TABLE t (a, b)",
      "INSERT INTO t VALUES (1, 2)",
      "CREATE INDEX i ON t (a)"
    )
    let scan = try #require(TreeScan(path: path) { false })
    #expect(try sums([Self.any]) == nil)
    #expect(try sum([Self.any, Self.any]) == nil)
    #expect(try sum([]) == nil)
    #expect(scan.sums(ofTable: try root("i"), [Self.any], groups: []) == nil)
    #expect(scan.sum(ofIndex: try root("t"), [Self.any], entryLimit: 9) == nil)
    for page in [0, 1, 99, .max] as [UInt32] {
      #expect(scan.sums(ofTable: page, [Self.any, Self.any], groups: []) == nil)
    }
    #expect(TreeScan(path: directory.path("nothing")) { false } == nil)
    try Files.write([1, 2, 3], to: directory.path("short"))
    #expect(TreeScan(path: directory.path("short")) { false } == nil)
    try Files.write(Array(repeating: 0, count: 4_096), to: directory.path("zeros"))
    #expect(TreeScan(path: directory.path("zeros")) { false } == nil)
  }

  /// Whatever happens to the bytes, the scan ends; and what it calls sound SQLite can read, with the
  /// number of rows that it told.
  @Test(arguments: 0..<8)
  func `damage never traps, and what is sound can be read`(seed: Int) throws {
    try make(
      "PRAGMA page_size = 512",
      "CREATE TABLE t (k INTEGER PRIMARY KEY, a INTEGER, c VARCHAR)",
      Self.numbers(300)
        + "INSERT INTO t SELECT i * 3, i % 7, replace(hex(zeroblob(i % 60)), '00', 'word ') || "
        + "CASE WHEN i % 40 = 0 THEN hex(zeroblob(1500)) ELSE '' END FROM n",
      "CREATE INDEX i ON t (a, c)"
    )
    let sound = try Files.read(path)
    let columns = [Self.key, TreeColumn(.integer), TreeColumn(.text)]
    let roots = (table: try root("t"), index: try root("i"))
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<400 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        // The first page is the schema's, which SQLite reads.
        bytes[Int.random(in: 512..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255,
          using: &random
        )
      }
      try Files.write(bytes, to: path)
      guard let scan = TreeScan(path: path, isStopped: { false }) else { continue }
      let sums = scan.sums(ofTable: roots.table, columns, groups: [[1, 2]])
      let entries = scan.sum(
        ofIndex: roots.index,
        [columns[1], columns[2]],
        entryLimit: 1_000
      )
      guard let sums else { continue }
      let connection = try Connection(path: path, access: .source)
      let read = try connection.value(
        "SELECT count(k + length(CAST(c AS BLOB)) * 0 + ifnull(a, 0)) FROM t NOT INDEXED"
      )
      #expect(read == .integer(sums[0].count))
      guard entries == sums[0] else { continue }
      let indexed = try connection.value("SELECT count(c) FROM t INDEXED BY i")
      #expect(indexed == .integer(sums[0].count))
    }
  }
}
