import BulkTestSupport
import Testing

/// A table of three levels: 4,000 rows on pages of 512 bytes.
struct TableSalvageTests {
  private let directory = TemporaryDirectory()
  private let path: String

  init() throws {
    path = directory.path("t.sqlite")
    let connection = try Connection(path: path, access: .readWrite)
    for sql in [
      "PRAGMA page_size = 512", "CREATE TABLE t (k INTEGER PRIMARY KEY, a TEXT)",
      "CREATE INDEX i ON t (a)",
      "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 4000) "
        + "INSERT INTO t SELECT x, 'a text of some length ' || x FROM c",
    ] { try connection.execute(sql) }
  }

  /// The page above leaves that is the third child of the root, and the keys of the child before it and its own.
  private func branch() throws -> (page: Int, keys: ClosedRange<Int64>) {
    let bytes = try Files.read(path)
    let start = (try StoreFile(path).root(of: "t") - 1) * 512
    try #require(bytes[start] == 5)
    func child(_ cell: Int) -> (page: Int, key: Int64) {
      let pointer = start + 12 + 2 * cell
      var offset = start + Int(bytes[pointer]) * 256 + Int(bytes[pointer + 1])
      let number = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      offset += 4
      var key: Int64 = 0
      while bytes[offset] >= 128 {
        key = key << 7 | Int64(bytes[offset] & 127)
        offset += 1
      }
      return (number, key << 7 | Int64(bytes[offset]))
    }
    let (before, own) = (child(1), child(2))
    try #require(bytes[(own.page - 1) * 512] == 5)
    return (own.page, before.key + 1...own.key)
  }

  private func pages(removingFrom copy: String? = nil) throws -> [UnreadablePage]? {
    try TableSalvage.pages(of: "t", in: SourceFile(path: path), removingFrom: copy)
  }

  private func salvaged() throws -> (copy: String, pages: [UnreadablePage]?) {
    let copy = directory.path("copy.sqlite")
    try Files.write(Files.read(path), to: copy)
    return (copy, try pages(removingFrom: copy))
  }

  private func damage(_ page: Int, _ change: (inout [UInt8], Int) -> Void) throws {
    var bytes = try Files.read(path)
    change(&bytes, (page - 1) * 512)
    try Files.write(bytes, to: path)
  }

  @Test func `it is one page with all keys that are below it`() throws {
    let (page, keys) = try branch()
    try damage(page) { $0.replaceSubrange($1..<$1 + 512, with: Array(repeating: 0, count: 512)) }
    #expect(try pages() == [UnreadablePage(number: UInt32(page), keys: keys)])
  }

  @Test func `without it the table has all other rows, and its indexes too`() throws {
    let (page, keys) = try branch()
    try damage(page) { bytes, start in bytes[start] = 99 }
    let (copy, found) = try salvaged()
    #expect(found?.map(\.keys) == [keys])
    let connection = try Connection(path: copy, access: .readWrite)
    try connection.execute("REINDEX")
    let left = 4_000 - (keys.upperBound - keys.lowerBound + 1)
    #expect(try connection.value("SELECT count(*) FROM t NOT INDEXED") == .integer(left))
    #expect(
      try connection.value("SELECT count(*) FROM t INDEXED BY i WHERE a > ''") == .integer(left)
    )
    #expect(
      try connection.value(
        "SELECT count(*) FROM t WHERE k BETWEEN \(keys.lowerBound) AND \(keys.upperBound)"
      ) == .integer(0)
    )
  }

  /// Each key ends in the first byte of the next child, a leaf with one row; the first leaf cannot be read.
  @Test func `a page whose cells share bytes is not written again`() throws {
    let number = try StoreFile(path).root(of: "t")
    let cells = 71
    var page: [UInt8] = [5, 0, 0, 0, UInt8(cells), 0, 0, 0, 0, 0, 0, 100]
    for cell in 0..<cells {
      let offset = 12 + 2 * cells + 5 * cell
      page += [UInt8(offset >> 8), UInt8(offset & 255)]
    }
    for cell in 0..<cells { page += [0, 0, 0, 128 + UInt8(cell), 129 + UInt8(cell)] }
    page += Array(repeating: 0, count: 512 - page.count)
    try damage(number) { $0.replaceSubrange($1..<$1 + 512, with: page) }
    for cell in 0..<cells {
      var leaf = [UInt8](repeating: 0, count: 512)
      leaf.replaceSubrange(0..<10, with: [13, 0, 0, 0, 1, 1, 249, 0, 1, 249])
      // The key is 128 times the number of the cell and 1; the record holds NULL and a text of one letter.
      leaf.replaceSubrange(505..<512, with: [4, 128 + UInt8(cell), 1, 3, 0, 15, 97])
      if cell == 0 { leaf[0] = 99 }
      try damage(128 + cell) { $0.replaceSubrange($1..<$1 + 512, with: leaf) }
    }
    let (copy, found) = try salvaged()
    #expect(found == nil)
    #expect(try Files.read(copy)[(number - 1) * 512..<number * 512] == page[...])
  }

  @Test func `leaves below other pages are found beside it`() throws {
    let (page, keys) = try branch()
    try damage(page) { bytes, start in bytes[start] = 99 }
    let connection = try Connection(path: path, access: .source)
    let leaf = try connection.value(
      "SELECT pageno FROM dbstat WHERE name = 't' AND pagetype = 'leaf' ORDER BY pageno LIMIT 1"
    )
    guard case .integer(let number) = leaf else { return }
    try damage(Int(number)) { bytes, start in bytes[start] = 99 }
    let found = try #require(try pages())
    #expect(found.map(\.number) == [UInt32(number), UInt32(page)])
    #expect(found[0].keys.lowerBound == .min)
    #expect(found[1].keys == keys)
  }

  @Test func `without its root nothing is known of a table`() throws {
    try damage(StoreFile(path).root(of: "t")) { bytes, start in bytes[start] = 99 }
    #expect(try pages() == nil)
  }
}
