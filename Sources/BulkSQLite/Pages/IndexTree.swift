/// The b-tree of an index that is built from left to right, whose entries fit into their cells.
final class IndexTree {
  private let spine: TreeSpine
  /// The spine's leaf, which it keeps.
  private var leaf: Unmanaged<OpenPage>
  /// The bytes of the longest cell.
  private let longestCell: Int

  /// Continues the tree of an index that has no entries, or whose entries were all written by this type.
  init(root: UInt32, _ file: PageFile, path: String) throws(SQLiteError) {
    longestCell = (file.layout.usableSize - 12) * 64 / 255 - 23
    spine = try TreeSpine(root, file, path: path)
    leaf = .passUnretained(spine.leaf)
    guard spine.leaf.kind == .indexLeaf else {
      throw SQLiteError(.corrupt, message: "page \(root) is not of an index", path: path)
    }
  }

  /// Adds an entry after all others.
  ///
  /// - Parameter cell: Its cell.
  /// - Throws: ``SQLiteError`` if the file cannot be written.
  @inline(__always)
  func append(_ cell: UnsafeRawBufferPointer) throws(SQLiteError) {
    precondition(cell.count >= 4 && cell.count <= longestCell, "an entry fits into its cell")
    if !leaf._withUnsafeGuaranteedRef({ $0.fits(cell.count) }) { try advance() }
    let place = leaf._withUnsafeGuaranteedRef { $0.add(cell.count) }
    if let base = cell.baseAddress { place.copyMemory(from: base, byteCount: cell.count) }
  }

  /// Stores the open pages of the tree.
  func store() throws(SQLiteError) { try spine.store() }

  /// Closes the leaf; its last entry divides it from the next one.
  private func advance() throws(SQLiteError) {
    let last = spine.leaf.cell(at: spine.leaf.cells - 1)
    let divider = UnsafeMutableRawBufferPointer.allocate(byteCount: last.count, alignment: 8)
    defer { divider.deallocate() }
    divider.copyMemory(from: last)
    spine.leaf.removeLast()
    try spine.advance(past: UnsafeRawBufferPointer(divider))
    leaf = .passUnretained(spine.leaf)
  }
}
