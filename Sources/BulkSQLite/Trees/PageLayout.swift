/// How a database file is divided into pages.
///
/// Source: “The Database Header” and “Pointer Map or Ptrmap Pages”, sections 1.3 and 1.8 of SQLite's file
/// format document.
struct PageLayout: Hashable, Sendable {
  /// The size of a page in bytes.
  let pageSize: Int
  /// The bytes of a page that hold content; the rest is reserved.
  let usableSize: Int
  /// Whether every page has an entry in a pointer map, as in a file with `auto_vacuum`.
  let hasPointerMap: Bool
  /// Whether the integers 0 and 1 take no space in a record.
  let hasShortIntegers: Bool

  /// The size of the header at the beginning of the first page in bytes.
  static let headerSize = 100

  /// The layout that a file's header describes; `nil` if it is not one.
  init?(header: UnsafeRawBufferPointer) {
    guard header.count >= Self.headerSize else { return nil }
    let stated = Int(header[16]) << 8 | Int(header[17])
    pageSize = stated == 1 ? 65_536 : stated
    usableSize = pageSize - Int(header[20])
    hasPointerMap = header[52..<56].contains { $0 != 0 }
    hasShortIntegers = header[47] >= 4
    guard pageSize >= 512, pageSize.nonzeroBitCount == 1, usableSize >= 480 else { return nil }
  }

  /// The page that holds the byte at which SQLite locks files; it is never used.
  var lockBytePage: UInt32 { UInt32(1 << 30 / pageSize) + 1 }

  private var pagesPerMap: UInt32 { UInt32(usableSize / 5) + 1 }

  /// The page of the pointer map that has the entry of a page from 3 on; of itself, for a page of the map.
  func map(of page: UInt32) -> UInt32 {
    let map = (page - 2) / pagesPerMap * pagesPerMap + 2
    return map == lockBytePage ? map + 1 : map
  }

  /// Whether a page is one of the pointer map.
  func isMap(_ page: UInt32) -> Bool { hasPointerMap && page >= 2 && map(of: page) == page }

  /// The offset of the entry of a page in its page of the pointer map.
  func placeInMap(of page: UInt32) -> Int { 5 * Int(page - map(of: page) - 1) }

  /// The bytes of a record that its cell holds; the rest is in overflow pages.
  func localSize(ofRecord count: Int, inTable isTable: Bool) -> Int {
    let most = isTable ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    guard count > most else { return count }
    let least = (usableSize - 12) * 32 / 255 - 23
    let fitting = least + (count - least) % (usableSize - 4)
    return fitting <= most ? fitting : least
  }
}

/// The kind of a page of a b-tree, by its first byte.
///
/// Source: “B-tree Pages”, section 1.6 of SQLite's file format document.
enum TreePageKind: UInt8 {
  case indexInterior = 2
  case tableInterior = 5
  case indexLeaf = 10
  case tableLeaf = 13

  var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
  /// The size of the header in bytes, after which the pointers to the cells begin.
  var headerSize: Int { isLeaf ? 8 : 12 }
}

/// The pages of a database with its log applied.
final class TreePages {
  /// How the file is divided into pages.
  let layout: PageLayout
  private let file: ReadOnlyFile
  /// The number of pages.
  let pageCount: Int64

  /// - Throws: ``TreeDamage`` if the file cannot be read or its header is invalid.
  init(path: String) throws(TreeDamage) {
    do {
      file = try ReadOnlyFile(path: path)
    } catch {
      throw TreeDamage()
    }
    let header = UnsafeMutableRawBufferPointer.allocate(
      byteCount: PageLayout.headerSize,
      alignment: 8
    )
    defer { header.deallocate() }
    guard file.read(into: header, at: 0) == header.count,
      let layout = PageLayout(header: UnsafeRawBufferPointer(header))
    else { throw TreeDamage() }
    self.layout = layout
    pageCount = file.size / Int64(layout.pageSize)
  }

  /// The size of a page in bytes.
  var pageSize: Int { layout.pageSize }
  /// The usable bytes of a page.
  var usableSize: Int { layout.usableSize }

  /// Reads the file ahead for one reader.
  func readAhead() -> ReadAhead {
    let file = file
    return ReadAhead { file.read(into: $0, at: $1) }
  }

  /// Reads the beginning of a page, up to the size of a buffer or of the page.
  func read(_ page: UInt32, into buffer: UnsafeMutableRawBufferPointer) throws(TreeDamage) {
    guard page >= 1, Int64(page) <= pageCount, buffer.count <= pageSize else { throw TreeDamage() }
    let got = file.read(into: buffer, at: (Int64(page) - 1) * Int64(pageSize))
    guard got == buffer.count else { throw TreeDamage() }
  }
}

/// A page or record is invalid; callers do not need the reason.
struct TreeDamage: Error {}

/// Bytes of a page; every access is bounds-checked.
struct PageBytes {
  let bytes: UnsafeRawBufferPointer

  var count: Int { bytes.count }

  /// A byte.
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
  func variable(at offset: inout Int) throws(TreeDamage) -> UInt64 {
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

  /// A range of the bytes.
  func part(from offset: Int, count: Int) throws(TreeDamage) -> UnsafeRawBufferPointer {
    guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else {
      throw TreeDamage()
    }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
  }
}

/// The type of a field in a record.
///
/// Source: “Record Format”, section 2.1 of SQLite's file format document.
struct SerialType: Equatable {
  private let number: UInt32

  /// A type by its number; `nil` for the two reserved numbers and for lengths that no file can have.
  init?(_ number: UInt64) {
    guard number != 10, number != 11, number <= UInt64(UInt32.max) else { return nil }
    self.number = UInt32(truncatingIfNeeded: number)
  }

  static let null = SerialType(unchecked: 0)

  private init(unchecked number: UInt32) { self.number = number }

  /// The size of the value in bytes.
  var length: Int {
    // Four bits for each of the types 0 to 9: 0, 1, 2, 3, 4, 6, 8, 8, 0 and 0 bytes.
    number < 12
      ? (0x00_8864_3210 >> (4 * Int(number))) & 0xF : Int((number - 12) / 2)
  }

  /// The class of the value.
  var storageClass: Statement.StorageClass {
    if number >= 12 { return number.isMultiple(of: 2) ? .blob : .text }
    if number == 7 { return .real }
    return number == 0 ? .null : .integer
  }

  /// Decodes an integer from exactly ``length`` bytes.
  func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    integer(bytes, at: 0)
  }

  /// Decodes an integer at a position in a record, which must have ``length`` bytes there.
  func integer(_ bytes: UnsafeRawBufferPointer, at place: Int) -> Int64 {
    let length = length
    guard length > 0 else { return number == 9 ? 1 : 0 }
    let unused = Int64(64 - 8 * length)
    let end = place + length
    if end >= 8 {
      // The value is at the end of an eight-byte word; the bytes before it are shifted out.
      let word = bytes.loadUnaligned(fromByteOffset: end - 8, as: Int64.self)
      return (Int64(bigEndian: word) << unused) >> unused
    }
    var value: Int64 = 0
    for index in place..<end { value = value << 8 | Int64(bytes[index]) }
    return (value << unused) >> unused
  }
}
