/// The b-tree of a table that is built from left to right.
final class TableTree {
  private let file: PageFile
  private let spine: TreeSpine
  private let layout: PageLayout
  private let leaf: Unmanaged<OpenPage>
  private(set) var lastKey: Int64?

  /// Continues the tree of a table that has no rows, or whose rows were all written by this type.
  init(root: UInt32, _ file: PageFile, path: String) throws(SQLiteError) {
    self.file = file
    layout = file.layout
    spine = try TreeSpine(root, of: .tableLeaf, file, path: path)
    leaf = spine.leaf
    let last = leaf._withUnsafeGuaranteedRef { $0.cells > 0 ? $0.cell(at: $0.cells - 1) : nil }
    if let last {
      let bytes = PageBytes(bytes: last)
      var offset = 0
      _ = try? bytes.variable(at: &offset)
      lastKey = (try? bytes.variable(at: &offset)).map { Int64(bitPattern: $0) }
    }
  }

  /// Adds a row after all others, and returns whether its key is greater than the last; if not, it is not added.
  func append(_ key: Int64, _ record: UnsafeRawBufferPointer) throws(SQLiteError) -> Bool {
    if let lastKey, key <= lastKey { return false }
    let local = layout.localSize(ofRecord: record.count, inTable: true)
    let (count, bits) = (UInt64(record.count), UInt64(bitPattern: key))
    let head = VariableInteger.size(count) + VariableInteger.size(bits)
    let size = head + local + (local < record.count ? 4 : 0)
    if !leaf._withUnsafeGuaranteedRef({ $0.fits(size) }) { try advance() }
    var target = leaf._withUnsafeGuaranteedRef { $0.add(size) }
    target += VariableInteger.write(count, to: target)
    target += VariableInteger.write(bits, to: target)
    guard let base = record.baseAddress else { return true }
    target.copyMemory(from: base, byteCount: local)
    if local < record.count {
      let number = leaf._withUnsafeGuaranteedRef { $0.number }
      let first = try appendOverflow(record, from: local, of: number)
      target.storeBytes(of: first.bigEndian, toByteOffset: local, as: UInt32.self)
    }
    lastKey = key
    return true
  }

  func store() throws(SQLiteError) { try spine.store() }

  private func advance() throws(SQLiteError) {
    var bytes: (UInt64, UInt8) = (0, 0)
    let key = UInt64(bitPattern: lastKey ?? 0)
    try withUnsafeMutableBytes(of: &bytes) { buffer throws(SQLiteError) in
      guard let base = buffer.baseAddress else { return }
      let size = VariableInteger.write(key, to: base)
      try spine.advance(past: UnsafeRawBufferPointer(buffer.part(0..<size)))
    }
  }

  /// Writes the rest of a record into a chain of overflow pages, and returns the first.
  private func appendOverflow(
    _ record: UnsafeRawBufferPointer,
    from start: Int,
    of leaf: UInt32
  ) throws(SQLiteError) -> UInt32 {
    let page = UnsafeMutableRawBufferPointer.allocate(
      byteCount: file.layout.pageSize,
      alignment: 16
    )
    defer { page.deallocate() }
    assert(start < record.count, "an overflow page holds a part of the record")
    let first = try file.allocate()
    try file.setPointer(of: first, .firstOverflow, leaf)
    var (number, offset) = (first, start)
    while true {
      let part = min(record.count - offset, layout.usableSize - 4)
      page.initializeMemory(as: UInt8.self, repeating: 0)
      page.part(4..<4 + part).copyMemory(from: record.part(offset..<offset + part))
      offset += part
      let isLast = offset == record.count
      let next = isLast ? 0 : try file.allocate()
      page.storeBytes(of: next.bigEndian, as: UInt32.self)
      try file.write(UnsafeRawBufferPointer(page), to: number, holding: .overflow)
      if isLast { return first }
      try file.setPointer(of: next, .overflow, number)
      number = next
    }
  }
}
