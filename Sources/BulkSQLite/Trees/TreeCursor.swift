/// Reads the rows of a table in the order of their keys, without SQLite.
///
/// Anything unusual ends the reading; the caller continues with SQLite, which handles it.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
final class TreeCursor {
  struct Row {
    let key: Int64
    let count: Int
    /// The part that is in the cell.
    let local: UnsafeRawBufferPointer
    /// The first overflow page; 0 if there is none.
    let firstPage: UInt32
  }

  /// A page on the way to the current row.
  private struct Level {
    var bytes: UnsafeMutableRawBufferPointer
    /// Its number, where the bytes are those of a cache.
    var page: UInt32 = 0
    var cells = 0
    var next = 0
    var isLeaf = false
  }

  private let pages: TreePages
  private let layout: PageLayout
  private let root: UInt32
  /// The pages that were read last; `nil` where rows are read one after another.
  private let cache: PageCache?
  /// As many levels as a tree may have; the first ones have a page.
  private let levels: UnsafeMutablePointer<Level>
  private var levelsMade = 0
  private var depth = 0
  private var lastKey: Int64?

  /// `nil` if the file cannot be read.
  init?(_ root: UInt32, of file: SourceFile, keepingPagesIn cache: PageCache? = nil) {
    guard let pages = try? TreePages(file) else { return nil }
    self.pages = pages
    layout = pages.layout
    self.root = root
    self.cache = cache
    levels = .allocate(capacity: TreeWalk.depthLimit)
  }

  deinit {
    if cache == nil {
      for level in 0..<levelsMade { levels[level].bytes.deallocate() }
    }
    levels.deallocate()
  }

  var pagesOfFile: Int64 { pages.pageCount }

  /// Moves before the first row whose key is at least the given one.
  func seek(_ key: Int64) throws(TreeDamage) {
    if try isAhead(key) { return }
    depth = 0
    lastKey = nil
    try descend(to: root)
    while !levels[depth - 1].isLeaf {
      let position = try position(for: key, in: levels[depth - 1])
      levels[depth - 1].next = position + 1
      try descend(to: try childPage(position, in: levels[depth - 1]))
    }
    levels[depth - 1].next = try position(for: key, in: levels[depth - 1])
  }

  /// Moves ahead in the current leaf, if it is one that is kept and has a key.
  private func isAhead(_ key: Int64) throws(TreeDamage) -> Bool {
    guard let cache, depth > 0, let lastKey, key > lastKey else { return false }
    try keep(cache)
    let leaf = levels[depth - 1]
    guard leaf.isLeaf, leaf.next < leaf.cells,
      try self.key(ofCell: leaf.cells - 1, in: leaf) >= key
    else { return false }
    if try self.key(ofCell: leaf.next, in: leaf) < key {
      levels[depth - 1].next = try position(for: key, in: leaf)
    }
    return true
  }

  /// Asks a cache for the current page once more, whose slot another one may have taken.
  private func keep(_ cache: PageCache) throws(TreeDamage) {
    levels[depth - 1].bytes = try cache.page(levels[depth - 1].page, of: pages)
  }

  /// The next row, valid until the next call, or until a cache is asked for a page; `nil` after the last one.
  @inline(__always)
  func next() throws(TreeDamage) -> Row? {
    while depth > 0 {
      if let cache { try keep(cache) }
      let level = levels[depth - 1]
      if level.next < level.cells, level.isLeaf {
        levels[depth - 1].next += 1
        return try row(ofCell: level.next, in: level)
      }
      try advance()
    }
    return nil
  }

  func read(_ row: Row, into target: UnsafeMutableRawBufferPointer) throws(TreeDamage) {
    guard target.count == row.count else { throw TreeDamage() }
    target.copyMemory(from: row.local)
    let page = pages.buffer
    var (position, number) = (row.local.count, row.firstPage)
    while position < row.count {
      try pages.readAhead(number, into: page)
      let part = min(row.count - position, layout.usableSize - 4)
      let content = UnsafeRawBufferPointer(page.part(4..<4 + part))
      target.part(position..<position + part).copyMemory(from: content)
      position += part
      number = UInt32(bigEndian: page.loadUnaligned(as: UInt32.self))
    }
  }

  /// Whether the record of the current row has the same bytes as that of another cursor, over a file with pages of
  /// the same size; long ones are read page by page.
  func isSame(_ row: Row, as other: TreeCursor, _ otherRow: Row) throws(TreeDamage) -> Bool {
    guard row.count == otherRow.count, row.local.isSame(as: otherRow.local) else {
      return false
    }
    guard row.local.count < row.count else { return true }
    let (one, two) = (pages.buffer, other.pages.buffer)
    var (position, number, otherNumber) = (row.local.count, row.firstPage, otherRow.firstPage)
    while position < row.count {
      try pages.readAhead(number, into: one)
      try other.pages.readAhead(otherNumber, into: two)
      let part = min(row.count - position, layout.usableSize - 4)
      let (mine, its) = (one.part(4..<4 + part), two.part(4..<4 + part))
      guard UnsafeRawBufferPointer(mine).isSame(as: UnsafeRawBufferPointer(its)) else {
        return false
      }
      position += part
      number = UInt32(bigEndian: one.loadUnaligned(as: UInt32.self))
      otherNumber = UInt32(bigEndian: two.loadUnaligned(as: UInt32.self))
    }
    return true
  }

