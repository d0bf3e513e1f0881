import BulkTestSupport
import Testing

/// Indexes over integers of any size, sorted in little memory and written by one thread or two.
struct IndexEntriesTests {
  private let directory = TemporaryDirectory()

  /// The values of two columns, row by row; `nil` is NULL.
  enum Values: CaseIterable, Sendable {
    /// Like foreign keys.
    case small
    /// Each less than all before, so that the least one is met last.
    case descending
    /// Now and then one that takes many more bits.
    case widening
    /// Together with the row id more than 64 bits.
    case wide
    /// The largest numbers, between which no difference fits into an integer.
    case extreme
    /// Hardly anything but NULL.
    case sparse
    case empty

    func row(_ key: Int64, _ random: inout SeededGenerator) -> (Int64?, Int64?) {
      switch self {
      case .small: (.random(in: 1...500, using: &random), .random(in: 1...90_000, using: &random))
      case .descending: (-key * 7, 1_000_000 - key)
      case .widening:
        (
          key.isMultiple(of: 997) ? -(1 << (key / 997)) : key % 10,
          key % 3 == 0 ? nil : 1 << (key % 20)
        )
      case .wide:
        (.random(in: 0..<1 << 40, using: &random), .random(in: 0..<1 << 33, using: &random))
      case .extreme:
        (
          [.max, .max - 1, .min + 1, -1, 0, 1].randomElement(using: &random) ?? 0,
          .random(in: 0...4, using: &random)
        )
      case .sparse: (key.isMultiple(of: 9_000) ? key : nil, key == 12_345 ? 0 : nil)
      case .empty: (nil, nil)
      }
    }
  }

  /// With the least memory entries are read from the file, index by index, and with more they are gathered
  /// from the rows.
  @Test(arguments: Values.allCases, [1, 1 << 19])
  func `are those that SQLite makes`(values: Values, memory: Int) throws {
    let connection = try table()
    let pages = PageWriter(connection, isDurable: true, memory: memory, writesBehind: memory > 1)
    let table = try #require(
      try pages.table("t", ["k", "a", "b"], indexes: ["ta", "tab", "tba"])
    )
    pages.begin([table])
    var random = SeededGenerator(seed: 5)
    for first in stride(from: Int64(1), to: 20_000, by: 5_000) {
      try table.append(
        (first..<(first + 5_000)).flatMap { key -> [SQLiteValue] in
          let (a, b) = values.row(key, &random)
          return [.integer(key * 3)] + [a, b].map { $0.map { .integer($0) } ?? .null }
        }
      )
      try pages.commit(first)
    }
    for index in 0..<3 {
      #expect(try pages.buildIndex(index, of: table))
      try pages.commit(20_000 + Int64(index))
    }
    pages.end()
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    #expect(try connection.value("SELECT count(*) FROM t") == .integer(20_000))
  }

  /// NULL has the place of the least integer, and three columns of 64 bits have no place in an entry.
  @Test(arguments: [("least", false), ("three", false), ("two", true)])
  func `that cannot be sorted are left to SQLite`(name: String, isBuilt: Bool) throws {
    let connection = try table()
    try connection.execute("CREATE TABLE u (k INTEGER PRIMARY KEY, a INTEGER, b INTEGER)")
    try connection.execute("CREATE INDEX two ON u (a); CREATE INDEX three ON u (a, b)")
    try connection.execute("CREATE INDEX least ON u (b)")
    let pages = PageWriter(connection, isDurable: true, memory: 1)
    let table = try #require(try pages.table("u", ["k", "a", "b"], indexes: [name]))
    pages.begin([table])
    for key in 0..<5_000 as Range<Int64> {
      let isEven = key.isMultiple(of: 2)
      let b = name == "least" ? (key == 4_000 ? .min : key) : (isEven ? .max - 1 : .min + 1)
      try table.append([.integer(key), .integer(isEven ? .min + 1 : .max - 1), .integer(b)])
    }
    try pages.commit(1)
    #expect(try pages.buildIndex(0, of: table) == isBuilt)
    if isBuilt { try pages.commit(2) }
    pages.end()
    try connection.execute("REINDEX u")
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test func `of another process's rows are read from the file`() throws {
    let connection = try table()
    let former = PageWriter(connection, isDurable: true, memory: 1)
    let begun = try #require(
      try former.table("t", ["k", "a", "b"], indexes: ["ta", "tab", "tba"])
    )
    former.begin([begun])
    try begun.append((1...3_000).flatMap { [.integer($0), .integer(-$0), .null] })
    try former.commit(1)
    former.end()
    let pages = PageWriter(connection, isDurable: true, memory: 1)
    let table = try #require(try pages.table("t", ["k", "a", "b"], indexes: ["ta", "tab", "tba"]))
    pages.begin([table])
    try table.append((3_001...6_000).flatMap { [.integer($0), .integer(-$0), .null] })
    try pages.commit(2)
    table.finish()
    for index in 0..<3 {
      #expect(try pages.buildIndex(index, of: table))
      try pages.commit(3 + Int64(index))
    }
    pages.end()
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    #expect(
      try connection.value("SELECT count(*) FROM t INDEXED BY ta WHERE a < 0") == .integer(6_000)
    )
  }

  /// Of a record of 4,588 bytes 496 are in its cell, too few for a header of 602.
  @Test func `of rows whose header does not end in their cell are left to SQLite`() throws {
    let connection = try table()
    let names = (0..<599).map { "c\($0)" }
    let columns = names.map { "\($0) INTEGER" }.joined(separator: ", ")
    try connection.execute("CREATE TABLE w (k INTEGER PRIMARY KEY, \(columns))")
    try connection.execute("CREATE INDEX last ON w (c598)")
    func append(_ keys: ClosedRange<Int64>, to writer: TableWriter) throws {
      for key in keys {
        let wide = [SQLiteValue](repeating: .integer(1 << 60), count: 498)
        let short = [SQLiteValue](repeating: .integer(0), count: 100)
        try writer.append([.integer(key)] + wide + short + [.integer(1_000 + key)])
      }
    }
    let former = PageWriter(connection, isDurable: true, memory: 1)
    let begun = try #require(try former.table("w", ["k"] + names, indexes: ["last"]))
    former.begin([begun])
    try append(1...20, to: begun)
    try former.commit(1)
    former.end()
    let pages = PageWriter(connection, isDurable: true, memory: 1)
    let table = try #require(try pages.table("w", ["k"] + names, indexes: ["last"]))
    pages.begin([table])
    try append(21...40, to: table)
    try pages.commit(2)
    table.finish()
    #expect(try !pages.buildIndex(0, of: table))
    pages.end()
    try connection.execute("REINDEX w")
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
  }

  private func table() throws -> Connection {
    let connection = try Connection(path: directory.path("main.sqlite"), access: .recorded)
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, a INTEGER, b INTEGER)")
    try connection.execute("CREATE INDEX ta ON t (a); CREATE INDEX tab ON t (a DESC, b)")
    try connection.execute("CREATE INDEX tba ON t (b, a DESC)")
    return connection
  }
}
