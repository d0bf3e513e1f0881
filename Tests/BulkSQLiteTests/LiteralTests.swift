import BulkTestSupport
import Testing

struct LiteralTests {
  private let directory = TemporaryDirectory()
  private let connection: Connection

  init() throws {
    connection = try Connection(path: directory.path("own.sqlite"), access: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
  }

  /// 2^52, nineteen times.
  private static let factors = String(repeating: " * 4503599627370496.0", count: 19)

  /// The bits of a number after it went through SQL as a literal and through a row.
  private func bits(of value: Double) throws -> UInt64? {
    try connection.execute("CREATE TABLE IF NOT EXISTS n (v)")
    try connection.execute("DELETE FROM n")
    try connection.execute("INSERT INTO n VALUES (\(SQLiteValue.real(value).literal))")
    guard case .real(let read) = try connection.value("SELECT v FROM n") else { return nil }
    return read.bitPattern
  }

  @Test(
    arguments: [
      (.null, "NULL"),
      (.integer(0), "0"),
      (.integer(-1), "-1"),
      (.integer(.max), "9223372036854775807"),
      (.integer(.min), "-9223372036854775808"),
      (.real(0.5), "0.5"),
      (.real(-2), "-2.0"),
      (.real(-0.0), "-0.0"),
      (.real(0.1), "(3602879701896397.0 / 4503599627370496.0 / 8.0)"),
      (.real(-0x1p1023), "(-1.0" + Self.factors + " * 34359738368.0)"),
      (.real(.nan), "NULL"),
      (.real(.infinity), "9e999"),
      (.real(-.infinity), "-9e999"),
      (.text("it's"), "'it''s'"),
      (.text(""), "''"),
      (.text("a\0b"), "replace('a\u{1}b', char(1), char(0))"),
      (.text("\u{1}\0"), "replace('\u{1}\u{2}', char(2), char(0))"),
      (.blob([]), "x''"),
      (.blob([0, 15, 255]), "x'000fff'"),
    ] as [(SQLiteValue, String)]
  )
  func `a value is written as a literal`(value: SQLiteValue, literal: String) {
    #expect(value.literal == literal)
  }

  @Test(
    arguments: [
      .null, .integer(.min), .integer(.max), .integer(-1), .real(.infinity), .real(-.infinity),
      .text("'"), .text("''; DROP TABLE n; --"), .text("\""), .text("\0"), .text("a\0'b"),
      .text("\u{FEFF}x"), .text("👩‍👩‍👧‍👦 🇩🇪 e\u{301}"), .text("'\u{301}"), .text("\r\n\t\\"),
      .text(String(repeating: "'x", count: 50_000)), .text("?1 :a @b $c"), .text("12"),
      .blob([]), .blob([0]), .blob(Array(0...255)), .blob(Array("text".utf8)),
    ] as [SQLiteValue]
  )
  func `a literal is read as the value that was written`(value: SQLiteValue) throws {
    #expect(try connection.value("SELECT \(value.literal)") == value)
    let statement = try connection.prepare("SELECT ?1")
    try statement.bind(value, at: 1)
    #expect(try statement.step())
    #expect(statement.value(at: 0) == value)
  }

  @Test(arguments: ["\0", "a\0'b\0", "𝄞\0é", "\u{1}\0\u{2}"])
  func `a literal with NUL is read as such in a database of UTF-16`(text: String) throws {
    let wide = try Connection(path: directory.path("wide.sqlite"), access: .readWrite)
    try wide.execute("PRAGMA encoding = 'UTF-16le'")
    try wide.execute("CREATE TABLE n (v)")
    let value = SQLiteValue.text(text)
    try wide.execute("INSERT INTO n VALUES (\(value.literal))")
    #expect(try wide.value("SELECT v FROM n") == value)
  }

  @Test(
    arguments: [
      0.0, 1, -1, 0.1, 1.0 / 3, .pi, 10.11, 1e22, 1e23, 123_456_789.123_456_78,
      9_007_199_254_740_994,
      .leastNonzeroMagnitude, .leastNonzeroMagnitude * 100, .leastNormalMagnitude.nextDown,
      .leastNormalMagnitude, .greatestFiniteMagnitude, 0x1.fffffp-1040,
      0x1.23456789abcdep-1022,
      0x1p63, 0x1.fffffffffffffp63, 8.41e21, 1e300, 1e-300,
      3.526_424_412_026_5e-305, -1.181_682_263_799_844e-117, 721_692_800.123_456, 0x1p-1060,
    ] as [Double]
  )
  func `a number keeps every bit`(value: Double) throws {
    #expect(try bits(of: value) == value.bitPattern)
    #expect(try bits(of: -value) == (-value).bitPattern)
  }

  @Test(arguments: 0..<20)
  func `a number of any bits keeps them`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = (0..<200).map { _ in Double(bitPattern: random.next()) }.filter(\.isFinite)
    let changed = try values.filter { try bits(of: $0) != $0.bitPattern }
    #expect(changed == [])
  }

  @Test(arguments: 0..<20)
  func `a date of these decades keeps its bits`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let values = (0..<200).map { _ in Double.random(in: -1e9...1e9, using: &random) }
    let changed = try values.filter { try bits(of: $0) != $0.bitPattern }
    #expect(changed == [])
  }

  @Test(
    arguments: [
      "plain", "it's", "a\"b", "\"", "\"\"", "x; DROP TABLE n", "select", "", " ", "a.b", "[x]",
      "`x`",
      "ключ", "🙂", "\u{301}", "\"\u{301}", "%s", "-- x", "/* x", "?1",
    ]
  )
  func `a quoted name means itself`(name: String) throws {
    let quoted = SQLText.quoted(name)
    try connection.execute("CREATE TABLE \(quoted) (\(quoted) INTEGER)")
    try connection.execute("INSERT INTO main.\(quoted) (\(quoted)) VALUES (7)")
    #expect(try connection.value("SELECT x.\(quoted) FROM \(quoted) AS x") == .integer(7))
    let literal = SQLText.quoted(literal: name)
    #expect(
      try connection.value("SELECT count(*) FROM sqlite_schema WHERE name = \(literal)")
        == .integer(1)
    )
  }
}
