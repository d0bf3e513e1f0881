/// A page of a table's tree that is not a leaf: its children, with the greatest keys that they may hold.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
struct TableBranch {
  /// A child.
  struct Child {
    let page: UInt32
    /// The greatest key of its rows; `nil` for the last child, which has no bound of its own.
    let key: Int64?
  }

  /// The children in the order of their keys.
  let children: [Child]
  /// Whether the children are leaves.
  let areLeaves: Bool

  /// Reads a page.
  ///
  /// Most children tell whether they are leaves; a child that says otherwise is taken to be damaged.
  ///
  /// - Throws: ``TreeDamage`` if it cannot be as SQLite leaves it, or if its children cannot be told from leaves.
  init(_ page: UInt32, in pages: TreePages) throws(TreeDamage) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pages.pageSize, alignment: 16)
    defer { buffer.deallocate() }
    try pages.read(page, into: buffer)
    let bytes = PageBytes(bytes: UnsafeRawBufferPointer(rebasing: buffer[..<pages.usableSize]))
    guard try bytes.byte(at: 0) == TreePageKind.tableInterior.rawValue else { throw TreeDamage() }
    var children: [Child] = []
    for cell in 0..<(try bytes.number16(at: 3)) {
      var place = try bytes.number16(at: 12 + 2 * cell)
      let child = try bytes.number32(at: place)
      place += 4
      let key = Int64(bitPattern: try bytes.variable(at: &place))
      if let last = children.last?.key, last >= key { throw TreeDamage() }
      children.append(Child(page: child, key: key))
    }
    children.append(Child(page: try bytes.number32(at: 8), key: nil))
    self.children = children
    var (leaves, branches) = (0, 0)
    for child in children {
      guard child.page > 1 else { throw TreeDamage() }
      switch try pages.kind(of: child.page) {
      case .tableLeaf: leaves += 1
      case .tableInterior: branches += 1
      case .indexLeaf, .indexInterior, nil: break
      }
    }
    guard leaves != branches else { throw TreeDamage() }
    areLeaves = leaves > branches
  }
}

extension TreePages {
  /// The kind of a page that is not the first of the file; `nil` if it is no page of a tree.
  fileprivate func kind(of page: UInt32) throws(TreeDamage) -> TreePageKind? {
    let first = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
    defer { first.deallocate() }
    try read(page, into: first)
    return TreePageKind(rawValue: first[0])
  }

  /// Whether a page says that it is a leaf of a table.
  func isLeaf(_ page: UInt32) throws(TreeDamage) -> Bool { try kind(of: page) == .tableLeaf }
}
