internal import BulkSupport

/// A share of all keys, which depends on the keys alone: a key that is taken once is taken always, whatever
/// other rows there are, as long as the share is the same.
///
/// Keys are taken in blocks of ``blockKeys``, so that a small share reads few pages. The share of a
/// small table is greater, see ``covering(_:)``, so that every table is sampled.
package struct KeySample: Hashable, Sendable {
  /// From 0 to 1.
  package let share: Double
  /// The hashes below which a block is taken.
  private let limit: UInt64

  static let blockKeys: Int64 = 32

  package init(share: Double) {
    self.share = share
    limit = share >= 1 ? .max : UInt64(max(share, 0) * 0x1p63) << 1
  }

  /// Approximate.
  package static let leastRows: Int64 = 256

  /// The sample of a table with that many rows: the same, or one of about ``leastRows`` where that is more.
  func covering(_ rows: Int64) -> KeySample {
    guard rows > Self.leastRows else { return KeySample(share: 1) }
    let least = Double(Self.leastRows) / Double(rows)
    return least > share ? KeySample(share: least) : self
  }

  /// The block of a key: all keys that are equal after a division by ``blockKeys``, rounded down.
  static func block(of key: Int64) -> ClosedRange<Int64> {
    let first = key & ~(blockKeys - 1)
    return first...(first + (blockKeys - 1))
  }

  func takes(_ block: ClosedRange<Int64>) -> Bool {
    let mix = RandomMix.mixed(UInt64(bitPattern: block.lowerBound), with: 0)
    return mix < limit || limit == .max
  }

  /// The first key of the next block that is taken; `nil` if there is none up to a key.
  func firstBlock(after block: ClosedRange<Int64>, upTo highest: Int64) -> Int64? {
    var last = block
    while last.upperBound < highest {
      last = Self.block(of: last.upperBound + 1)
      if takes(last) { return last.lowerBound }
    }
    return nil
  }
}
