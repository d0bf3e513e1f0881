/// The keys of a source table in blocks of a fixed number, in which several tables are filled in turn.
///
/// The order of the pages that are written depends on the blocks alone, not on the sizes of batches; and a block is small
/// enough that the system still holds what one transfer read when the next one reads it.
enum KeyBlock {
  /// The number of keys in a block, a power of 2.
  static let keys: Int64 = 1 << 14

  /// The last key of the block of a key.
  static func end(of key: Int64) -> Int64 { key | (keys - 1) }

  /// The parts of a range that lie in one block each, in ascending order.
  static func parts(
    of range: ClosedRange<Int64>
  ) -> UnfoldSequence<ClosedRange<Int64>, ClosedRange<Int64>?> {
    sequence(state: range) { rest in
      guard let left = rest else { return nil }
      let last = min(end(of: left.lowerBound), left.upperBound)
      rest = last < left.upperBound ? (last + 1)...left.upperBound : nil
      return left.lowerBound...last
    }
  }
}
