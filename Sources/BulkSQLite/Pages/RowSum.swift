/// The content of a page that is written.
enum PageContent: UInt8, Sendable {
  /// Rows of a table, on a leaf of its tree.
  case rows
  /// A part of a row that is too long for its leaf.
  case overflow
  case other
  /// A page that is written later.
  case leftOut
}

/// Digests of rows, whose sum shows whether pages hold the given rows, whatever their order.
///
/// The digest of a row is over its key, the size of its record, and the bytes of it on the leaf; each overflow page has
/// a digest of its own. They reveal accidents, not intent.
enum RowSum {
  /// The digest of a row by the bits of its key, the bytes of its record, and those of them on the leaf.
  @inline(__always)
  static func digest(key: UInt64, size: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var digest = mixed(key ^ first, size ^ second)
    guard bytes.count >= 16 else { return mixed(padded(bytes), digest) }
    // Neither of two digests waits for the other.
    var (other, offset) = (digest, 0)
    while offset + 32 <= bytes.count {
      digest = mixed(words(bytes, at: offset), digest)
      other = mixed(words(bytes, at: offset + 16), other)
      offset += 32
    }
    if offset + 16 <= bytes.count { digest = mixed(words(bytes, at: offset), digest) }
    // The last words overlap those before them.
    other = mixed(words(bytes, at: bytes.count - 16), other)
    return mixed(digest ^ second, other)
  }

  /// The digest of the entry of an index, whose words lie some words apart.
  @inline(__always)
  static func digest(ofEntry words: UnsafePointer<UInt64>, stride: Int, _ width: Int) -> UInt64 {
    var digest = first
    for field in 0..<width { digest = mixed(words[field * stride] ^ digest, second) }
    return digest
  }

  /// The digest of the usable bytes of an overflow page, after the number of the next one.
  static func digest(ofOverflow bytes: UnsafeRawBufferPointer) -> UInt64 {
    digest(key: .max, size: UInt64(bytes.count), bytes)
  }

  /// The sum of the digests of everything that pages hold, one behind the other; arbitrary for pages with other
  /// contents.
  static func sum(
    of pages: UnsafeRawBufferPointer,
    holding contents: [PageContent],
    _ layout: PageLayout
  ) -> UInt64 {
    var sum: UInt64 = 0
    for index in 0..<pages.count / layout.pageSize {
      let start = index * layout.pageSize
      let page = pages.part(start..<start + layout.usableSize)
      switch contents[index] {
      case .rows: sum &+= (try? self.sum(ofLeaf: TreePage(0, page), layout)) ?? 1
      case .overflow: sum &+= digest(ofOverflow: page.part(4..<page.count))
      case .other, .leftOut: break
      }
    }
    return sum
  }

  /// The sum of the digests of a leaf's rows.
  private static func sum(
    ofLeaf page: TreePage,
    _ layout: PageLayout
  ) throws(TreeDamage) -> UInt64 {
    let bytes = page.bytes
    var sum: UInt64 = 0
    for cell in 0..<page.cells {
      var place = try page.place(ofCell: cell)
      let size = try bytes.variable(at: &place)
      let key = try bytes.variable(at: &place)
      guard size <= UInt64(Int32.max) else { throw TreeDamage() }
      let local = layout.localSize(ofRecord: Int(size), inTable: true)
      sum &+= digest(key: key, size: size, try bytes.part(from: place, count: local))
    }
    return sum
  }

  private static let first: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let second: UInt64 = 0xC2B2_AE3D_27D4_EB4F

  @inline(__always)
  private static func words(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> (UInt64, UInt64) {
    (
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
    )
  }

  @inline(__always)
  private static func padded(_ bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
    var words: (UInt64, UInt64) = (0, 0)
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: bytes) }
    return (UInt64(littleEndian: words.0), UInt64(littleEndian: words.1))
  }

  @inline(__always)
  private static func mixed(_ words: (UInt64, UInt64), _ digest: UInt64) -> UInt64 {
    mixed(words.0 ^ second, words.1 ^ digest)
  }

  @inline(__always)
  private static func mixed(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}
