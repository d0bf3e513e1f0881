/// The bytes of a page that are in use, each by one cell or free block.
final class PageCoverage {
  private let words: UnsafeMutableBufferPointer<UInt64>
  /// The number of bytes that are covered.
  private(set) var count = 0

  init(pageSize: Int) { words = .allocate(capacity: pageSize / 64 + 1) }

  deinit { words.deallocate() }

  func clear() {
    words.initialize(repeating: 0)
    count = 0
  }

  /// Covers a range of bytes within the page.
  ///
  /// - Throws: ``TreeDamage`` if one of them is covered already.
  @inline(__always)
  func cover(_ start: Int, _ end: Int) throws(TreeDamage) {
    count += end - start
    var (word, first) = (start / 64, start % 64)
    var left = end - start
    while left > 0 {
      let part = min(left, 64 - first)
      let mask = (UInt64.max &>> UInt64(64 - part)) &<< UInt64(first)
      guard words[word] & mask == 0 else { throw TreeDamage() }
      words[word] |= mask
      left -= part
      word += 1
      first = 0
    }
  }
}
