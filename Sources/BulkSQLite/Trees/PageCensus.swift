/// Walks the b-trees of a database without SQLite, and refuses a page that it has visited before.
///
/// SQLite follows a page every time it is referenced. Pages that share children take no space, but each
/// level of sharing multiplies the work: a walk that succeeds here takes time linear in the size of the
/// file. The same applies to overflow pages, which are not read but counted. Anything that SQLite itself
/// refuses is not followed.
///
/// The census holds one bit for every page of the file, one page for each level of a tree, and what is read
/// ahead.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
package struct PageCensus: ~Copyable {
  /// What is wrong with a page.
  package enum Fault: Error, Hashable, Sendable {
    /// Several pages reference it.
    case shared(UInt32)
    /// It holds the beginning of a value that needs more pages than are left.
    case tooLong(UInt32)
    /// A child pointer in it extends past its end.
    case malformed(UInt32)
    /// The census was stopped.
    case stopped
  }

  private let pages: TreePages
  private let ahead: ReadAhead
  private let isStopped: () -> Bool
  private let willRead: (Int64) -> Void
  /// The visited pages, one bit each.
  private var met: [UInt64]
  /// The number of pages left for overflow chains.
  private var pagesLeft: Int64
  private var pagesRead = 0
  /// What the table holds that is walked; `nil` for an index, and where anything was not as usual.
  private var contents: TableContents?
  /// Called with a key of the table that is walked, through which its rows were read; `nil` for an index.
  private var didRead: ((Int64) -> Void)?
  /// The number of pages read when it was called last.
  private var pagesNoted = 0

  /// The deepest tree that SQLite allows.
  private static let depthLimit = 20
  private static let pagesBetweenChecks = 256
  /// The bytes of pages after which it is told how far a table is read.
  private static let bytesBetweenNotes = 16 << 20

  /// A census of a database; `nil` if the file cannot be read.
  ///
  /// - Parameters:
  ///   - path: The database.
  ///   - isStopped: Called every few hundred pages; returns whether to stop.
  ///   - willRead: Called with the offset of every page before it is read.
  package init?(
    path: String,
    isStopped: @escaping () -> Bool = { false },
    willRead: @escaping (Int64) -> Void = { _ in }
  ) {
    guard let pages = try? TreePages(path: path) else { return nil }
    self.pages = pages
    ahead = pages.readAhead()
    self.isStopped = isStopped
    self.willRead = willRead
    pagesLeft = pages.pageCount
    met = Array(repeating: 0, count: Int(pages.pageCount / 64) + 1)
  }

  /// The size in bytes of a census of a number of pages.
  package static func bytes(ofPages count: Int64, of pageSize: Int) -> Int64 {
    count / 8 + Int64(depthLimit * pageSize + ReadAhead.size)
  }

  /// Walks a tree.
  ///
  /// - Throws: The first ``Fault``.
  package mutating func take(root: UInt32) throws(Fault) { try visit(root, depth: 0) }

  /// Walks the tree of a table.
  ///
  /// - Parameters:
  ///   - root: The root page.
  ///   - column: The column whose integers are counted, from 0 as in the record; `nil` for none.
  ///   - didRead: Called after some mebibytes with a key through which the rows are read.
  /// - Returns: What the table holds; `nil` if anything in it is not as SQLite usually leaves it.
  /// - Throws: The first ``Fault``.
  package mutating func contents(
    ofTable root: UInt32,
    counting column: Int?,
    didRead: @escaping (Int64) -> Void = { _ in }
  ) throws(Fault) -> TableContents? {
    contents = TableContents(counting: column)
    (self.didRead, pagesNoted) = (didRead, pagesRead)
    defer { (contents, self.didRead) = (nil, nil) }
    try visit(root, depth: 0)
    return contents
  }

  private mutating func visit(_ page: UInt32, depth: Int) throws(Fault) {
    guard depth < Self.depthLimit, page >= 1, Int64(page) <= pages.pageCount else {
      contents = nil
      return
    }
    try meet(page)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pages.pageSize, alignment: 16)
    defer { buffer.deallocate() }
    let offset = (Int64(page) - 1) * Int64(pages.pageSize)
    willRead(offset)
    guard ahead.read(into: buffer, at: offset) == buffer.count else {
      contents = nil
      return
    }
    let bytes = UnsafeRawBufferPointer(buffer)
    // The first page begins with the file's header.
    let start = page == 1 ? 100 : 0
    let cells = Self.number16(bytes, start + 3)
    guard cells <= (pages.pageSize - 8) / 6 else {
      contents = nil
      return
    }
    switch bytes[start] {
    case 2, 5: try visitInterior(page, bytes, at: start, cells: cells, depth: depth)
    case 10, 13:
      if bytes[start] == 10 { contents = nil }
      for cell in 0..<cells {
        let place = place(bytes, start + 8 + 2 * cell)
        note(bytes, at: place)
        try addValue(of: page, bytes, at: place)
      }
    default: contents = nil
    }
  }

  /// Notes the row of a cell.
  private mutating func note(_ bytes: UnsafeRawBufferPointer, at place: Int) {
    guard contents != nil else { return }
    let usable = UnsafeRawBufferPointer(rebasing: bytes[..<pages.usableSize])
    do {
      try contents?.add(PageBytes(bytes: usable), at: place, pages.layout)
    } catch {
      contents = nil
    }
  }

  /// Tells how far a table is read, when the child before a key is.
  private mutating func note(_ bytes: UnsafeRawBufferPointer, keyAt place: Int) {
    guard let didRead, (pagesRead - pagesNoted) * pages.pageSize >= Self.bytesBetweenNotes else {
      return
    }
    var offset = place
    guard let key = try? PageBytes(bytes: bytes).variable(at: &offset) else { return }
    pagesNoted = pagesRead
    didRead(Int64(bitPattern: key))
  }

  private mutating func meet(_ page: UInt32) throws(Fault) {
    if pagesRead.isMultiple(of: Self.pagesBetweenChecks), isStopped() { throw .stopped }
    pagesRead += 1
    let (word, bit) = (Int(page / 64), UInt64(1) << UInt64(page % 64))
    guard met[word] & bit == 0 else { throw .shared(page) }
    met[word] |= bit
  }

  private mutating func visitInterior(
    _ page: UInt32,
    _ bytes: UnsafeRawBufferPointer,
    at start: Int,
    cells: Int,
    depth: Int
  ) throws(Fault) {
    let isIndex = bytes[start] == 2
    if isIndex { contents = nil }
    for cell in 0..<cells {
      let place = place(bytes, start + 12 + 2 * cell)
      guard place <= bytes.count - 4 else { throw .malformed(page) }
      try visit(Self.number32(bytes, place), depth: depth + 1)
      if isIndex {
        try addValue(of: page, bytes, at: place + 4)
      } else {
        note(bytes, keyAt: place + 4)
      }
    }
    try visit(Self.number32(bytes, start + 8), depth: depth + 1)
  }

  /// The offset of a cell; like SQLite, this masks pointers that lead outside the page.
  private func place(_ bytes: UnsafeRawBufferPointer, _ pointer: Int) -> Int {
    guard pointer <= bytes.count - 2 else { return bytes.count }
    return Self.number16(bytes, pointer) & (pages.pageSize - 1)
  }

  /// Counts the overflow pages of a cell's record.
  private mutating func addValue(
    of page: UInt32,
    _ bytes: UnsafeRawBufferPointer,
    at start: Int
  ) throws(Fault) {
    var offset = start
    guard let stated = try? PageBytes(bytes: bytes).variable(at: &offset) else { return }
    let count = Int(UInt32(truncatingIfNeeded: stated))
    let usable = pages.usableSize
    let isTable = bytes[page == 1 ? 100 : 0] == 13
    let rest = count - pages.layout.localSize(ofRecord: count, inTable: isTable)
    guard rest > 0 else { return }
    pagesLeft -= Int64((rest + usable - 5) / (usable - 4))
    guard pagesLeft >= 0 else { throw .tooLong(page) }
  }

  private static func number16(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  private static func number32(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
