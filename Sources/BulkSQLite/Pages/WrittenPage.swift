/// The content of a page that is written.
enum PageContent: Sendable {
  /// Rows of a table, on a leaf of its tree.
  case rows
  /// A part of a row that is too long for its leaf.
  case overflow
  case other
}

/// A page that is handed over for writing, as assertions check it: what `btree.c` of SQLite asserts of its pages.
///
/// The cells of a tree's page follow one another from its end on, in the order of their pointers, without
/// free blocks or fragments.
struct WrittenPage {
  let number: UInt32
  let bytes: UnsafeRawBufferPointer
  let count: UInt32
  let layout: PageLayout

  func holds(_ content: PageContent) -> Bool {
    guard bytes.count == layout.pageSize, number > 1, number <= count, number != layout.lockBytePage
    else { return false }
    do {
      if layout.isMap(number) { return try content == .other && isMap() }
      if content == .overflow {
        return try isChild(PageBytes(bytes: bytes).number32(at: 0), orNone: true)
      }
      let usable = bytes.part(0..<layout.usableSize)
      let page = try TreePage(number, usable)
      return try (page.kind == .tableLeaf) == (content == .rows) && isTree(page)
    } catch {
      return false
    }
  }

  private func isChild(_ page: UInt32, orNone isOptional: Bool = false) -> Bool {
    if page == 0 { return isOptional }
    return page > 1 && page <= count && page != number && page != layout.lockBytePage
      && !layout.isMap(page)
  }

  /// Whether every entry of a pointer map is one that SQLite knows, or empty.
  private func isMap() throws(TreeDamage) -> Bool {
    let entries = PageBytes(bytes: bytes)
    for offset in stride(from: 0, through: layout.usableSize - 5, by: 5) {
      let (use, parent) = (try entries.byte(at: offset), try entries.number32(at: offset + 1))
      // Roots and free pages have no parent; other pages may get theirs later.
      guard use <= 5, use > 2 ? parent > 0 && parent <= count : parent == 0 else { return false }
    }
    return true
  }

  private func isTree(_ page: TreePage) throws(TreeDamage) -> Bool {
    var end = layout.usableSize
    var lastKey: Int64?
    for cell in 0..<page.cells {
      let start = try page.offset(ofCell: cell)
      let (key, next) = try cellContent(of: page, at: start)
      if let lastKey, let key, lastKey >= key { return false }
      guard start >= page.kind.headerSize + 2 * page.cells, next == end else { return false }
      (end, lastKey) = (start, key)
    }
    let content = try page.bytes.number16(at: 5)
    guard try page.bytes.number16(at: 1) == 0, try page.bytes.byte(at: 7) == 0,
      end == (content == 0 ? 65_536 : content)
    else { return false }
    if page.kind.isLeaf { return true }
    let last = try page.lastChild()
    return page.cells > 0 && isChild(last)
  }

  /// The key of a table's cell, and the end of any cell.
  private func cellContent(
    of page: TreePage,
    at start: Int
  ) throws(TreeDamage) -> (key: Int64?, end: Int) {
    var offset = start
    if !page.kind.isLeaf {
      guard isChild(try page.bytes.number32(at: offset)) else { throw TreeDamage() }
      offset += 4
    }
    let first = try page.bytes.variable(at: &offset)
    if page.kind == .tableInterior { return (Int64(bitPattern: first), offset) }
    let isTable = page.kind.isOfTable
    let key = isTable ? Int64(bitPattern: try page.bytes.variable(at: &offset)) : nil
    guard first <= UInt64(Int32.max) else { throw TreeDamage() }
    let local = layout.localSize(ofRecord: Int(first), inTable: isTable)
    offset += local
    if local < Int(first) {
      guard isChild(try page.bytes.number32(at: offset)) else { throw TreeDamage() }
      offset += 4
    }
    return (key, offset)
  }
}
