/// Visits every page of a database once, and refuses irregularities that SQLite would not have
/// left.
///
/// It holds one bit for every page of the file, and one page for each level of a tree.
///
/// Source: sections 1.3 to 2.1 of SQLite's file format document.
final class TreeCheck {
  let file: SourceFile
  private let pages: TreePages
  private let walk: TreeWalk
  private let layout: PageLayout
  private let isStopped: () -> Bool
  private let willRead: (Int64) -> Void
  /// The pages that were visited, one bit each.
  private let met: UnsafeMutableBufferPointer<UInt64>
  private var metCount: Int64 = 0
  private let coverage: PageCoverage
  /// The page of the pointer map that was read last.
  private var map: (number: UInt32, bytes: UnsafeMutableRawBufferPointer)
  private var lastKey: Int64?
  private var largestRoot: UInt32 = 1
  private static let pagesBetweenChecks: Int64 = 256
  /// The largest record that is held where an index has values of it that overflow its page.
  private static let heldBytes = 1 << 20

  struct Stopped: Error {}

  /// `willRead` gets the offset of every page before it is read; `isStopped` is asked every few
  /// hundred pages.
  init(
    _ file: SourceFile,
    willRead: @escaping (Int64) -> Void,
    isStopped: @escaping () -> Bool
  ) throws(TreeDamage) {
    self.file = file
    pages = try TreePages(file)
    layout = pages.layout
    walk = TreeWalk(pageSize: layout.pageSize)
    self.isStopped = isStopped
    self.willRead = willRead
    met = .allocate(capacity: Int(pages.pageCount / 64) + 1)
    met.initialize(repeating: 0)
    coverage = PageCoverage(pageSize: layout.pageSize)
    map = (0, .allocate(byteCount: layout.pageSize, alignment: 16))
  }

  deinit {
    met.deallocate()
    map.bytes.deallocate()
  }

  func visit(root: UInt32, isTable: Bool, _ records: RecordReader) throws {
    lastKey = nil
    largestRoot = max(largestRoot, root)
    try walk.walk(root) { number, above, buffer in
      try meet(number, above == 0 ? .root : .tree, above)
      try pages.readAhead(number, into: buffer)
      let page = try TreePage(number, buffer, layout)
      guard page.kind.isOfTable == isTable, page.cells > 0 || above == 0 && page.kind.isLeaf else {
        throw TreeDamage()
      }
      try visitCells(of: page, records)
      return page.kind.isLeaf ? nil : page
    } key: { page, start in
      try visitKey(of: page, at: start, records)
    }
  }

  /// Visits the cells of a page one after the other, and covers them before children cover their own.
  private func visitCells(of page: TreePage, _ records: RecordReader) throws {
    let stated = try page.bytes.number16(at: page.start + 5)
    let content = stated == 0 ? 65_536 : stated
    guard page.start + page.kind.headerSize + 2 * page.cells <= content,
      content <= layout.usableSize
    else { throw TreeDamage() }
    coverage.clear()
    for cell in 0..<page.cells {
      let start = try page.offset(ofCell: cell)
      guard start >= content, start <= layout.usableSize - 4 else { throw TreeDamage() }
      let end =
        page.kind.isLeaf
        ? try visitLeafCell(of: page, at: start, records) : try end(ofCell: start, page)
      guard end <= layout.usableSize else { throw TreeDamage() }
      try coverage.cover(start, max(end, start + 4))
    }
    try coverFreeBlocks(page.bytes, at: page.start, from: content)
  }

  private func end(ofCell start: Int, _ page: TreePage) throws(TreeDamage) -> Int {
    var offset = start + 4
    let first = try page.bytes.variable(at: &offset)
    if page.kind.isOfTable { return offset }
    guard first <= UInt64(Int32.max) else { throw TreeDamage() }
    let local = layout.localSize(ofRecord: Int(first), inTable: false)
    return offset + local + (local == Int(first) ? 0 : 4)
  }

