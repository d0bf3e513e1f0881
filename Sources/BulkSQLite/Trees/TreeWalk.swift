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

  /// Walks a tree.
  ///
  /// - Parameters:
  ///   - root: The root page.
  ///   - open: Reads a page, below another one or below 0, into a buffer and visits the cells of a leaf. It returns
  ///     a page whose children are walked.
  ///   - key: Called after each child but the last with the page above and the offset of the part
  ///     of its cell behind the child.
  ///   - tooDeep: Called in place of `open` for a page below the deepest level.
  /// - Throws: ``TreeDamage``, and any error of the bodies.
  func walk(
    _ root: UInt32,
    open: (_ page: UInt32, _ above: UInt32, UnsafeMutableRawBufferPointer) throws -> TreePage?,
    key: (TreePage, Int) throws -> Void = { _, _ in },
    tooDeep: () throws -> Void = { throw TreeDamage() }
  ) throws {
    try walk(Step(page: root, above: 0, depth: 0), open: open, key: key, tooDeep: tooDeep)
  }

  /// Calls a body with the page and the place of each entry of an index, in their order.
  ///
  /// - Parameters:
  ///   - root: The root page of the index.
  ///   - pages: The pages of its file.
  ///   - isStopped: Called for each page; returns whether to give up.
  ///   - body: Called for each entry.
  /// - Throws: ``TreeDamage``, also when it is told to stop, and any error of the body.
  static func eachEntry(
    below root: UInt32,
    in pages: TreePages,
    isStopped: () -> Bool = { false },
    _ body: (_ page: PageBytes, _ place: Int) throws -> Void
  ) throws {
    var pagesRead: Int64 = 0
    try TreeWalk(pageSize: pages.pageSize).walk(root) { number, _, buffer in
      pagesRead += 1
      // More pages than the file has would be an endless loop.
      guard number > 1, pagesRead <= pages.pageCount, !isStopped() else { throw TreeDamage() }
      try pages.readAhead(number, into: buffer)
      let page = try TreePage(number, buffer, pages.layout)
      guard !page.kind.isOfTable else { throw TreeDamage() }
      guard page.kind.isLeaf else { return page }
      for cell in 0..<page.cells { try body(page.bytes, try page.place(ofCell: cell)) }
      return nil
    } key: { page, place in
      try body(page.bytes, place)
    }
  }

  private struct Step {
    let page: UInt32
    let above: UInt32
    let depth: Int

    func child(_ child: UInt32) -> Step { Step(page: child, above: page, depth: depth + 1) }
  }

  private func walk(
    _ step: Step,
    open: (UInt32, UInt32, UnsafeMutableRawBufferPointer) throws -> TreePage?,
    key: (TreePage, Int) throws -> Void,
    tooDeep: () throws -> Void
  ) throws {
    guard step.depth < Self.depthLimit else { return try tooDeep() }
    if step.depth == levels.count {
      levels.append(.allocate(byteCount: pageSize, alignment: 16))
    }
    guard let page = try open(step.page, step.above, levels[step.depth]) else { return }
    // A leaf has no children, and a page that is reached twice would be read over itself.
    assert(!page.kind.isLeaf, "only a page above leaves is walked")
    for cell in 0..<page.cells {
      let place = try page.place(ofCell: cell)
      let child = try page.bytes.number32(at: place)
      try walk(step.child(child), open: open, key: key, tooDeep: tooDeep)
      try key(page, place + 4)
    }
    try walk(step.child(try page.lastChild()), open: open, key: key, tooDeep: tooDeep)
  }
}
