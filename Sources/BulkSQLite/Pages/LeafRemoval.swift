internal import BulkPlatform

/// Takes pages out of the tree of a table, with all that is below them, in a copy of a database that is only read afterwards.
///
/// The pages above them are written again without them. The pages themselves stay in the file
/// without references.
package final class LeafRemoval {
  private let pages: TreePages
  private let path: String
  private let descriptor: Int32
  private let removed: Set<UInt32>

  private init(_ leaves: [UnreadableSubtree], path: String) throws {
    pages = try TreePages(SourceFile(path: path))
    self.path = path
    removed = Set(leaves.map(\.page))
    descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      throw PositionalWriting.failure("it cannot be opened", path: path)
    }
  }

  deinit { close(descriptor) }

  /// Takes pages out of a table, and makes its indexes again; the root and pages below one another
  /// are not allowed.
  ///
  /// - Throws: ``SQLiteError`` if the copy cannot be read or written; it is of no use then.
  package static func remove(
    _ pages: [UnreadableSubtree],
    from table: String,
    in path: String
  ) throws(SQLiteError) {
    let connection = try Connection(path: path, access: .readWrite)
    guard let root = try connection.root(ofTable: table) else {
      throw SQLiteError(.corrupt, message: "it has no table \(table)", path: path)
    }
    do {
      let removal = try LeafRemoval(pages, path: path)
      if try !removal.prune(root) { try removal.writeEmptyLeaf(root) }
    } catch let error as SQLiteError {
      throw error
    } catch {
      throw SQLiteError(.corrupt, message: "it is damaged: the tree of table \(table)", path: path)
    }
    try connection.execute("PRAGMA main.journal_mode = OFF")
    try connection.execute("PRAGMA main.synchronous = OFF")
    try connection.execute("REINDEX main.\(SQLText.quoted(table))")
  }

  /// Takes the removed pages out below a page, and returns whether anything is left there.
  private func prune(_ page: UInt32) throws -> Bool {
    let branch = try TableBranch(page, in: pages)
    var left: [TableBranch.Child] = []
    for child in branch.children {
      let isLeft =
        try !removed.contains(child.page) && (branch.areLeaves || prune(child.page))
      if isLeft { left.append(child) }
    }
    guard left.count < branch.children.count else { return true }
    guard let last = left.last else { return false }
    if left.count == 1 {
      // SQLite reads no page without keys: the only child takes the place of the page.
      try pages.read(last.page, into: pages.buffer)
      try write(pages.buffer, to: page)
    } else {
      try write(left.dropLast(), last: last.page, to: page)
    }
    return true
  }

  private func write(
    _ children: ArraySlice<TableBranch.Child>,
    last: UInt32,
    to page: UInt32
  ) throws {
    try write(.tableInterior, to: page) { bytes in
      var end = pages.usableSize
      for (index, child) in children.enumerated() {
        let key = UInt64(bitPattern: child.key ?? .max)
        end -= 4 + VariableInteger.size(key)
        // Cells that share bytes in a corrupt page may need more room than it has.
        guard end >= 12 + 2 * children.count else { throw TreeDamage() }
        Self.put(child.page, to: bytes, at: end)
        if let base = bytes.baseAddress { VariableInteger.write(key, to: base + end + 4) }
        Self.put(UInt16(end), to: bytes, at: 12 + 2 * index)
      }
      Self.put(UInt16(children.count), to: bytes, at: 3)
      Self.put(UInt16(truncatingIfNeeded: end), to: bytes, at: 5)
      Self.put(last, to: bytes, at: 8)
    }
  }

  private func writeEmptyLeaf(_ page: UInt32) throws {
    try write(.tableLeaf, to: page) { bytes in
      Self.put(UInt16(truncatingIfNeeded: pages.usableSize), to: bytes, at: 5)
    }
  }

  private func write(
    _ kind: TreePageKind,
    to page: UInt32,
    _ fill: (UnsafeMutableRawBufferPointer) throws -> Void
  ) throws {
    let buffer = pages.buffer
    buffer.initializeMemory(as: UInt8.self, repeating: 0)
    buffer[0] = kind.rawValue
    try fill(buffer)
    try write(buffer, to: page)
  }

  private static func put<Number: FixedWidthInteger>(
    _ number: Number,
    to bytes: UnsafeMutableRawBufferPointer,
    at place: Int
  ) {
    bytes.storeBytes(of: number.bigEndian, toByteOffset: place, as: Number.self)
  }

  private func write(_ bytes: UnsafeMutableRawBufferPointer, to page: UInt32) throws {
    let bytes = UnsafeRawBufferPointer(bytes)
    guard PositionalWriting.write(bytes, to: descriptor, at: pages.offset(of: page)) else {
      throw PositionalWriting.failure("it cannot be written", path: path)
    }
  }
}
