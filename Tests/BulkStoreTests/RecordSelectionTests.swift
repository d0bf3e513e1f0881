@testable import BulkSQLite
@testable import BulkStore
import BulkTestSupport
import Testing

/// Rows that a query reads from records are those that its statement gives.
struct RecordSelectionTests {
  private let directory = TemporaryDirectory()
  private let source: StoreFile

  init() throws {
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
    try StoreSession(directory.path("destination.sqlite"), readingFrom: source.path)
  }

  /// The rows of a query from records, and by its statement.
  private func both(
    _ range: ClosedRange<Int64>,
    limit: Int64 = 10_000,
    where conditions: [ColumnExpression] = []
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

  @Test func `objects of a relationship are left to SQLite`() throws {
    let session = try session()
    let members = RelationshipRows(
      table: "ZNOTE",
      nearColumn: "ZRANK",
      farColumn: "Z_PK",
      nearTable: "ZNOTE",
      farTable: "ZNOTE"
    )
    let count = ColumnExpression.memberCount(members, ofRow: .column("Z_PK"))
    let query = RowQuery("ZNOTE", [SelectedColumn(count, .wholeNumber)])
    #expect(try session.selection(of: query) == nil)
  }

  // MARK: Computed values

  /// A random expression over the columns; its depth is at most a number.
  private static func expression(
    _ depth: Int,
    _ generator: inout SeededGenerator
  ) -> ColumnExpression {
    func next() -> ColumnExpression { expression(depth - 1, &generator) }
    let columns = ["Z_PK", "ZTITLE", "ZRANK", "ZRATIO", "ZDATE"]
    let column = columns.randomElement(using: &generator) ?? "Z_PK"
    switch depth == 0
      ? Int.random(in: 0...3, using: &generator) : Int.random(in: 0...13, using: &generator)
    {
    case 0, 1: return .column(column)
    case 2:
      let constants: [SQLiteValue] = [
        .null, .integer(3), .integer(-1), .real(0.5), .text("12"), .text("é"),
      ]
      return .constant(constants.randomElement(using: &generator) ?? .null)
    case 3: return .columnOfRow(column, in: "ZNOTE", key: .column("ZRANK"))
    case 4: return .arithmetic(next(), .sum, next())
    case 5: return .arithmetic(next(), .difference, next())
    case 6: return .arithmetic(next(), .product, next())
    case 7: return .arithmetic(next(), .quotient, next())
    case 8: return .isNonzero(next())
    case 9: return .real(next())
    case 10: return .joined(next(), next())
    case 11: return .equality(next(), next())
    case 12: return .firstNonNull(next(), next())
    default:
      return .conditional(condition(depth - 1, &generator), next(), next())
    }
  }

  private static func condition(
    _ depth: Int,
    _ generator: inout SeededGenerator
  ) -> ColumnExpression {
    func value() -> ColumnExpression { expression(max(0, depth - 1), &generator) }
    func next() -> ColumnExpression { condition(depth - 1, &generator) }
    let text = ["a", "12", "B", "é"].randomElement(using: &generator) ?? "a"
    switch Int.random(in: 0...(depth > 0 ? 10 : 7), using: &generator) {
    case 0: return .isNull(value())
    case 1: return .same(value(), value())
    case 2: return .among(value(), [.integer(1), .string("12"), .double(0.5)])
    case 3: return .ordered(value(), .less, value())
    case 4: return .ordered(value(), .greaterOrEqual, value())
    case 5: return .contains(.column("ZTITLE"), text)
    case 6: return .begins(.column("ZTITLE"), with: text)
    case 7: return .ends(.column("ZTITLE"), with: text)
    case 8: return .not(next())
    case 9: return .and([next(), next()])
    default: return .or([next(), next()])
    }
  }

  private func fill(_ generator: inout SeededGenerator) throws {
    let usual = ["1", "3", "30", "-4", "0.5", "2.25", "'a'", "'Bé'", "'12x'", "NULL", "600"]
    var statements: [String] = []
    for key in 1...200 as ClosedRange<Int64> {
      let values = (1...5).map { _ in
        (Bool.random(using: &generator) ? usual : Self.values).randomElement(using: &generator)
          ?? "1"
      }
      statements.append(
        "INSERT INTO ZNOTE VALUES (\(key * 3), \(key % 3), 1, \(values.joined(separator: ", ")))"
      )
    }
    try source.execute(statements.joined(separator: ";\n"))
  }

  @Test(arguments: RandomSeeds.first(40))
  func `computed values are those of SQL, or left to it`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try fill(&generator)
    let session = try session()
    var computed = 0
    for _ in 1...40 {
      let value = Self.expression(3, &generator)
      let isWhole = Bool.random(using: &generator)
      let test = isWhole ? ColumnExpression.truth(true) : Self.condition(2, &generator)
      let column = SelectedColumn(value, .wholeNumber)
      let query = RowQuery("ZNOTE", [column], where: [test])
      let statement = try session.prepare(
        "SELECT s.rowid, \(value.sql) FROM source.ZNOTE AS s WHERE \(test.sql) ORDER BY 1"
      )
      var expected: [Int64: SQLiteValue] = [:]
      while try statement.step() { expected[statement.int64(at: 0)] = statement.value(at: 1) }
      guard let selection = try session.selection(of: query) else { continue }
      var found: [Int64: SQLiteValue] = [:]
      for key in 1...600 as ClosedRange<Int64> {
        let isWhole = selection.rows(key...key) { key, values in
          found[key] = values[0]
          return true
        }
        if !isWhole { expected[key] = nil }
      }
      #expect(found == expected, "\(value.sql) where \(test.sql)")
      computed += found.count
    }
    // Of 40 expressions for 200 rows each.
    #expect(computed > 400)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `rows are counted as SQL counts them`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try source.execute(
      (1...200 as ClosedRange<Int64>).map { key in
        let other = Int64.random(in: 1...220, using: &generator)
        return
          "INSERT INTO ZNOTE (Z_PK, Z_ENT, ZRANK) VALUES (\(key), \(key % 4), \(key % 5 == 0 ? "NULL" : "\(other)"))"
      }.joined(separator: ";\n")
    )
    let session = try session()
    var counted = 0
    for _ in 1...30 {
      func condition() -> ColumnExpression {
        let match = RowMatch(.source, "ZNOTE")
        switch Int.random(in: 0...6, using: &generator) {
        case 0: return .entityIn([1, 2])
        case 1: return .partner(key: .column("ZRANK"), table: "ZNOTE", entityIn: [0, 3])
        case 2: return .matches(match.with("Z_PK", .column("ZRANK")))
        case 3:
          return .matches(
            match.with("Z_PK", [.shifted(.column("ZRANK"), by: 3)]).with("ZRANK", .column("Z_PK"))
          )
        case 4: return .notNull(.entityNumber(ofRowIn: "ZNOTE", key: .column("ZRANK")))
        case 5: return .isLess(.column("ZRANK"), than: .column("Z_PK"))
        default:
          let keys: [RowMatch.Key] = [-50, 0, 3].map { .shifted(.column("ZRANK"), by: $0) }
          return .matches(match.with("Z_PK", keys).with("ZRANK", keys))
        }
      }
      let sets = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
        (0..<Int.random(in: 0...2, using: &generator)).map { _ in condition() }
      }
      let all = [condition(), Bool.random(using: &generator) ? .any(sets) : .none(sets)]
      let expected = try session.value(
        "SELECT count(*) FROM source.ZNOTE AS s WHERE \(all.map(\.sql).joined(separator: " AND "))"
      )
      let counts = try session.recordCompiler(of: "ZNOTE")?.counts(where: all) { true }
      guard let count = counts?.first else { continue }
      #expect(expected == .integer(count), "\(all.map(\.sql))")
      counted += 1
    }
    #expect(counted == 30)
  }
}
