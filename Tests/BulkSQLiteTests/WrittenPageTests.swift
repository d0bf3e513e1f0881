@testable import BulkSQLite
import BulkTestSupport
import Testing

/// Every page that is written holds what assertions ask of it, and none that is broken does.
struct WrittenPageTests {
  private let pages: [[UInt8]]
  private let layout: PageLayout

  init() throws {
    let directory = TemporaryDirectory()
    let path = directory.path("t.sqlite")
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA page_size = 512")
    try connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    try connection.execute("CREATE TABLE t (k INTEGER PRIMARY KEY, i INTEGER, s TEXT)")
    try connection.execute("CREATE INDEX ti ON t (i)")
    let writer = PageWriter(connection, isDurable: false, memory: 1 << 16)
    let table = try #require(try writer.table("t", ["k", "i", "s"], indexes: ["ti"]))
    writer.begin([table])
    for key in Int64(1)...900 {
      let text = String(repeating: "x", count: key.isMultiple(of: 50) ? 2_000 : 20)
      try table.append([.integer(key), .integer(key % 7), .text(text)])
    }
    try writer.commit(0)
    #expect(try writer.buildIndex(0, of: table))
    try writer.commit(0)
    writer.end()
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    let bytes = try Files.read(path)
    pages = stride(from: 0, to: bytes.count, by: 512).map { Array(bytes[$0..<$0 + 512]) }
    layout = try #require(bytes.withUnsafeBytes { PageLayout(header: $0) })
  }

  private func holds(_ page: [UInt8], _ number: Int, _ content: PageContent) -> Bool {
    page.withUnsafeBytes { bytes in
      WrittenPage(
        number: UInt32(number),
        bytes: bytes,
        count: UInt32(pages.count),
        layout: layout
      ).holds(content)
    }
  }

  private func first(_ kind: TreePageKind) throws -> (number: Int, bytes: [UInt8]) {
    let index = try #require(
      pages.indices.dropFirst().first {
        !layout.isMap(UInt32($0 + 1)) && pages[$0][0] == kind.rawValue
      }
    )
    return (index + 1, pages[index])
  }

  private func offset(_ page: [UInt8], _ pointer: Int) -> Int {
    Int(page[pointer]) << 8 | Int(page[pointer + 1])
  }

  @Test func `each holds its content only`() throws {
    var counts: [PageContent: Int] = [:]
    for (index, page) in pages.enumerated().dropFirst() {
      let held = [PageContent.rows, .overflow, .other].filter { holds(page, index + 1, $0) }
      #expect(held.count == 1, "page \(index + 1)")
      for content in held { counts[content, default: 0] += 1 }
    }
    #expect(counts[.rows, default: 0] > 50)
    #expect(counts[.overflow] == 18 * 4)
    #expect(counts[.other, default: 0] > 10)
  }

  @Test(arguments: [TreePageKind.tableLeaf, .tableInterior, .indexLeaf, .indexInterior])
  func `a changed header or pointer is found`(kind: TreePageKind) throws {
    let (number, page) = try first(kind)
    let content: PageContent = kind == .tableLeaf ? .rows : .other
    #expect(holds(page, number, content))
    let end = kind.headerSize + 2 * (Int(page[3]) << 8 | Int(page[4]))
    for index in Array(0..<8) + Array(kind.headerSize..<end) {
      for bit in 0..<8 {
        var page = page
        page[index] ^= 1 << UInt8(bit)
        #expect(!holds(page, number, content), "bit \(bit) of byte \(index)")
      }
    }
  }

  @Test func `keys that do not ascend are found`() throws {
    var (number, page) = try first(.tableLeaf)
    // The size of the record has one byte.
    page[offset(page, 10) + 1] = page[offset(page, 8) + 1]
    #expect(!holds(page, number, .rows))
    (number, page) = try first(.tableInterior)
    page[offset(page, 14) + 4] = 0
    #expect(!holds(page, number, .other))
  }

  /// The first page, none, the page itself, one of the pointer map, and one behind the end of the file.
  @Test(arguments: [8, nil], [1, 0, nil, 2, 255])
  func `a child that is not one is found`(offset: Int?, child: Int?) throws {
    var (number, page) = try first(.indexInterior)
    try #require(pages.count < 255)
    page[(offset ?? self.offset(page, 12)) + 2] = 0
    page[(offset ?? self.offset(page, 12)) + 3] = UInt8(child ?? number)
    #expect(!holds(page, number, .other))
  }

  @Test func `entries of a pointer map that SQLite does not know are found`() throws {
    #expect(holds(pages[1], 2, .other))
    for (offset, byte) in [(0, 6), (0, 5), (5 * 4 + 1, 255)] {
      var page = pages[1]
      page[offset] = UInt8(byte)
      #expect(!holds(page, 2, .other))
    }
  }
}
