/// The pages of a file that were read last, for readers that come back to them; the file does not change.
final class PageCache {
  /// The size of all pages in bytes.
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
