import BulkTestSupport
import Testing

struct RowTransferTests {
  private let directory = TemporaryDirectory()
  private let sourcePath: String
  private let source: Connection

  init() throws {
    sourcePath = directory.path("source.sqlite")
    source = try Connection(path: sourcePath, access: .readWrite)
    try source.execute("PRAGMA synchronous = OFF")
    try source.execute("CREATE TABLE ZS (Z_PK INTEGER PRIMARY KEY, Z_ENT, a, b)")
    try source.execute("CREATE TABLE ZP (Z_PK INTEGER PRIMARY KEY, Z_ENT, owner, place)")
  }

  private func session() throws -> StoreSession {
    try StoreSession(directory.path("destination.sqlite"), readingFrom: sourcePath)
  }

  /// Moves the rows of ranges, and tells how many were written of each.
  private func moved(
    _ transfer: RowTransfer,
    _ ranges: [ClosedRange<Int64>],
    _ session: StoreSession
  ) throws -> [Int64] {
    var written: [Int64] = []
    try SQLRowSink(session).fill(by: [transfer]) { append in
      for range in ranges { written += try append(range) }
    }
    return written
  }

  /// Makes a destination table `ZD (Z_PK, v)`, transfers all rows to it, and gives them back.
  private func transfer(
    _ value: ColumnExpression,
    where conditions: [ColumnExpression] = []
  ) throws -> [String] {
    let session = try session()
    try StoreBuilder(session).create("CREATE TABLE ZD (Z_PK INTEGER PRIMARY KEY, v)")
    let transfer = RowTransfer(
      to: "ZD",
      from: "ZS",
      [.init("Z_PK", .column("Z_PK")), .init("v", value)],
      where: conditions
    )
    _ = try moved(transfer, [.min...(.max)], session)
    let reader = try Connection(path: directory.path("destination.sqlite"), access: .source)
    let rows = try reader.prepare("SELECT Z_PK, v FROM ZD ORDER BY Z_PK")
    var result: [String] = []
    while try rows.step() { result.append("\(rows.int64(at: 0)): \(rows.value(at: 1).literal)") }
    return result
  }

  @Test func `a shifted key is one operand`() throws {
    try source.execute("INSERT INTO ZS (a) VALUES (1)")
    #expect(try transfer(.prefixed(.shifted(.column("Z_PK"), by: 5))) == ["1: x'0136'"])
  }

