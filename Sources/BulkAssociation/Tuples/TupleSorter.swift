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
