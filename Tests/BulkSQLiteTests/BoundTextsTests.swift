import BulkTestSupport
import Testing

struct BoundTextsTests {
  /// Rows whose texts fit into the 4,096 bytes that are kept, just fit, and do not; the next row has them for itself again.
  private static let rows: [[SQLiteValue]] = [
    [.text(""), .text("é\0👩‍👦"), .null],
    [.text(String(repeating: "a", count: 4095)), .text("b"), .text("")],
    [.text(String(repeating: "c", count: 4096)), .text("d"), .integer(7)],
    [.text(String(repeating: "e", count: 4097)), .text("f"), .blob([1])],
    [.text("g"), .text(String(repeating: "h", count: 4096)), .text("i")],
    [.text(""), .real(0.5), .text("j")],
  ]

  @Test(arguments: ["UTF-8", "UTF-16le", "UTF-16be"])
  func `rows hold the texts that were bound`(encoding: String) throws {
    let directory = TemporaryDirectory()
    let connection = try Connection(path: directory.path("own.sqlite"), access: .readWrite)
    try connection.execute("PRAGMA encoding = '\(encoding)'; CREATE TABLE t (a, b, c)")
    let texts = BoundTexts()
    let insertion = try connection.prepare("INSERT INTO t VALUES (?1, ?2, ?3)")
    for row in Self.rows {
      texts.removeAll()
      for (value, parameter) in zip(row, [1, 2, 3] as [Int32]) {
        try insertion.bind(value, at: parameter, with: texts)
      }
      try insertion.run()
    }
    let found = try connection.prepare("SELECT a, b, c FROM t ORDER BY rowid")
    for row in Self.rows {
      let isRow = try found.step()
      let values = (0..<3 as Range<Int32>).map { found.value(at: $0) }
      #expect(isRow && values == row)
    }
    let isFurther = try found.step()
    #expect(!isFurther)
  }
}
