/// The bytes of a record: the part in its cell, and the rest in overflow pages.
struct Payload {
  /// The bytes in the cell.
  let local: PageBytes
  /// The size of the record in bytes.
  let count: Int
  /// The first overflow page; 0 if there is none.
  let firstPage: UInt32

  /// The largest value that is fetched from overflow pages, in bytes; longer ones are not examined.
  private static let fetchLimit = 65_536

  /// Follows the overflow chain to its end.
  ///
  /// - Throws: ``TreeDamage`` if it ends early.
  func verifyChain(_ pages: TreePages) throws(TreeDamage) {
    var left = count - local.count
    var page = firstPage
    while left > 0 {
      page = try Self.next(page, pages)
      left -= pages.usableSize - 4
    }
  }

  private static func next(_ page: UInt32, _ pages: TreePages) throws(TreeDamage) -> UInt32 {
    var next: UInt32 = 0
    do {
      try withUnsafeMutableBytes(of: &next) { try pages.read(page, into: $0) }
    } catch {
      throw TreeDamage()
    }
    return UInt32(bigEndian: next)
  }

  /// Passes a range of the bytes to a body.
  ///
  /// - Throws: ``TreeDamage`` if the range is missing or too large to fetch.
  func withBytes<Value>(
    from offset: Int,
    count length: Int,
    _ pages: TreePages,
    _ body: (UnsafeRawBufferPointer) -> Value
  ) throws(TreeDamage) -> Value {
    if offset <= local.count, length <= local.count - offset {
      return body(try local.part(from: offset, count: length))
    }
    let fetched = try fetched(from: offset, count: length, pages)
    return fetched.withUnsafeBytes { body($0) }
  }

  private func fetched(
    from offset: Int,
    count length: Int,
    _ pages: TreePages
  ) throws(TreeDamage) -> [UInt8] {
    guard length <= Self.fetchLimit, offset >= 0, length <= count - offset else {
      throw TreeDamage()
    }
    var result: [UInt8] = []
    if offset < local.count {
      result += try local.part(from: offset, count: local.count - offset)
    }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pages.pageSize, alignment: 8)
    defer { buffer.deallocate() }
    var page = firstPage
    var start = local.count
    while result.count < length {
      try pages.read(page, into: buffer)
      let bytes = PageBytes(bytes: UnsafeRawBufferPointer(buffer))
      let skipped = max(0, min(offset - start, pages.usableSize - 4))
      let wanted = min(pages.usableSize - 4 - skipped, length - result.count)
      result += try bytes.part(from: 4 + skipped, count: wanted)
      page = try bytes.number32(at: 0)
      start += pages.usableSize - 4
    }
    return result
  }
}
