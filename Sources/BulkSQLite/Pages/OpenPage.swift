/// A page of a b-tree that is being filled: cells are only added at its end.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
final class OpenPage {
  /// From 1.
  private(set) var number: UInt32
  let kind: TreePageKind
  private(set) var cells = 0
  /// The page that follows the last cell, in an interior page.
  var last: UInt32 = 0
  private let bytes: UnsafeMutableRawBufferPointer
  private let base: UnsafeMutableRawPointer
  private let usableSize: Int
  private let headerSize: Int
  private var contentStart: Int

  init(_ number: UInt32, _ kind: TreePageKind, _ layout: PageLayout) {
    self.number = number
    self.kind = kind
    usableSize = layout.usableSize
    headerSize = kind.headerSize
    contentStart = usableSize
    base = UnsafeMutableRawPointer.allocate(byteCount: layout.pageSize, alignment: 16)
    bytes = UnsafeMutableRawBufferPointer(start: base, count: layout.pageSize)
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// A page as it was stored; `nil` if it is not one that was only added to.
  convenience init?(_ number: UInt32, stored: UnsafeRawBufferPointer, _ layout: PageLayout) {
    guard stored.count == layout.pageSize, let kind = TreePageKind(rawValue: stored[0]) else {
      return nil
    }
    let (cells, start) = (Self.number16(stored, 3), Self.number16(stored, 5))
    let contentStart = start == 0 ? 65_536 : start
    guard
      Self.number16(stored, 1) == 0, stored[7] == 0, contentStart <= layout.usableSize,
      kind.headerSize + 2 * cells <= contentStart
    else { return nil }
    self.init(number, kind, layout)
    (self.cells, self.contentStart) = (cells, contentStart)
    bytes.copyMemory(from: stored)
    if !kind.isLeaf {
      last = UInt32(bigEndian: stored.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
    }
    guard cells == 0 || offset(ofCell: cells - 1) == contentStart else { return nil }
  }

  deinit { base.deallocate() }

  @inline(__always)
  func fits(_ size: Int) -> Bool {
    // All of these are at most 65,536, and a cell at most one more than its page.
    contentStart &- headerSize &- 2 &* cells >= size &+ 2
  }

  /// Adds a cell of a size in bytes, which must fit, and returns its memory.
  @inline(__always)
  func add(_ size: Int) -> UnsafeMutableRawPointer {
    precondition(fits(size), "a cell fits into its page")
    assert(size >= 4, "SQLite frees cells of 4 bytes at least")
    contentStart -= size
    let offset = UInt16(truncatingIfNeeded: contentStart).bigEndian
    base.storeBytes(of: offset, toByteOffset: headerSize + 2 * cells, as: UInt16.self)
    cells += 1
    return base + contentStart
  }

  /// The bytes of a cell to the end of the one before it.
  func cell(at index: Int) -> UnsafeRawBufferPointer {
    assert(index >= 0 && index < cells, "a page has cell \(index)")
    let end = index == 0 ? usableSize : offset(ofCell: index - 1)
    return UnsafeRawBufferPointer(bytes.part(offset(ofCell: index)..<end))
  }

  func removeLast() {
    precondition(cells > 0, "a page has a last cell")
    contentStart = cells == 1 ? usableSize : offset(ofCell: cells - 2)
    cells -= 1
  }

  func begin(_ number: UInt32) {
    (self.number, cells, last, contentStart) = (number, 0, 0, usableSize)
  }

  func move(to number: UInt32) { self.number = number }

  func stored() -> UnsafeRawBufferPointer {
    // Bytes of cells that were removed, or of a page before, may be left.
    let gap = headerSize + 2 * cells
    (base + gap).initializeMemory(as: UInt8.self, repeating: 0, count: contentStart - gap)
    base.storeBytes(of: kind.rawValue, as: UInt8.self)
    let start = UInt16(truncatingIfNeeded: contentStart).bigEndian
    base.storeBytes(of: UInt16(cells).bigEndian, toByteOffset: 3, as: UInt16.self)
    base.storeBytes(of: start, toByteOffset: 5, as: UInt16.self)
    if !kind.isLeaf { base.storeBytes(of: last.bigEndian, toByteOffset: 8, as: UInt32.self) }
    return UnsafeRawBufferPointer(bytes)
  }

  private func offset(ofCell index: Int) -> Int {
    Self.number16(UnsafeRawBufferPointer(bytes), headerSize + 2 * index)
  }

  private static func number16(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }
}
