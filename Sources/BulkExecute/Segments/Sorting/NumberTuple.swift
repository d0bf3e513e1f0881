/// Four numbers, ordered by the first, then by the second, and so on.
package struct NumberTuple: Hashable, Sendable {
  package var first: UInt64
  package var second: UInt64
  package var third: UInt64
  package var fourth: UInt64

  package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, then fourth: UInt64 = 0) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }
}

/// A block of tuples is their bytes in the byte order of the machine.
extension NumberTuple: SortedEntry {
  package static let blockCapacity = 256
  package static let sortingMemory = 2 * MemoryLayout<UInt64>.stride + MemoryLayout<UInt32>.stride

  package func precedes(_ other: NumberTuple, in order: Void) -> Bool {
    (first, second, third, fourth) < (other.first, other.second, other.third, other.fourth)
  }

  /// As many of the first number's leading bits as fit are packed with the index into one word, and the words
  /// sorted digit by digit.
  ///
  /// Only tuples that agree in these bits are compared.
  package static func arranged(
    _ tuples: ContiguousArray<NumberTuple>,
    by order: Void
  ) -> ContiguousArray<UInt32> {
    guard tuples.count > 1 else { return ContiguousArray(tuples.indices.map { UInt32($0) }) }
    var (least, most) = (tuples[0].first, tuples[0].first)
    for tuple in tuples { (least, most) = (min(least, tuple.first), max(most, tuple.first)) }
    let indexBits = 64 - UInt64(tuples.count - 1).leadingZeroBitCount
    let width = 64 - (most - least).leadingZeroBitCount
    let dropped = UInt64(max(0, width + indexBits - 64))
    var words = ContiguousArray<UInt64>()
    words.reserveCapacity(tuples.count)
    for (index, tuple) in tuples.enumerated() {
      let leading = (tuple.first - least) >> dropped
      words.append(leading << UInt64(indexBits) | UInt64(index))
    }
    WordOrder.sort(&words, by: indexBits..<min(64, width + indexBits))
    return WordOrder.indexes(in: words, bits: indexBits) {
      tuples[$0].precedes(tuples[$1], in: order)
    }
  }

  package static func encode(_ tuples: ContiguousArray<NumberTuple>) -> [UInt8] {
    unsafe tuples.withUnsafeBytes { unsafe [UInt8]($0) }
  }

  package static func decode(_ bytes: [UInt8]) -> ContiguousArray<NumberTuple>? {
    let (count, rest) = bytes.count.quotientAndRemainder(
      dividingBy: MemoryLayout<NumberTuple>.stride
    )
    guard rest == 0, (1...blockCapacity).contains(count) else { return nil }
    return unsafe ContiguousArray(unsafeUninitializedCapacity: count) {
      unsafe UnsafeMutableRawBufferPointer($0).copyBytes(from: bytes)
      $1 = count
    }
  }
}
