/// Walks through the pages of a tree from left to right.
///
/// It holds a page for each level of the tree, into which all pages of that level are read.
final class TreeWalk {
  /// The deepest tree that SQLite allows.
  static let depthLimit = 20

  private let pageSize: Int
  private var levels: [UnsafeMutableRawBufferPointer] = []

  init(pageSize: Int) { self.pageSize = pageSize }

  deinit {
    for level in levels { level.deallocate() }
  }

  /// `open` reads a page, below another one or below 0, into a buffer and visits the cells of a
  /// leaf.
  ///
  /// It returns a page whose children are walked. `key` is called after each child but the last
  /// with the page above and the offset of the part of its cell behind the child; `tooDeep`, in
  /// place of `open` for a page below the deepest level.
  func walk(
    _ root: UInt32,
    open: (_ page: UInt32, _ above: UInt32, UnsafeMutableRawBufferPointer) throws -> TreePage?,
    key: (TreePage, Int) throws -> Void = { _, _ in },
    tooDeep: () throws -> Void = { throw TreeDamage() }
  ) throws {
    func visit(_ number: UInt32, below above: UInt32, depth: Int) throws {
      guard depth < Self.depthLimit else { return try tooDeep() }
      if depth == levels.count {
        levels.append(.allocate(byteCount: pageSize, alignment: 16))
      }
      guard let page = try open(number, above, levels[depth]) else { return }
      // A leaf has no children, and a page that is reached twice would be read over itself.
      assert(!page.kind.isLeaf, "only a page above leaves is walked")
      for cell in 0..<page.cells {
        let offset = try page.offset(ofCell: cell)
        try visit(try page.bytes.number32(at: offset), below: number, depth: depth + 1)
        try key(page, offset + 4)
      }
      try visit(try page.lastChild(), below: number, depth: depth + 1)
    }
    try visit(root, below: 0, depth: 0)
  }

  /// Calls a body with the page and the offset of each entry of an index, in their order.
  static func eachEntry(
    below root: UInt32,
    in pages: TreePages,
    _ body: (_ page: PageBytes, _ offset: Int) throws -> Void
  ) throws {
    var pagesRead: Int64 = 0
    try TreeWalk(pageSize: pages.pageSize).walk(root) { number, _, buffer in
      pagesRead += 1
      // More pages than the file has would be an endless loop.
      guard number > 1, pagesRead <= pages.pageCount else { throw TreeDamage() }
      try pages.readAhead(number, into: buffer)
      let page = try TreePage(number, buffer, pages.layout)
      guard !page.kind.isOfTable else { throw TreeDamage() }
      guard page.kind.isLeaf else { return page }
      for cell in 0..<page.cells { try body(page.bytes, try page.offset(ofCell: cell)) }
      return nil
    } key: { page, offset in
      try body(page.bytes, offset)
    }
  }
}

extension SourceFile {
  /// The number of rows of a table or entries of an index below a root page, or one that reaches a limit; `nil` if a page
  /// is irregular, of which SQLite knows more.
  ///
  /// They are counted by the headers of pages, without reading the rest of leaves.
  package func entries(below root: UInt32, upTo limit: Int64) -> Int64? {
    guard let pages = try? TreePages(self) else { return nil }
    struct Enough: Error {}
    var count: Int64 = 0
    do {
      try TreeWalk(pageSize: pages.pageSize).walk(root) { number, _, buffer in
        let header = buffer.part(0..<TreePageKind.tableLeaf.headerSize)
        try pages.read(number, into: header)
        let page = try TreePage(number, UnsafeRawBufferPointer(header))
        guard page.cells <= (pages.pageSize - 8) / 6 else { throw TreeDamage() }
        // Keys of a table above its leaves are not those of further rows.
        if page.kind != .tableInterior { count += Int64(page.cells) }
        if count >= limit { throw Enough() }
        if page.kind.isLeaf { return nil }
        try pages.read(number, into: buffer)
        return try TreePage(number, buffer, pages.layout)
      }
      return count
    } catch {
      return error is Enough ? count : nil
    }
  }
}
