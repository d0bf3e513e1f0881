import BulkTestSupport
import Testing

/// Random rows, written as pages and by SQLite, give the same database.
struct PageWriterTests {
  private let directory = TemporaryDirectory()

  @Test(arguments: RandomSeeds.first(48))
  func `random rows are what SQLite would have inserted`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let case_ = RandomTable(&random)
    let source = try case_.makeSource(directory.path("source.sqlite"), &random)
    let expected = try case_.makeFile(directory.path("expected.sqlite"), readingFrom: source)
    try expected.execute("INSERT INTO main.t SELECT * FROM source.t ORDER BY rowid")
    try expected.execute("INSERT INTO main.j SELECT * FROM source.j ORDER BY rowid")
    let written = try case_.makeFile(directory.path("written.sqlite"), readingFrom: source)
    let pages = PageWriter(written, isDurable: false, memory: 1 << 15)
    for (name, columns) in [("t", case_.columns), ("j", ["a", "b"])] {
      let writer = try #require(try pages.table(name, columns, indexes: ["ti", "td", "jb"]))
      pages.begin([writer])
      var ranges = case_.ranges(&random)
      while let range = ranges.popLast() {
        let rows = try written.prepare(
          "SELECT \(columns.joined(separator: ", ")) FROM source.\(name) "
            + "WHERE rowid BETWEEN \(range.lowerBound) AND \(range.upperBound) ORDER BY rowid"
        )
        _ = try writer.append(rows)
        try pages.commit(0)
      }
      for index in writer.indexNames.indices {
        #expect(try pages.buildIndex(index, of: writer))
        try pages.commit(0)
      }
      pages.end()
    }
    let (found, wanted) = try (DatabaseFiles.content(written), DatabaseFiles.content(expected))
    #expect(found.count == wanted.count)
    for (found, wanted) in zip(found, wanted) where found != wanted {
      #expect(found == wanted)
      break
    }
    #expect(try written.value("PRAGMA integrity_check") == .text("ok"))
    try written.execute("UPDATE t SET i = i + 1")
    try written.execute("DELETE FROM t WHERE k % 3 = 0")
    #expect(try written.value("PRAGMA integrity_check") == .text("ok"))
  }
}

extension DatabaseFiles {
  /// All statements and rows of the main database.
  fileprivate static func content(_ connection: Connection) throws -> [String] {
    try view(connection).filter { !$0.hasPrefix("page_count") && !$0.hasPrefix("freelist") }
  }
}

extension PageWriterTests {
  @Test(arguments: ["UTF-16le", "UTF-16be"])
  func `SQLite writes files whose texts are not UTF-8`(encoding: String) throws {
    let directory = TemporaryDirectory()
    let connection = try Connection(path: directory.path("made.sqlite"), access: .readWrite)
    try connection.execute("PRAGMA encoding = '\(encoding)'; CREATE TABLE t (a TEXT)")
    let writer = PageWriter(connection, isDurable: false, memory: 1 << 20)
    #expect(try writer.table("t", ["rowid", "a"], indexes: []) == nil)
  }
}

/// A table with an integer key and columns of every affinity, and a table of pairs.
private struct RandomTable {
  let pageSize: Int
  let vacuum: String
  let rows: Int
  let columns = ["k", "i", "f", "s", "b", "n"]

  init(_ random: inout SeededGenerator) {
    pageSize = [512, 1024, 4096, 8192, 65_536].randomElement(using: &random) ?? 512
    vacuum = ["NONE", "FULL", "INCREMENTAL"].randomElement(using: &random) ?? "NONE"
    rows = [0, 1, 7, 300, 5_000].randomElement(using: &random) ?? 0
  }

  func ranges(_ random: inout SeededGenerator) -> [ClosedRange<Int64>] {
    let middle = Int64.random(in: 0...Int64(rows * 40), using: &random)
    return [(middle + 1)...Int64.max, Int64.min...middle]
  }

  func makeSource(_ path: String, _ random: inout SeededGenerator) throws -> String {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, i, f, s, b, n)")
    try connection.execute("CREATE TABLE j (a INTEGER, b INTEGER, PRIMARY KEY (a, b))")
    try connection.execute("BEGIN")
    let row = try connection.prepare("INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
    let pair = try connection.prepare("INSERT OR IGNORE INTO j VALUES (?1, ?2)")
    var key: Int64 = Bool.random(using: &random) ? -9_000_000_000 : 0
    for _ in 0..<rows {
      key += Int64.random(in: 1...30, using: &random)
      let values: [SQLiteValue] = [
        .integer(key), integer(&random), number(&random), text(&random), blob(&random),
        anything(&random),
      ]
      for (index, value) in values.enumerated() { try row.bind(value, at: Int32(index) + 1) }
      try row.run()
      try pair.bind(.integer(Int64.random(in: -3...300, using: &random)), at: 1)
      try pair.bind(.integer(Int64.random(in: 0...1_000_000, using: &random)), at: 2)
      try pair.run()
    }
    try connection.execute("COMMIT")
    return path
  }

  func makeFile(_ path: String, readingFrom source: String) throws -> Connection {
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA page_size = \(pageSize)")
    try connection.execute("PRAGMA auto_vacuum = \(vacuum)")
    try connection.execute(
      "CREATE TABLE t (k INTEGER PRIMARY KEY, i INTEGER, f REAL, s VARCHAR, b BLOB, n TIMESTAMP)"
    )
    try connection.execute("CREATE TABLE j (a INTEGER, b INTEGER, PRIMARY KEY (a, b))")
    try connection.execute("CREATE INDEX ti ON t (i)")
    try connection.execute("CREATE INDEX td ON t (i DESC, k)")
    try connection.execute("CREATE INDEX jb ON j (b, a)")
    try connection.attachSource(SourceFile(path: source), as: "source")
    return connection
  }

  private func integer(_ random: inout SeededGenerator) -> SQLiteValue {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .null
    case 1: .integer(Int64.random(in: 0...1, using: &random))
    case 2: .integer(Int64.random(in: Int64.min + 1...Int64.max, using: &random))
    case 3: .text("\(Int.random(in: 0...99, using: &random))")
    case 4: .real(Double(Int.random(in: -9...9, using: &random)))
    default: .integer(Int64.random(in: -70_000...70_000, using: &random))
    }
  }

  private func number(_ random: inout SeededGenerator) -> SQLiteValue {
    switch Int.random(in: 0..<7, using: &random) {
    case 0: .null
    case 1: .integer(Int64.random(in: Int64.min...Int64.max, using: &random))
    case 2: .real(Double(Int64.random(in: Int64.min...Int64.max, using: &random)))
    case 3: .real(-0.0)
    case 4: .text(["12", "1e3", "abc", " 7 ", "-0.5"].randomElement(using: &random) ?? "")
    case 5: .real(.infinity)
    default: .real(Double.random(in: -1...1, using: &random))
    }
  }

  private func text(_ random: inout SeededGenerator) -> SQLiteValue {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .null
    case 1: .integer(Int64.random(in: -99...99, using: &random))
    case 2: .real(1.5)
    default:
      .text(String(repeating: "aé𝄞", count: Int.random(in: 0...40, using: &random)))
    }
  }

  private func blob(_ random: inout SeededGenerator) -> SQLiteValue {
    let size = Int.random(in: 0..<30, using: &random) == 0 ? 70_000 : 300
    return .blob([UInt8](repeating: 7, count: Int.random(in: 0...size, using: &random)))
  }

  private func anything(_ random: inout SeededGenerator) -> SQLiteValue {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: integer(&random)
    case 1: number(&random)
    default: blob(&random)
    }
  }
}
