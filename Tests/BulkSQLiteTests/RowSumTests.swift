@testable import BulkSQLite
import BulkTestSupport
import Foundation
import Testing

@Suite("Sums over rows that are written") struct RowSumTests {
  /// A leaf of 512 bytes with rows of one text each: the size of the record, the key, the header of two bytes, the text.
  private func leaf(_ rows: [(key: UInt8, text: String)]) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: 512)
    page[0] = 13
    page[4] = UInt8(rows.count)
    var end = 512
    for (index, row) in rows.enumerated() {
      let text = Array(row.text.utf8)
      let cell = [UInt8(text.count + 2), row.key, 2, UInt8(13 + 2 * text.count)] + text
      end -= cell.count
      page.replaceSubrange(end..<end + cell.count, with: cell)
      page.replaceSubrange(
        8 + 2 * index..<10 + 2 * index,
        with: [UInt8(end >> 8), UInt8(end & 255)]
      )
    }
    page.replaceSubrange(5..<7, with: [UInt8(end >> 8), UInt8(end & 255)])
    return page
  }

  private func sum(_ rows: [(key: UInt8, text: String)]) throws -> UInt64 {
    var header = [UInt8](repeating: 0, count: 100)
    // Pages of 512 bytes.
    header.replaceSubrange(16..<18, with: [2, 0])
    let layout = try #require(header.withUnsafeBytes { PageLayout(header: $0) })
    return leaf(rows).withUnsafeBytes { RowSum.sum(of: $0, holding: [.rows], layout) }
  }

  @Test func `the order of rows does not matter, and everything else does`() throws {
    let rows: [(key: UInt8, text: String)] = [(1, "one"), (2, "a text of more than 16 bytes")]
    let sum = try sum(rows)
    #expect(try self.sum(rows.reversed()) == sum)
    #expect(try self.sum([(1, "one")]) != sum)
    #expect(try self.sum([(1, "one"), (3, "a text of more than 16 bytes")]) != sum)
    #expect(try self.sum([(1, "onf"), (2, "a text of more than 16 bytes")]) != sum)
    #expect(try self.sum([(1, "one"), (2, "a text of more than 16 bytet")]) != sum)
    #expect(try self.sum([(2, "one"), (1, "a text of more than 16 bytes")]) != sum)
  }

  @Test func `parts of a row do not change places`() throws {
    let parts = ["first part of it", "second part of i", "third part of it", "fourth part of i"]
    let sums = try [
      [0, 1, 2, 3], [1, 0, 2, 3], [2, 1, 0, 3], [0, 1, 3, 2], [2, 3, 0, 1], [1, 0, 3, 2],
    ].map {
      try sum([(1, $0.map { parts[$0] }.joined())])
    }
    #expect(Set(sums).count == sums.count)
  }

  @Test(arguments: [false, true])
  func `pages with other rows than were given are not committed`(isGiven: Bool) throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("made.sqlite")
    let connection = try Connection(path: path, access: .readWrite)
    try connection.execute("PRAGMA page_size = 512; CREATE TABLE t (a TEXT)")
    let file = try PageFile(connection, isDurable: false, writesBehind: false)
    try file.begin()
    if isGiven { file.note(rows: try sum([(1, "one"), (2, "two")])) }
    let root = try #require(try connection.root(ofTable: "t"))
    try leaf([(1, "one"), (2, "two")]).withUnsafeBytes {
      try file.write($0, to: root, holding: .rows)
    }
    if isGiven {
      try file.commit(1) {}
    } else {
      let error = #expect(throws: SQLiteError.self) { try file.commit(1) {} }
      #expect(error?.result == .malfunction)
    }
    let rows = try StoreFile(path).rows("SELECT a FROM t ORDER BY rowid")
    #expect(rows == (isGiven ? [["one"], ["two"]] : []))
  }
}
