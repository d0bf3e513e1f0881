/// The order of tuples in memory, which stay where they are.
///
/// As many of the first number's leading bits as fit are packed with the index into one word, and the words
/// sorted digit by digit. Only tuples that agree in these bits are compared.
struct TupleArrangement {
  /// The indexes of the tuples in their order.
  let indexes: ContiguousArray<UInt32>

  init(of tuples: ContiguousArray<NumberTuple>) {
    guard tuples.count > 1 else {
      indexes = ContiguousArray(tuples.indices.map { UInt32($0) })
      return
    }
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
    indexes = Self.indexes(in: words, indexBits, tuples)
  }

  /// The indexes in sorted words; tuples that agree in the rest of the word are compared.
  private static func indexes(
    in words: ContiguousArray<UInt64>,
    _ indexBits: Int,
    _ tuples: ContiguousArray<NumberTuple>
  ) -> ContiguousArray<UInt32> {
    let mask = ~(UInt64.max << UInt64(indexBits))
    var indexes = ContiguousArray(words.lazy.map { UInt32($0 & mask) })
    var start = 0
    for place in 1...words.count
    where place == words.count || (words[place] ^ words[start]) & ~mask != 0 {
      if place - start > 1 {
        indexes[start..<place].sort { tuples[Int($0)].precedes(tuples[Int($1)]) }
      }
      start = place
    }
    return indexes
  }
}
