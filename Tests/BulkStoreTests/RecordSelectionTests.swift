import BulkModel
@testable import BulkSQLite
@testable import BulkStore
import BulkTestSupport
import Testing

/// Rows that a query reads from records are those that its statement gives.
@Suite("Rows that are read from records")
struct RecordSelectionTests {
  private let directory: TemporaryDirectory
  private let source: StoreFile

  init() throws {
    directory = try TemporaryDirectory()
    source = StoreFile(directory.path("source.sqlite"))
    try source.execute(
      """
      CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR,
        ZRANK INTEGER, ZRATIO FLOAT, ZDATE TIMESTAMP, ZDATA BLOB)
      """
    )
  }

  private static let columns: [SelectedColumn] =
    [("Z_PK", .integer64), ("ZTITLE", .string), ("ZRANK", .integer64), ("ZRATIO", .double)]
    .map { SelectedColumn(.column($0), .attribute($1, isExternal: false)) }
    + [
      SelectedColumn(.column("ZDATE"), .attribute(.date, isExternal: false)),
      SelectedColumn(.column("ZDATA"), .attribute(.binaryData, isExternal: true)),
      SelectedColumn(.column("ZRANK"), .wholeNumber),
    ]

  private func session() throws -> StoreSession {
    try StoreSession(
      path: directory.path("destination.sqlite"),
      readingFrom: SourceFile(path: source.path),
      pageSize: 4096,
      caches: StoreSession.CacheSizes(destination: 1000, source: 1000)
    )
  }

  /// The rows of a query from records, and by its statement.
  private func both(
    _ range: ClosedRange<Int64>,
    limit: Int64 = 10_000,
    where conditions: [RowTransfer.Condition] = []
  ) throws -> (records: [SelectedRow], areAll: Bool, statement: [SelectedRow]) {
    let session = try session()
    let query = RowQuery("ZNOTE", Self.columns, where: conditions)
    let selection = try #require(try session.selection(of: query))
    var records: [SelectedRow] = []
    let areAll = selection.rows(range) { key, values in
      let decoded = zip(Self.columns, values).map { $0.coding.decoded($1) }
      records.append(SelectedRow(key: key, values: decoded))
      return records.count < limit
    }
    let statement = try session.prepare(query.sql)
    for (place, number) in [range.lowerBound, range.upperBound, limit].enumerated() {
      try statement.bind(.integer(number), at: Int32(place) + 1)
    }
    var rows: [SelectedRow] = []
    while try statement.step() {
      let values = Self.columns.indices.map {
        Self.columns[$0].coding.decoded(statement.value(at: Int32($0) + 1))
      }
      rows.append(SelectedRow(key: statement.int64(at: 0), values: values))
    }
    return (records, areAll, rows)
  }

  /// Texts of SQL for values that columns of all kinds may hold.
  private static let values = [
    "NULL", "0", "1", "-1", "127", "-32769", "8388608", "2147483648", "-140737488355329",
    "9223372036854775807", "-9223372036854775808", "0.5", "-0.0", "5.0", "1e300", "9e999", "''",
    "'a'", "'12'", "'1e3'", "'é'", "CAST(x'41ff42' AS TEXT)", "CAST(x'410042' AS TEXT)", "x''",
    "x'01aabb'", "x'02616200'", "x'00ff'", "zeroblob(3000)", "hex(zeroblob(4000))",
  ]

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `odd values are read alike`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    func value() -> String { Self.values.randomElement(using: &generator) ?? "NULL" }
    var statements: [String] = []
    for key in 1...200 as ClosedRange<Int64> {
      let values = (1...5).map { _ in value() }.joined(separator: ", ")
      statements.append("INSERT INTO ZNOTE VALUES (\(key * 3), \(key % 3), 1, \(values))")
    }
    try source.execute(statements.joined(separator: ";\n"))
    let found = try both(10...580, where: [.entityIn([1, 2])])
    #expect(found.areAll)
    // 12 to 579 are 190 keys, of which every third has the entity 0.
    #expect(found.statement.count == 127)
    #expect(found.records == found.statement)
    let limited = try both(10...580, limit: 7)
    #expect(limited.records.map(\.key) == [12, 15, 18, 21, 24, 27, 30])
    #expect(limited.records == limited.statement)
  }

  @Test func `records that lack columns have nil there`() throws {
    try source.execute(
      """
      CREATE TABLE old (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
      INSERT INTO old VALUES (1, 1, 1, 'a');
      DROP TABLE ZNOTE;
      ALTER TABLE old RENAME TO ZNOTE;
      ALTER TABLE ZNOTE ADD COLUMN ZRANK INTEGER;
      ALTER TABLE ZNOTE ADD COLUMN ZRATIO FLOAT;
      ALTER TABLE ZNOTE ADD COLUMN ZDATE TIMESTAMP;
      ALTER TABLE ZNOTE ADD COLUMN ZDATA BLOB;
      """
    )
    let found = try both(1...9)
    #expect(
      found.records == [
        SelectedRow(
          key: 1,
          values: [
            .value(.integer(1)), .value(.string("a")), .value(.null), .value(.null),
            .value(.null), .value(.null), .value(.null),
          ]
        )
      ]
    )
    #expect(found.records == found.statement)
  }

  @Test func `a record above the bound is left to SQLite, with those behind it`() throws {
    try source.execute(
      """
      INSERT INTO ZNOTE (Z_PK, Z_ENT, ZTITLE) VALUES (1, 1, 'a'), (2, 1, hex(zeroblob(40000))),
        (3, 1, 'c')
      """
    )
    let found = try both(1...9)
    #expect(!found.areAll)
    #expect(found.records.map(\.key) == [1])
    let session = try session()
    let query = try PreparedQuery(RowQuery("ZNOTE", Self.columns), session)
    #expect(try query.rows(1...9, limit: 500).rows.map(\.key) == [1])
    #expect(try query.rows(2...9, limit: 500).rows == Array(found.statement.dropFirst()))
  }

  @Test func `what is not a column of the row is left to SQLite`() throws {
    let session = try session()
    let sum = ColumnExpression.columnOfRow("ZTITLE", in: "ZNOTE", key: .column("ZRANK"))
    let query = RowQuery("ZNOTE", [SelectedColumn(sum, .wholeNumber)])
    #expect(try session.selection(of: query) == nil)
  }
}
