/// The pages of a database that were read last, for readers that come back to them.
final class PageCache {
  /// The size of all pages in bytes.
  private static let size = 1 << 20

  private let numbers: UnsafeMutableBufferPointer<UInt32>
  private let bytes: UnsafeMutableRawBufferPointer
  private let pageSize: Int

  init(pageSize: Int) {
    self.pageSize = pageSize
    numbers = .allocate(capacity: Self.size / pageSize)
    numbers.initialize(repeating: 0)
    bytes = .allocate(byteCount: numbers.count * pageSize, alignment: 16)
  }

  deinit {
    numbers.deallocate()
    bytes.deallocate()
  }

  /// Fills a buffer with a page, which is read if it is not kept.
  func read(
    _ page: UInt32,
    of pages: TreePages,
    into target: UnsafeMutableRawBufferPointer
  ) throws(TreeDamage) {
    let slot = Int(page) % numbers.count
    let start = slot * pageSize
    let kept = UnsafeMutableRawBufferPointer(rebasing: bytes[start..<start + pageSize])
    if numbers[slot] != page {
      numbers[slot] = 0
      try pages.read(page, into: kept)
      numbers[slot] = page
    }
    target.copyMemory(from: UnsafeRawBufferPointer(kept))
  }
}
