/// Finds the long records of a table without SQLite, from the lengths in its cells alone.
///
/// Overflow pages are not read. The scan holds one page for each level of the tree.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
package struct LargeRecordScan {
  private let pages: TreePages

  /// The deepest tree that SQLite allows.
  private static let depthLimit = 20

  /// A scan of a database; `nil` if the file cannot be read.
  package init?(path: String) {
    guard let pages = try? TreePages(path: path) else { return nil }
    self.pages = pages
  }

  /// Finds the records of a table that are longer than a limit, in ascending order of their keys.
  ///
  /// - Parameters:
  ///   - root: The table's root page.
  ///   - bound: The size in bytes that a record or a value must exceed.
  ///   - found: Called with every such record.
  /// - Returns: Whether the whole table could be read; if not, it is corrupt.
  package func scan(
    table root: UInt32,
    above bound: Int,
    _ found: (LargeRecord) -> Void
  ) -> Bool {
    do {
      try visit(root, above: bound, depth: 0, found)
      return true
    } catch {
      return false
    }
  }

  private func visit(
    _ page: UInt32,
    above bound: Int,
    depth: Int,
    _ found: (LargeRecord) -> Void
  ) throws(TreeDamage) {
    guard depth < Self.depthLimit else { throw TreeDamage() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pages.pageSize, alignment: 16)
    defer { buffer.deallocate() }
    try pages.read(page, into: buffer)
    let bytes = PageBytes(
      bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<pages.usableSize])
    )
    // The first page begins with the file's header.
    let start = page == 1 ? 100 : 0
    let cells = try bytes.number16(at: start + 3)
    switch try bytes.byte(at: start) {
    case 13:
      for cell in 0..<cells {
        let offset = try bytes.number16(at: start + 8 + 2 * cell)
        if let record = try record(bytes, at: offset, above: bound) { found(record) }
      }
    case 5:
      for cell in 0..<cells {
        let offset = try bytes.number16(at: start + 12 + 2 * cell)
        try visit(try bytes.number32(at: offset), above: bound, depth: depth + 1, found)
      }
      try visit(try bytes.number32(at: start + 8), above: bound, depth: depth + 1, found)
    default: throw TreeDamage()
    }
  }

  private func record(
    _ bytes: PageBytes,
    at start: Int,
    above bound: Int
  ) throws(TreeDamage) -> LargeRecord? {
    var offset = start
    let count = try bytes.variable(at: &offset)
    guard count <= UInt64(Int32.max) else { throw TreeDamage() }
    let key = Int64(bitPattern: try bytes.variable(at: &offset))
    guard count > UInt64(bound) else { return nil }
    return LargeRecord(
      key: key,
      count: Int(count),
      values: try values(bytes, at: offset, above: bound)
    )
  }

  /// The long values of a record whose header begins at an offset.
  private func values(
    _ bytes: PageBytes,
    at start: Int,
    above bound: Int
  ) throws(TreeDamage) -> [LargeRecord.Value] {
    var offset = start
    let size = try bytes.variable(at: &offset)
    guard size <= UInt64(bytes.count) else { throw TreeDamage() }
    let end = start + Int(size)
    var result: [LargeRecord.Value] = []
    var column = 0
    while offset < end {
      guard let type = SerialType(try bytes.variable(at: &offset)) else { throw TreeDamage() }
      if type.length > bound {
        let isText = type.storageClass == .text
        result.append(LargeRecord.Value(column: column, count: type.length, isText: isText))
      }
      column += 1
    }
    return result
  }
}

/// A long record of a table.
package struct LargeRecord: Hashable, Sendable {
  /// A long text or blob of the record.
  package struct Value: Hashable, Sendable {
    /// The index of its column in the record, from 0.
    package let column: Int
    /// Its size in bytes.
    package let count: Int
    /// Whether it is text.
    package let isText: Bool
  }

  /// The row id.
  package let key: Int64
  /// The size of the whole record in bytes.
  package let count: Int
  /// The values that are longer than the limit, in column order.
  package let values: [Value]
}
