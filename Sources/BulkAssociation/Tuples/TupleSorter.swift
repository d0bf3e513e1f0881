/// Sorts any number of tuples in the memory of a ``LinkScratch``.
///
/// The collected tuples become a sorted run whenever the memory is used up; runs are kept on disk and merged.
package final class TupleSorter {
  /// The number of tuples at which the full capacity is reserved.
  private static let fewTuples = 1024
  /// The memory for each tuple, in bytes: its own, and that for sorting it.
  private static let tupleMemory =
    MemoryLayout<NumberTuple>.stride + 2 * MemoryLayout<UInt64>.stride + MemoryLayout<UInt32>.stride

  private let scratch: LinkScratch
  /// The number of tuples collected before they become a run.
  private let capacity: Int
  private var tuples: ContiguousArray<NumberTuple> = []
  private var runs: TupleRuns?

  /// Prepares to sort.
  package init(in scratch: LinkScratch) {
    self.scratch = scratch
    capacity = min(scratch.memory / Self.tupleMemory, Int(UInt32.max))
  }

  /// Adds a tuple.
  package func add(_ tuple: NumberTuple) throws(AssociationError) {
    if tuples.count == capacity { try spill() }
    // Growing by doubling would exceed the memory limit.
    if tuples.count == Self.fewTuples { tuples.reserveCapacity(capacity) }
    tuples.append(tuple)
  }

  /// The tuples in their order; nothing may be added afterwards.
  package func sorted() throws(AssociationError) -> SortedTuples {
    guard runs != nil else { return SortedTuples(arranged()) }
    try spill()
    tuples = []
    var runs = self.runs
    while let more = runs, more.count > TupleRuns.mergedAtOnce { runs = try more.merged() }
    let merge = try TupleMerge(runs?.readers() ?? [])
    return SortedTuples { () throws(AssociationError) in try merge.next() }
  }

  private func spill() throws(AssociationError) {
    if runs == nil { runs = try TupleRuns(scratch) }
    try runs?.append(arranged())
    tuples.removeAll(keepingCapacity: true)
  }

  /// The collected tuples in order, one after the other.
  private func arranged() -> () throws(AssociationError) -> NumberTuple? {
    let arrangement = TupleArrangement(of: tuples)
    var place = 0
    return { [self] () throws(AssociationError) in
      guard place < tuples.count else { return nil }
      defer { place += 1 }
      return tuples[Int(arrangement.indexes[place])]
    }
  }
}

/// Tuples in their order.
package final class SortedTuples {
  private let following: () throws(AssociationError) -> NumberTuple?

  init(_ following: @escaping () throws(AssociationError) -> NumberTuple?) {
    self.following = following
  }

  /// The next tuple; `nil` after the last.
  package func next() throws(AssociationError) -> NumberTuple? { try following() }
}

/// Four numbers, ordered by the first, then by the second, and so on.
package struct NumberTuple: Hashable, Sendable {
  package var first: UInt64
  package var second: UInt64
  package var third: UInt64
  package var fourth: UInt64

  package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64 = 0) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
  }

  /// Whether a tuple precedes another.
  func precedes(_ other: NumberTuple) -> Bool {
    if first != other.first { return first < other.first }
    if second != other.second { return second < other.second }
    if third != other.third { return third < other.third }
    return fourth < other.fourth
  }
}

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
