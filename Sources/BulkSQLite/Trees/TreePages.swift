/// The pages of a database with its log applied.
final class TreePages {
  let layout: PageLayout
  private let file: ReadOnlyFile
  private let ahead: ReadAhead
  let pageCount: Int64
  /// The buffer for one page, for readers of single pages.
  let buffer: UnsafeMutableRawBufferPointer

  init(_ source: SourceFile) throws(TreeDamage) {
    guard let file = try? source.reading() else { throw TreeDamage() }
    let header = UnsafeMutableRawBufferPointer.allocate(
      byteCount: PageLayout.headerSize,
      alignment: 8
    )
    defer { header.deallocate() }
    guard file.read(into: header, at: 0) == header.count,
      let layout = PageLayout(header: UnsafeRawBufferPointer(header))
    else { throw TreeDamage() }
    (self.file, self.layout) = (file, layout)
    ahead = ReadAhead { file.read(into: $0, at: $1) }
    pageCount = file.size / Int64(layout.pageSize)
    buffer = .allocate(byteCount: layout.pageSize, alignment: 16)
  }

  deinit { buffer.deallocate() }

  var pageSize: Int { layout.pageSize }
  var usableSize: Int { layout.usableSize }

  func offset(of page: UInt32) -> Int64 { (Int64(page) - 1) * Int64(pageSize) }

  /// Reads the beginning of a page, up to the size of a buffer or of the page.
  func read(_ page: UInt32, into buffer: UnsafeMutableRawBufferPointer) throws(TreeDamage) {
    guard page >= 1, Int64(page) <= pageCount, buffer.count <= pageSize,
      file.read(into: buffer, at: offset(of: page)) == buffer.count
    else { throw TreeDamage() }
  }

  /// Reads a whole page, and those behind it ahead where pages are read in the order of the file.
  func readAhead(_ page: UInt32, into buffer: UnsafeMutableRawBufferPointer) throws(TreeDamage) {
    guard page >= 1, Int64(page) <= pageCount,
      ahead.read(into: buffer, at: offset(of: page)) == buffer.count
    else { throw TreeDamage() }
  }

  /// A page in ``buffer``, as it is on the disk.
  func page(_ page: UInt32) throws(TreeDamage) -> TreePage {
    try read(page, into: buffer)
    return try TreePage(page, buffer, layout)
  }
}

/// A page of a b-tree as it was read.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
struct TreePage {
  let number: UInt32
  let kind: TreePageKind
  /// The number of cells as the page states it.
  let cells: Int
  let bytes: PageBytes
  /// The offset of its header: the first page begins with the file's.
  let start: Int
  private let mask: Int

  /// A page whose cells are in some bytes; masked offsets of cells lead back into the page, as SQLite reads them.
  init(
    _ number: UInt32,
    _ bytes: UnsafeRawBufferPointer,
    isMasked: Bool = false
  ) throws(TreeDamage) {
    (self.number, self.bytes) = (number, PageBytes(bytes: bytes))
    mask = isMasked ? bytes.count - 1 : .max
    start = number == 1 ? PageLayout.headerSize : 0
    guard let kind = TreePageKind(rawValue: try self.bytes.byte(at: start)) else {
      throw TreeDamage()
    }
    self.kind = kind
    cells = try self.bytes.number16(at: start + 3)
  }

  init(
    _ number: UInt32,
    _ page: UnsafeMutableRawBufferPointer,
    _ layout: PageLayout
  ) throws(TreeDamage) {
    try self.init(number, UnsafeRawBufferPointer(page.part(0..<layout.usableSize)))
  }

  func offset(ofCell index: Int) throws(TreeDamage) -> Int {
    try bytes.number16(at: start + kind.headerSize + 2 * index) & mask
  }

  /// The child behind all cells of an interior page.
  func lastChild() throws(TreeDamage) -> UInt32 { try bytes.number32(at: start + 8) }
}

/// The error for an invalid page or record; callers do not need the reason.
struct TreeDamage: Error {}

/// Bytes of a page; every access is bounds-checked.
struct PageBytes {
  let bytes: UnsafeRawBufferPointer

  func byte(at offset: Int) throws(TreeDamage) -> UInt8 {
    guard offset >= 0, offset < bytes.count else { throw TreeDamage() }
    return bytes[offset]
  }

  /// A big-endian number of two bytes.
  func number16(at offset: Int) throws(TreeDamage) -> Int {
    guard offset >= 0, offset <= bytes.count - 2 else { throw TreeDamage() }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  /// A big-endian number of four bytes.
  func number32(at offset: Int) throws(TreeDamage) -> UInt32 {
    guard offset >= 0, offset <= bytes.count - 4 else { throw TreeDamage() }
    return UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// A number of one to nine bytes; moves the offset past it.
  @inline(__always)
  func variable(at offset: inout Int) throws(TreeDamage) -> UInt64 {
    let first = try byte(at: offset)
    guard first < 0x80 else { return try longVariable(at: &offset) }
    offset += 1
    return UInt64(first)
  }

  private func longVariable(at offset: inout Int) throws(TreeDamage) -> UInt64 {
    var result: UInt64 = 0
    for _ in 0..<8 {
      let byte = try byte(at: offset)
      offset += 1
      result = result << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return result }
    }
    let last = try byte(at: offset)
    offset += 1
    return result << 8 | UInt64(last)
  }

  func part(from offset: Int, count: Int) throws(TreeDamage) -> UnsafeRawBufferPointer {
    guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else {
      throw TreeDamage()
    }
    return bytes.part(offset..<offset + count)
  }
}

/// The pages of a file that were read last, for readers that come back to them; the file does not change.
final class PageCache {
  private let size: Int
  private var numbers: UnsafeMutableBufferPointer<UInt32>
  private var bytes: UnsafeMutableRawBufferPointer

  /// A cache of some size in bytes, which is allocated when the first page is read.
  init(size: Int) {
    self.size = size
    numbers = .init(start: nil, count: 0)
    bytes = .init(start: nil, count: 0)
  }

  deinit {
    numbers.deallocate()
    bytes.deallocate()
  }

  /// A page, which is read if it is not kept; it is valid until another one is asked for.
  func page(
    _ page: UInt32,
    of pages: TreePages
  ) throws(TreeDamage) -> UnsafeMutableRawBufferPointer {
    let pageSize = pages.pageSize
    if numbers.isEmpty {
      numbers = .allocate(capacity: max(1, size / pageSize))
      numbers.initialize(repeating: 0)
      bytes = .allocate(byteCount: numbers.count * pageSize, alignment: 16)
    }
    let slot = Int(page) % numbers.count
    let start = slot * pageSize
    let kept = bytes.part(start..<start + pageSize)
    if numbers[slot] != page {
      numbers[slot] = 0
      try pages.read(page, into: kept)
      numbers[slot] = page
    }
    return kept
  }
}