  /// Covers the free blocks, and refuses a page with bytes that are neither used nor counted as free.
  private func coverFreeBlocks(
    _ bytes: PageBytes,
    at start: Int,
    from content: Int
  ) throws(TreeDamage) {
    var block = try bytes.number16(at: start + 1)
    var last = content
    while block != 0 {
      let size = try bytes.number16(at: block + 2)
      guard block >= last, size >= 4, block + size <= layout.usableSize else { throw TreeDamage() }
      try coverage.cover(block, block + size)
      last = block + size
      block = try bytes.number16(at: block)
    }
    let loose = layout.usableSize - content - coverage.count
    guard loose == Int(try bytes.byte(at: start + 7)) else { throw TreeDamage() }
  }

  private func visitLeafCell(
    of page: TreePage,
    at start: Int,
    _ records: RecordReader
  ) throws -> Int {
    var offset = start
    let count = try page.bytes.variable(at: &offset)
    if page.kind.isOfTable {
      let key = Int64(bitPattern: try page.bytes.variable(at: &offset))
      if let lastKey, lastKey >= key { throw TreeDamage() }
      lastKey = key
    }
    return try read(count, of: page, at: offset, records)
  }

  /// Visits the parts of an interior page's cell apart from the child, whose rows come before it.
  private func visitKey(of page: TreePage, at start: Int, _ records: RecordReader) throws {
    var offset = start
    let first = try page.bytes.variable(at: &offset)
    guard page.kind.isOfTable else {
      _ = try read(first, of: page, at: offset, records)
      return
    }
    let key = Int64(bitPattern: first)
    if let lastKey, lastKey > key { throw TreeDamage() }
    lastKey = key
  }

  /// The row id of the record that is read; 0 in an index, whose records hold it.
  private var rowID: Int64 { lastKey ?? 0 }

  /// Reads a record that begins in a cell, and returns the end of the cell.
  private func read(
    _ stated: UInt64,
    of page: TreePage,
    at offset: Int,
    _ records: RecordReader
  ) throws -> Int {
    guard stated <= UInt64(Int32.max) else { throw TreeDamage() }
    let count = Int(stated)
    let size = layout.localSize(ofRecord: count, inTable: page.kind.isOfTable)
    let local = try page.bytes.part(from: offset, count: size)
    try records.begin(local, of: count)
    guard size < count else {
      records.digest(local, rowID: rowID)
      return offset + size
    }
    let (overflow, end) = (try page.bytes.number32(at: offset + size), offset + size + 4)
    if records.neededBytes <= size {
      records.digest(local, rowID: rowID)
      try follow(overflow, for: count - size, from: page.number, into: nil)
      return end
    }
    guard count <= Self.heldBytes else { throw TreeDamage() }
    let whole = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { whole.deallocate() }
    whole.copyMemory(from: local)
    let rest = whole.part(size..<whole.count)
    try follow(overflow, for: rest.count, from: page.number, into: rest)
    records.digest(UnsafeRawBufferPointer(whole), rowID: rowID)
    return end
  }

  private func follow(
    _ first: UInt32,
    for count: Int,
    from page: UInt32,
    into target: UnsafeMutableRawBufferPointer?
  ) throws {
    let part = layout.usableSize - 4
    let buffer = pages.buffer.part(0..<(target == nil ? 4 : layout.pageSize))
    var (number, before, start) = (first, page, 0)
    while start < count {
      try meet(number, before == page ? .firstOverflow : .overflow, before)
      try pages.read(number, into: buffer)
      let end = min(start + part, count)
      if let target {
        let content = UnsafeRawBufferPointer(buffer.part(4..<4 + end - start))
        target.part(start..<end).copyMemory(from: content)
      }
      before = number
      number = UInt32(bigEndian: buffer.loadUnaligned(as: UInt32.self))
      start = end
    }
    guard number == 0 else { throw TreeDamage() }
  }

