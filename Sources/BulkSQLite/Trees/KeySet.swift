/// A set of keys, which can be tested for being a subset of another.
///
/// Keys that follow one another are their first and last; others are bits.
package struct KeySet: Sendable {
  /// All keys, while they follow one another.
  private var run: ClosedRange<Int64>?
  /// One bit for each key from 0 on, once there is no run.
  private var bits: [UInt64] = []
  private let largest: Int

  /// An empty set that takes some bytes at most.
  package init(within bytes: Int) { largest = 8 * max(bytes, 0) - 1 }

  package var bytes: Int { bits.capacity * MemoryLayout<UInt64>.stride }

  /// Adds a key, likely greater than those before, and returns whether there is space; negative keys have none in
  /// bits.
  @inline(__always)
  package mutating func insert(_ key: Int64) -> Bool {
    if let run {
      if key &- 1 == run.upperBound, key != .min {
        self.run = run.lowerBound...key
        return true
      }
      return run.contains(key) || endRun(run) && insertBit(key)
    }
    if bits.isEmpty {
      run = key...key
      return true
    }
    return insertBit(key)
  }

  mutating func insert(_ keys: ClosedRange<Int64>) -> Bool {
    if run == nil, bits.isEmpty {
      run = keys
      return true
    }
    for key in keys where !insert(key) { return false }
    return true
  }

  package func contains(_ key: Int64) -> Bool {
    if let run { return run.contains(key) }
    guard key >= 0, key >> 6 < bits.count else { return false }
    return bits[Int(key >> 6)] & (1 << (UInt64(key) & 63)) != 0
  }

  /// Whether the keys follow one another, those of a range among them.
  func isRun(over range: ClosedRange<Int64>) -> Bool { run?.contains(range) == true }

  package func isSubset(of other: KeySet) -> Bool {
    if let run {
      if let others = other.run { return others.contains(run) }
      return run.allSatisfy(other.contains)
    }
    for (index, word) in bits.enumerated() where word != 0 {
      if let others = other.run {
        let first = Int64(64 * index + word.trailingZeroBitCount)
        let last = Int64(64 * index + 63 - word.leadingZeroBitCount)
        guard others.contains(first...last) else { return false }
      } else {
        guard index < other.bits.count, word & ~other.bits[index] == 0 else { return false }
      }
    }
    return true
  }

  private mutating func endRun(_ run: ClosedRange<Int64>) -> Bool {
    self.run = nil
    return run.allSatisfy { insertBit($0) }
  }

  @inline(__always)
  private mutating func insertBit(_ key: Int64) -> Bool {
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
}
