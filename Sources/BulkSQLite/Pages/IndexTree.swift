/// The b-tree of an index that is built from left to right, whose records fit into their cells.
final class IndexTree {
  private let spine: TreeSpine
  private let file: PageFile
  /// The size in bytes of the longest record that fits into its cell.
  let longestRecord: Int

  /// Takes up the tree of an index that has no entries, or whose entries were all written by this type.
  init(root: UInt32, _ file: PageFile, path: String) throws(SQLiteError) {
    self.file = file
    longestRecord = (file.layout.usableSize - 12) * 64 / 255 - 23
    spine = try TreeSpine(root, file, path: path)
    guard spine.leaf.kind == .indexLeaf else {
      throw SQLiteError(.corrupt, message: "page \(root) is not of an index", path: path)
    }
  }

  /// Adds an entry after all others.
  func append(_ record: UnsafeRawBufferPointer) throws(SQLiteError) {
    precondition(record.count <= longestRecord, "an entry fits into its cell")
    let head = VariableInteger.size(UInt64(record.count))
    let size = max(head + record.count, 4)
    if !spine.leaf.fits(size) { try advance() }
    let place = spine.leaf.add(size)
    VariableInteger.write(UInt64(record.count), to: place)
    UnsafeMutableRawBufferPointer(start: place + head, count: record.count)
      .copyMemory(from: record)
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
  }
}
