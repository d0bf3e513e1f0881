/// A set of keys in bits, which tells whether every key of one set is among those of another.
package struct KeySet: Sendable {
  /// One bit for each key from 0 on.
  private var bits: [UInt64] = []
  private let largest: Int

  /// - Parameter bytes: The most bytes that it takes.
  package init(within bytes: Int) { largest = 8 * max(bytes, 0) - 1 }

  /// The bytes that it takes.
  package var bytes: Int { bits.capacity * MemoryLayout<UInt64>.stride }

  /// Adds a key, which is likely to be greater than those before.
  ///
  /// - Returns: Whether there is room for it; negative keys never have any.
  @inline(__always)
  package mutating func insert(_ key: Int64) -> Bool {
    guard key >= 0, key <= largest else { return false }
    let word = Int(key) >> 6
    if word >= bits.count {
      let size = min(max(word + 1, 2 * bits.count), largest >> 6 + 1)
      bits.reserveCapacity(size)
      bits.append(contentsOf: repeatElement(0, count: size - bits.count))
    }
    bits[word] |= 1 << (UInt64(key) & 63)
    return true
  }

  /// Whether all keys are among those of another set.
  package func isSubset(of other: KeySet) -> Bool {
    for (index, word) in bits.enumerated() where word != 0 {
      guard index < other.bits.count, word & ~other.bits[index] == 0 else { return false }
    }
    return true
  }
}