  func hasSamePages(as other: TreeCursor) -> Bool {
    layout.pageSize == other.layout.pageSize && layout.usableSize == other.layout.usableSize
  }

  private func advance() throws(TreeDamage) {
    let level = levels[depth - 1]
    if !level.isLeaf, level.next <= level.cells {
      levels[depth - 1].next += 1
      try descend(to: try childPage(level.next, in: level))
    } else {
      depth -= 1
    }
  }

  private func descend(to page: UInt32) throws(TreeDamage) {
    guard depth < TreeWalk.depthLimit, page > 1 else { throw TreeDamage() }
    if depth == levelsMade {
      (levels + depth).initialize(
        to: Level(
          bytes: cache == nil
            ? .allocate(byteCount: layout.pageSize, alignment: 16) : .init(start: nil, count: 0)
        )
      )
      levelsMade += 1
    }
    if let cache {
      levels[depth].page = page
      levels[depth].bytes = try cache.page(page, of: pages)
    } else {
      try pages.readAhead(page, into: levels[depth].bytes)
    }
    let bytes = levels[depth].bytes
    let opened = try TreePage(page, bytes, layout)
    guard opened.kind.isOfTable else { throw TreeDamage() }
    let cells = opened.cells
    // Only the root may be empty; otherwise pages could form an endless loop.
    guard cells <= (layout.pageSize - 8) / 6,
      opened.kind.headerSize + 2 * cells <= layout.usableSize, cells > 0 || depth == 0
    else { throw TreeDamage() }
    levels[depth].cells = cells
    levels[depth].next = 0
    levels[depth].isLeaf = opened.kind.isLeaf
    depth += 1
  }

  @inline(__always)
  private func offset(ofCell index: Int, in level: Level) throws(TreeDamage) -> Int {
    let pointer = (level.isLeaf ? 8 : 12) + 2 * index
    let position = Int(level.bytes[pointer]) << 8 | Int(level.bytes[pointer + 1])
    guard position >= pointer, position <= layout.usableSize - 4 else { throw TreeDamage() }
    return position
  }

  @inline(__always)
  private func row(ofCell index: Int, in level: Level) throws(TreeDamage) -> Row {
    var position = try offset(ofCell: index, in: level)
    let bytes = PageBytes(bytes: UnsafeRawBufferPointer(level.bytes))
    let count = try bytes.variable(at: &position)
    let key = Int64(bitPattern: try bytes.variable(at: &position))
    guard count <= UInt64(Int32.max), lastKey.map({ $0 < key }) ?? true else { throw TreeDamage() }
    lastKey = key
    let size = layout.localSize(ofRecord: Int(count), inTable: true)
    let isWhole = size == Int(count)
    guard position + size + (isWhole ? 0 : 4) <= layout.usableSize else { throw TreeDamage() }
    return Row(
      key: key,
      count: Int(count),
      local: bytes.bytes.part(position..<position + size),
      firstPage: isWhole ? 0 : try bytes.number32(at: position + size)
    )
  }

  private func key(ofCell index: Int, in level: Level) throws(TreeDamage) -> Int64 {
    var position = try offset(ofCell: index, in: level)
    let bytes = PageBytes(bytes: UnsafeRawBufferPointer(level.bytes))
    if level.isLeaf { _ = try bytes.variable(at: &position) } else { position += 4 }
    return Int64(bitPattern: try bytes.variable(at: &position))
  }

  /// The index of the first cell whose key is not less than a key; it is also that of the child that has the key.
  private func position(for key: Int64, in level: Level) throws(TreeDamage) -> Int {
    var (low, high) = (0, level.cells)
    while low < high {
      let middle = (low + high) / 2
      if try self.key(ofCell: middle, in: level) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func childPage(_ index: Int, in level: Level) throws(TreeDamage) -> UInt32 {
    let bytes = PageBytes(bytes: UnsafeRawBufferPointer(level.bytes))
    guard index < level.cells else { return try bytes.number32(at: 8) }
    return try bytes.number32(at: try offset(ofCell: index, in: level))
  }
}

extension SourceFile {
  /// A long text or blob: the index of its column in the record, from 0, and its size in bytes.
  package typealias LongValue = (column: Int, bytes: Int64, isText: Bool)

  /// Calls a body with the key, the size in bytes and the long values of every record of a table that is longer than some
  /// bytes, in ascending order of their keys; with only some if the table is corrupt.
  ///
  /// They are found without SQLite, from the lengths in cells alone; overflow pages are not read.
  package func eachRecord(
    of table: String,
    above bound: Int,
    _ found: (Int64, _ bytes: Int64, [LongValue]) -> Void
  ) throws(SQLiteError) {
    guard let root = try Connection(reading: self).root(ofTable: table),
      let cursor = TreeCursor(root, of: self)
    else { return }
    let fields = RecordFields(first: RecordFields.most)
    do throws(TreeDamage) {
      try cursor.seek(.min)
      while let row = try cursor.next() {
        guard row.count > bound else { continue }
        // As far as the header is in the cell.
        let count = try fields.find(in: row.local).count
        let long = fields.all[..<count].enumerated().filter { $0.element.length > bound }
        found(
          row.key,
          Int64(row.count),
          long.map { ($0.offset, Int64($0.element.length), $0.element.isText) }
        )
      }
    } catch {}
  }
}
