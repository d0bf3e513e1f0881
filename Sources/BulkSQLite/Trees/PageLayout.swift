/// The division of a database file into pages.
///
/// Source: “The Database Header” and “Pointer Map or Ptrmap Pages”, sections 1.3 and 1.8 of
/// SQLite's file format document.
struct PageLayout: Hashable, Sendable {
  let pageSize: Int
  /// The bytes of a page that hold content; the rest is reserved.
  let usableSize: Int
  /// Whether every page has an entry in a pointer map, as in a file with `auto_vacuum`.
  let hasPointerMap: Bool
  /// Whether the integers 0 and 1 take no space in a record.
  let hasShortIntegers: Bool

  static let headerSize = 100

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

  func isMap(_ page: UInt32) -> Bool { hasPointerMap && page >= 2 && map(of: page) == page }

  /// The offset of the entry of a page in its page of the pointer map.
  func offsetInMap(of page: UInt32) -> Int { 5 * Int(page - map(of: page) - 1) }

  /// The bytes of a record that its cell holds; the rest is in overflow pages.
  func localSize(ofRecord count: Int, inTable isTable: Bool) -> Int {
    let most = isTable ? usableSize - 35 : (usableSize - 12) * 64 / 255 - 23
    guard count > most else { return count }
    let least = (usableSize - 12) * 32 / 255 - 23
    let fitting = least + (count - least) % (usableSize - 4)
    return fitting <= most ? fitting : least
  }
}

/// The use of a page, as its entry in the pointer map states it.
enum PageUse: UInt8 {
  case root = 1
  case free = 2
  /// The first overflow page of a cell in the page that the entry names.
  case firstOverflow = 3
  /// The overflow page after the one that the entry names.
  case overflow = 4
  /// A page of a b-tree, and not its root; the entry names the page above.
  case tree = 5
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
  var isOfTable: Bool { self == .tableLeaf || self == .tableInterior }
  var headerSize: Int { isLeaf ? 8 : 12 }
}