  /// Notes the place of a page, which can have only one.
  private func meet(_ page: UInt32, _ use: PageUse, _ parent: UInt32) throws {
    guard page >= 1, Int64(page) <= pages.pageCount, page != layout.lockBytePage,
      !layout.isMap(page)
    else { throw TreeDamage() }
    let (word, bit) = (Int(page / 64), UInt64(1) << UInt64(page % 64))
    guard met[word] & bit == 0 else { throw TreeDamage() }
    met[word] |= bit
    if metCount.isMultiple(of: Self.pagesBetweenChecks), isStopped() { throw Stopped() }
    metCount += 1
    willRead(pages.offset(of: page))
    guard layout.hasPointerMap, page > 1 else { return }
    let number = layout.map(of: page)
    if map.number != number {
      map.number = 0
      try pages.read(number, into: map.bytes)
      map.number = number
    }
    let entry = PageBytes(bytes: UnsafeRawBufferPointer(map.bytes))
    let start = layout.offsetInMap(of: page)
    guard try entry.byte(at: start) == use.rawValue,
      try entry.number32(at: start + 1) == (use == .free ? 0 : parent)
    else { throw TreeDamage() }
  }

  /// Visits the list of free pages, and refuses a file with pages that were not visited, when all trees are
  /// visited.
  func visitRest() throws {
    let bytes = PageBytes(bytes: UnsafeRawBufferPointer(pages.buffer))
    try pages.read(1, into: pages.buffer)
    guard
      layout.hasPointerMap
        ? try bytes.number32(at: 52) == largestRoot : try bytes.number32(at: 64) == 0
    else { throw TreeDamage() }
    try visitFreePages()
    for page in 1...UInt32(clamping: pages.pageCount)
    where met[Int(page / 64)] & UInt64(1) << UInt64(page % 64) == 0 {
      guard layout.isMap(page) || page == layout.lockBytePage else { throw TreeDamage() }
    }
  }

  /// Visits the list of free pages; a free page may have no other use.
  func visitFreePages() throws {
    let bytes = PageBytes(bytes: UnsafeRawBufferPointer(pages.buffer))
    try pages.read(1, into: pages.buffer)
    let (stated, isCurrent) = (
      try bytes.number32(at: 28), try bytes.number32(at: 24) == bytes.number32(at: 92)
    )
    guard !isCurrent || stated == 0 || Int64(stated) == pages.pageCount else { throw TreeDamage() }
    var (trunk, left) = (try bytes.number32(at: 32), Int64(try bytes.number32(at: 36)))
    while trunk != 0 {
      try meet(trunk, .free, 0)
      try pages.read(trunk, into: pages.buffer)
      let count = Int(try bytes.number32(at: 4))
      guard count <= layout.usableSize / 4 - 2 else { throw TreeDamage() }
      for index in 0..<count { try meet(try bytes.number32(at: 8 + 4 * index), .free, 0) }
      left -= Int64(count) + 1
      trunk = try bytes.number32(at: 0)
    }
    guard left == 0 else { throw TreeDamage() }
  }
}

/// The bytes of a page that are in use, each by one cell or free block.
final class PageCoverage {
  private let words: UnsafeMutableBufferPointer<UInt64>
  private(set) var count = 0

  init(pageSize: Int) { words = .allocate(capacity: pageSize / 64 + 1) }

  deinit { words.deallocate() }

  func clear() {
    words.initialize(repeating: 0)
    count = 0
  }

  /// Throws if one of the bytes is covered already.
  @inline(__always)
  func cover(_ start: Int, _ end: Int) throws(TreeDamage) {
    assert(start >= 0 && start <= end && end < 64 * words.count, "the bytes are in the page")
    count += end - start
    var (word, first) = (start / 64, start % 64)
    var left = end - start
    while left > 0 {
      let part = min(left, 64 - first)
      let mask = (UInt64.max &>> UInt64(64 - part)) &<< UInt64(first)
      guard words[word] & mask == 0 else { throw TreeDamage() }
      words[word] |= mask
      left -= part
      word += 1
      first = 0
    }
  }
}