  @Test func `values of all kinds are carried over as they are`() throws {
    let values = [
      "NULL", "7", "-9223372036854775808", "0.5", "'it''s 🙂'", "x'00ff'", "''", "x''",
      "replace('a\u{1}b', char(1), char(0))",
    ]
    for value in values { try source.execute("INSERT INTO ZS (a) VALUES (\(value))") }
    #expect(
      try transfer(.column("a")) == values.enumerated().map { "\($0 + 1): \($1)" }
    )
  }

  /// The file that rows of a source table make, whose columns are the same, in some order.
  private func made(from table: String, _ columns: [String], as type: String) throws -> Data {
    let path = directory.path("made from \(table).sqlite")
    let session = try StoreSession(path, readingFrom: sourcePath)
    let types = ["Z_PK": "INTEGER PRIMARY KEY", "Z_ENT": "INTEGER", "a": type, "b": "VARCHAR"]
    let declared = columns.map { "\($0) \(types[$0] ?? "")" }.joined(separator: ", ")
    try StoreBuilder(session).create("CREATE TABLE ZD (\(declared))")
    let entity = ColumnExpression.renumbered(.column("Z_ENT"), [2: 2])
    let transfer = RowTransfer(
      to: "ZD",
      from: table,
      [.init("Z_ENT", entity)] + ["Z_PK", "a", "b", "c"].map { .init($0, .column($0)) }
    )
    let sink = PageRowSink(session, PageFills([], indexes: []))
    try sink.fill(by: [transfer]) { _ = try $0(.min ... .max) }
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  @Test(arguments: ["INTEGER", "REAL", "VARCHAR", "BLOB", "TIMESTAMP"])
  func `a record that is passed on is the one that would be made`(type: String) throws {
    let values = [
      "NULL", "0", "1", "127", "128", "-129", "70000", "1099511627776", "9007199254740993", "0.5",
      "2.0", "-9223372036854775808", "1e300", "'ä'", "'17'", "''", "x'00ff'", "zeroblob(5000)",
    ]
    for (number, value) in values.enumerated() {
      try source.execute("INSERT INTO ZS VALUES (\(2 * number), \(number % 3), \(value), 'b')")
    }
    // Records that lack a column, and the same rows with their values in other places.
    try source.execute("ALTER TABLE ZS ADD COLUMN c")
    try source.execute("INSERT INTO ZS VALUES (999, 2, 1, 'b', 5)")
    try source.execute("CREATE TABLE ZO (x, Z_PK INTEGER PRIMARY KEY, Z_ENT, a, b, c)")
    try source.execute("INSERT INTO ZO SELECT 7, * FROM ZS")
    try source.execute("CREATE TABLE ZL (Z_ENT, a, b, c, Z_PK INTEGER PRIMARY KEY)")
    try source.execute("INSERT INTO ZL SELECT Z_ENT, a, b, c, Z_PK FROM ZS")
    for (table, columns) in [
      ("ZS", ["Z_PK", "Z_ENT", "a", "b", "c"]), ("ZL", ["Z_ENT", "a", "b", "c", "Z_PK"]),
    ] {
      #expect(try made(from: table, columns, as: type) == made(from: "ZO", columns, as: type))
      try FileManager.default.removeItem(atPath: directory.path("made from ZO.sqlite"))
    }
  }

  @Test func `a text that is not UTF-8 keeps its bytes`() throws {
    try source.execute("INSERT INTO ZS (a) VALUES (CAST(x'41ff42' AS TEXT))")
    _ = try transfer(.column("a"))
    let reader = try Connection(path: directory.path("destination.sqlite"), access: .source)
    #expect(try reader.value("SELECT hex(v) || typeof(v) FROM ZD") == .text("41FF42text"))
  }

  @Test(
    arguments: [
      (.null, "NULL"),
      (.constant(.text("it's")), "'it''s'"),
      (.constant(.integer(.min)), "-9223372036854775808"),
      (.firstNonNull(.column("a"), .constant(.integer(3))), "3"),
      (.firstNonNull(.column("b"), .constant(.integer(3))), "x'00ff'"),
      (.prefixed(.column("b")), "x'0100ff'"),
      (.prefixed(.column("a")), "NULL"),
      (.unprefixed(.column("b")), "x'00ff'"),
      (.unprefixed(.column("a")), "NULL"),
      (.unprefixed(.prefixed(.column("b"))), "x'00ff'"),
      (.renumbered(.column("Z_ENT"), [2: 5, 3: 2]), "5"),
      (.renumbered(.column("Z_ENT"), [3: 2]), "NULL"),
      (.renumbered(.column("Z_ENT"), [2: 2]), "2"),
      (.renumbered(.column("Z_ENT"), [3: 3]), "NULL"),
      (.renumbered(.column("Z_ENT"), [:]), "NULL"),
      (.renumbered(.column("a"), [2: 2]), "NULL"),
      (.byEntity([]), "NULL"),
      (.byEntity([.init(entities: [1], value: .constant(.integer(1)))]), "NULL"),
      (.byEntity([.init(entities: [], value: .constant(.integer(1)))]), "NULL"),
      (
        .byEntity([
          .init(entities: [1], value: .constant(.integer(1))),
          .init(entities: [2, 4], value: .column("b")),
        ]), "x'00ff'"
      ),
      (.onlyIf(.column("b"), entityIn: .column("Z_ENT"), [2]), "x'00ff'"),
      (.onlyIf(.column("b"), entityIn: .column("Z_ENT"), [3]), "NULL"),
      (.onlyIf(.column("b"), entityIn: .column("Z_ENT"), []), "NULL"),
      (.entityNumber(ofRowIn: "ZP", key: .constant(.integer(10))), "4"),
      (.entityNumber(ofRowIn: "ZP", key: .column("a")), "NULL"),
      (
        .firstPartner(
          RelationshipRows(
            table: "ZP",
            nearColumn: "owner",
            farColumn: "Z_PK",
            nearTable: "ZO",
            farTable: "ZP"
          )
        ), "10"
      ),
      (
        .firstPartner(
          RelationshipRows(
            table: "ZP",
            nearColumn: "owner",
            farColumn: "Z_PK",
            farPositionColumn: "place",
            nearTable: "ZO",
            farTable: "ZP"
          )
        ), "11"
      ),
    ] as [(ColumnExpression, String)]
  )
  func `an expression has its value`(expression: ColumnExpression, value: String) throws {
    try source.execute("INSERT INTO ZS VALUES (1, 2, NULL, x'00ff')")
    try source.execute("INSERT INTO ZP VALUES (12, 4, 9, 1), (11, 4, 1, 2048), (10, 4, 1, 3072)")
    #expect(try transfer(expression) == ["1: \(value)"])
  }

  @Test(
    arguments: [
      ([], [1, 2, 3, 4]),
      ([.entityIn([2])], [1, 2]),
      ([.entityIn([2, 3])], [1, 2, 3]),
      ([.entityIn([])], []),
      ([.notNull(.column("a"))], [1, 3]),
      ([.entityIn([2]), .notNull(.column("a"))], [1]),
      ([.isIn("a", [10])], [1]),
      ([.partner(key: .column("a"), table: "ZP", entityIn: [7])], [1]),
      ([.partner(key: .column("a"), table: "ZP", entityIn: [8])], []),
    ] as [([ColumnExpression], [Int64])]
  )
  func `only rows that satisfy all conditions move`(
    conditions: [ColumnExpression],
    keys: [Int64]
  ) throws {
    try source.execute(
      "INSERT INTO ZS VALUES (1, 2, 10, 0), (2, 2, NULL, 0), (3, 3, 99, 0), (4, NULL, NULL, 0)"
    )
    try source.execute("INSERT INTO ZP VALUES (10, 7, NULL, NULL)")
    let moved = try transfer(.column("Z_PK"), where: conditions)
    #expect(moved == keys.map { "\($0): \($0)" })
  }

  @Test func `a range holds both of its ends`() throws {
    try source.execute(
      "INSERT INTO ZS (Z_PK) VALUES (\(Int64.min)), (-1), (0), (5), (\(Int64.max))"
    )
    let session = try session()
    try StoreBuilder(session).create("CREATE TABLE ZD (Z_PK INTEGER PRIMARY KEY)")
    let transfer = RowTransfer(to: "ZD", from: "ZS", [.init("Z_PK", .column("Z_PK"))])
    let ranges = [.min...(.min), -1...0, 1...4, 5...(Int64.max)]
    #expect(try moved(transfer, ranges, session) == [1, 2, 0, 2])
    #expect(try RowLookup(session).highestKey(in: "ZD") == .max)
  }

  @Test func `a key that is there already is an error, or is left out if asked for`() throws {
    try source.execute("INSERT INTO ZS (Z_PK) VALUES (1), (2)")
    let session = try session()
    try StoreBuilder(session).create("CREATE TABLE ZD (Z_PK INTEGER PRIMARY KEY)")
    try StoreBuilder(session).create("INSERT INTO ZD VALUES (2)")
    let columns = [RowTransfer.Assignment("Z_PK", .column("Z_PK"))]
    let strict = RowTransfer(to: "ZD", from: "ZS", columns)
    let error = try #require(throws: StoreError.self) {
      _ = try moved(strict, [.min...(.max)], session)
    }
    #expect(error.cause == .constraint)
    let lenient = RowTransfer(to: "ZD", from: "ZS", columns, ignoresDuplicates: true)
    #expect(try moved(lenient, [.min...(.max)], session) == [1])
  }

  @Test(arguments: ["a\"b", "x; DROP TABLE ZS; --", "🙂", "select", "it's", " "])
  func `tables and columns may have any name`(name: String) throws {
    let quoted = SQLText.quoted(name)
    try source.execute("CREATE TABLE \(quoted) (Z_PK INTEGER PRIMARY KEY, Z_ENT, \(quoted))")
    try source.execute("INSERT INTO \(quoted) VALUES (1, 2, 7)")
    let session = try session()
    try StoreBuilder(session).create(
      "CREATE TABLE \(quoted) (Z_PK INTEGER PRIMARY KEY, \(quoted), u, w)"
    )
    let lookup = RelationshipRows(
      table: name,
      nearColumn: name,
      farColumn: name,
      farPositionColumn: name,
      nearTable: name,
      farTable: name
    )
    let transfer = RowTransfer(
      to: name,
      from: name,
      [
        .init("Z_PK", .column("Z_PK")), .init(name, .column(name)),
        .init("u", .firstPartner(lookup)),
        .init("w", .entityNumber(ofRowIn: name, key: .column("Z_PK"))),
      ],
      where: [
        .notNull(.column(name)), .isIn(name, [7]),
        .partner(key: .column("Z_PK"), table: name, entityIn: [2]),
      ]
    )
    #expect(try moved(transfer, [0...10], session) == [1])
    let reader = try Connection(path: directory.path("destination.sqlite"), access: .source)
    #expect(
      try reader.value("SELECT \(quoted) || '|' || w FROM \(quoted)") == .text("7|2")
    )
  }

  @Test(
    arguments: [
      "CREATE TABLE own (a, b)",
      "CREATE TABLE own (a PRIMARY KEY, b) WITHOUT ROWID",
      "CREATE TABLE own (a, b, c GENERATED ALWAYS AS (a || b) STORED, d AS (a) VIRTUAL)",
      "CREATE TABLE own (\"a\", rowid, b)",
      "CREATE TABLE own (a, RowId, _rowid_, oid, b)",
      "CREATE TABLE own (a, b UNIQUE, CHECK (a < 9))",
      "CREATE TABLE own (a INTEGER PRIMARY KEY, b)",
      "CREATE TABLE own (a INT, b TEXT) STRICT",
    ]
  )
  func `a table of the application is copied whole`(sql: String) throws {
    try source.execute(sql)
    try source.execute("INSERT INTO own (a, b) VALUES (1, 'x'), (2, 'y'), (3, 'z')")
    try source.execute("DELETE FROM own WHERE a = 2")
    let session = try session()
    try StoreBuilder(session).create(sql)
    #expect(try SQLRowSink(session).copy(ownTable()) == 2)
    let reader = try Connection(path: directory.path("destination.sqlite"), access: .source)
    let text = "SELECT group_concat(a || b) FROM own"
    #expect(try reader.value(text) == .text("1x,3z"))
  }

  @Test func `a table of the application keeps its row ids, to which others may refer`() throws {
    try source.execute("CREATE TABLE own (a)")
    try source.execute("INSERT INTO own (rowid, a) VALUES (-5, 'x'), (7, 'y'), (9000, 'z')")
    let session = try session()
    try StoreBuilder(session).create("CREATE TABLE own (a)")
    _ = try SQLRowSink(session).copy(ownTable())
    let reader = try Connection(path: directory.path("destination.sqlite"), access: .source)
    #expect(
      try reader.value("SELECT group_concat(rowid || a) FROM own") == .text("-5x,7y,9000z")
    )
  }

  private func ownTable() throws -> FileTable {
    try #require(try FileSchema(source).table(named: "own"))
  }

  // The expected doubles are what the compiler reads.
  @Test(
    arguments: [
      ("10.11", 10.11), ("0.1", 0.1), ("-0.3", -0.3), ("1e-10", 1e-10),
      ("123456789.123456789", 123_456_789.123_456_789),
      ("0.07", 0.07), ("1e100", 1e100), ("3.14159265358979323846", 3.14159265358979323846),
      ("0", 0),
      ("99999999999999999999", 1e20), ("4.35", 4.35), ("1.1e-50", 1.1e-50),
    ] as [(String, Double)]
  )
  func `a decimal number is stored as the nearest double`(text: String, number: Double) throws {
    let decimal = try #require(Decimal(string: text))
    #expect(ColumnCoding.value(of: .decimal(decimal)) == .real(number))
  }
}
