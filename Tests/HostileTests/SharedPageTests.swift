import BulkTestSupport
import Testing

/// Pages that share their children: each level of them multiplies what SQLite would read.
@Suite("Stores whose pages share their children", .tags(.promise29))
struct SharedPageTests {
  private let store: SmallStore
  private static let pageSize = 4096

  init() throws { store = try SmallStore() }

  /// Puts levels of pages above the only page of a table, of which each has 600 cells that lead to the one
  /// page below it.
  ///
  /// - Returns: The lowest page.
  private func pile(_ levels: Int, above root: Int) throws -> Int {
    var bytes = store.bytes
    let count = bytes.count / Self.pageSize
    let start = (root - 1) * Self.pageSize
    let header = root == 1 ? 100 : 0
    let leaf = Array(bytes[start..<(start + Self.pageSize)])
    for level in 0..<levels {
      let page = level == 0 ? root : count + level
      let above = Self.interior(over: count + level + 1, header: header * (level == 0 ? 1 : 0))
      if level == 0 {
        bytes.replaceSubrange((start + header)..<(start + Self.pageSize), with: above)
      } else {
        precondition(bytes.count == (page - 1) * Self.pageSize, "pages follow one another")
        bytes += above
      }
    }
    bytes += leaf
    let pages = UInt32(bytes.count / Self.pageSize)
    for byte in 0..<4 {
      bytes[28 + byte] = UInt8(truncatingIfNeeded: pages >> (24 - 8 * UInt32(byte)))
    }
    try Files.write(bytes, to: store.source)
    return count + levels
  }

  /// A page of a table whose cells are one and the same, at its end.
  private static func interior(over child: Int, header: Int) -> [UInt8] {
    let cells = 600
    let number = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: child >> $0) }
    var page: [UInt8] = [5, 0, 0, UInt8(cells >> 8), UInt8(cells & 0xFF)]
    let cell = pageSize - 5
    page += [UInt8(cell >> 8), UInt8(cell & 0xFF), 0] + number
    for _ in 0..<cells { page += [UInt8(cell >> 8), UInt8(cell & 0xFF)] }
    page += [UInt8](repeating: 0, count: cell - header - page.count)
    return page + number + [1]
  }

  @Test func `plan, inspect and run name the page and the table`() throws {
    var plan = try store.plan()
    let page = try pile(8, above: StoreFile(store.source).root(of: "ZNOTE"))
    let text = "\(store.source): it is damaged: page \(page), to which table ZNOTE leads"
    #expect(failure { try store.plan() }.hasPrefix(text))
    #expect(throws: PlanError.self) { _ = try Inspection.inspect(store.source) }
    let piled = try PersistentStore(path: store.source)
    (plan.source.bytes, plan.source.identity) = (piled.size, try piled.identification.run().text)
    #expect(failure { try Migration(inTestProcess: plan).run() }.hasPrefix(text))
  }

  @Test func `a schema that would be read for ever is refused`() throws {
    let page = try pile(8, above: 1)
    let text = "\(store.source): it is damaged: page \(page), to which the schema leads"
    #expect(failure { try store.plan() }.hasPrefix(text))
  }
}
