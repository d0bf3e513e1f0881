/// The open pages of a b-tree that is built from left to right: one of each level, the leaf first.
///
/// The tree is complete whenever its open pages are stored. Every other page is written once, when it is
/// full.
final class TreeSpine {
  private let file: PageFile
  private let root: UInt32
  private let interior: TreePageKind
  /// The open pages; the last one is the root.
  private var levels: [OpenPage] = []
  /// The page to which cells are added, which it keeps, always the same object.
  let leaf: Unmanaged<OpenPage>
  /// The largest entry of an index that fits into its cell, in bytes.
  private let longestEntry: Int

  /// Continues a tree as it was built so far; throws if it was changed otherwise.
  init(
    _ root: UInt32,
    of leafKind: TreePageKind,
    _ file: PageFile,
    path: String
  ) throws(SQLiteError) {
    self.root = root
    self.file = file
    longestEntry = (file.layout.usableSize - 12) * 64 / 255 - 23
    var levels: [OpenPage] = []
    var page = root
    var kind: TreePageKind?
    repeat {
      let bytes = try file.read(page)
      let opened = bytes.withUnsafeBytes { OpenPage(page, stored: $0, file.layout) }
      guard let opened, levels.count < TreeWalk.depthLimit else {
        throw SQLiteError(.corrupt, message: "page \(page) was not written by pages", path: path)
      }
      levels.insert(opened, at: 0)
      kind = opened.kind
      page = opened.last
    } while kind?.isLeaf == false
    guard kind == leafKind else {
      let owner = leafKind == .tableLeaf ? "a table" : "an index"
      throw SQLiteError(.corrupt, message: "page \(root) is not of \(owner)", path: path)
    }
    interior = kind == .tableLeaf ? .tableInterior : .indexInterior
    leaf = .passUnretained(levels[0])
    self.levels = levels
  }

  /// Adds an entry of an index behind all others; it fits into its cell.
  @inline(__always)
  func append(entry: UnsafeRawBufferPointer) throws(SQLiteError) {
    precondition(entry.count >= 4 && entry.count <= longestEntry, "an entry fits into its cell")
    if !leaf._withUnsafeGuaranteedRef({ $0.fits(entry.count) }) { try advance() }
    let target = leaf._withUnsafeGuaranteedRef { $0.add(entry.count) }
    if let base = entry.baseAddress { target.copyMemory(from: base, byteCount: entry.count) }
  }

  /// Closes the leaf of an index; its last entry divides it from the next one.
  private func advance() throws(SQLiteError) {
    let leaf = levels[0]
    let divider = [UInt8](leaf.cell(at: leaf.cells - 1))
    leaf.removeLast()
    try divider.span.bytes.withUnsafeBytes { divider throws(SQLiteError) in
      try advance(past: divider)
    }
  }

  /// Closes the leaf, whose cell in the page above holds a divider behind it, and opens the next one.
  func advance(past divider: UnsafeRawBufferPointer) throws(SQLiteError) {
    if levels.count == 1 { try deepen() }
    let leaf = levels[0]
    try store(leaf)
    let full = leaf.number
    leaf.begin(try file.allocate())
    try attach(full, divider, before: leaf.number, at: 1)
  }

  func store() throws(SQLiteError) {
    for page in levels { try store(page) }
  }

  private func store(_ page: OpenPage) throws(SQLiteError) {
    try file.write(
      page.stored(),
      to: page.number,
      holding: page.kind == .tableLeaf ? .rows : .other
    )
  }

  /// Adds a cell for a child page, which another page follows.
  private func attach(
    _ child: UInt32,
    _ divider: UnsafeRawBufferPointer,
    before next: UInt32,
    at level: Int
  ) throws(SQLiteError) {
    let page = levels[level]
    // A child that is the root or lies above itself would make the tree endless.
    assert(
      child > 1 && next > 1 && child != page.number && next != page.number,
      "a tree has an end"
    )
    if page.fits(4 + divider.count) {
      page.add(child, divider)
      page.last = next
      return try file.setPointer(of: next, .tree, page.number)
    }
    if level == levels.count - 1 { try deepen() }
    // The last child goes to the next page, which would have no cell otherwise.
    let last = [UInt8](page.cell(at: page.cells - 1))
    page.removeLast()
    page.last = last.bigEndian32(at: 0)
    try store(page)
    let fresh = OpenPage(try file.allocate(), interior, file.layout)
    fresh.add(child, divider)
    fresh.last = next
    levels[level] = fresh
    try file.setPointer(of: child, .tree, fresh.number)
    try file.setPointer(of: next, .tree, fresh.number)
    try last.span.bytes.withUnsafeBytes { last throws(SQLiteError) in
      let upper = last.part(4..<last.count)
      try attach(page.number, upper, before: fresh.number, at: level + 1)
    }
  }

  /// Moves the content of the root into a page of its own, below the root.
  private func deepen() throws(SQLiteError) {
    let top = levels[levels.count - 1]
    top.move(to: try file.allocate())
    if top.kind.isLeaf {
      for cell in 0..<top.cells {
        guard let page = top.firstOverflowPage(ofCell: cell, file.layout) else { continue }
        try file.setPointer(of: page, .firstOverflow, top.number)
      }
    } else {
      for cell in 0..<top.cells {
        let child = top.cell(at: cell).loadUnaligned(as: UInt32.self)
        try file.setPointer(of: UInt32(bigEndian: child), .tree, top.number)
      }
      try file.setPointer(of: top.last, .tree, top.number)
    }
    let above = OpenPage(root, interior, file.layout)
    above.last = top.number
    levels.append(above)
    try file.setPointer(of: top.number, .tree, root)
  }
}

extension OpenPage {
  fileprivate func add(_ child: UInt32, _ divider: UnsafeRawBufferPointer) {
    let target = add(4 + divider.count)
    target.storeBytes(of: child.bigEndian, as: UInt32.self)
    UnsafeMutableRawBufferPointer(start: target + 4, count: divider.count).copyMemory(from: divider)
  }

  fileprivate func firstOverflowPage(ofCell index: Int, _ layout: PageLayout) -> UInt32? {
    guard kind == .tableLeaf else { return nil }
    let bytes = PageBytes(bytes: cell(at: index))
    var offset = 0
    guard
      let count = try? bytes.variable(at: &offset), (try? bytes.variable(at: &offset)) != nil
    else { return nil }
    let local = layout.localSize(ofRecord: Int(count), inTable: true)
    return local < Int(count) ? try? bytes.number32(at: offset + local) : nil
  }
}
