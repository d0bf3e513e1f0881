/// Merges sorted runs of tuples.
final class TupleMerge {
  private let readers: [TupleRunReader]
  /// The next tuple of each reader.
  private var heads: ContiguousArray<NumberTuple> = []
  /// The readers that are not at their end, as a heap: none comes before the one at half its index.
  private var heap: ContiguousArray<Int> = []

  init(_ all: [TupleRunReader]) throws(AssociationError) {
    var readers: [TupleRunReader] = []
    for reader in all {
      guard let tuple = try reader.next() else { continue }
      readers.append(reader)
      heads.append(tuple)
    }
    self.readers = readers
    heap = ContiguousArray(readers.indices)
    for place in heap.indices.reversed() { sink(place) }
  }

  /// The next tuple; `nil` after the last.
  func next() throws(AssociationError) -> NumberTuple? {
    guard let first = heap.first else { return nil }
    let tuple = heads[first]
    if let following = try readers[first].next() {
      heads[first] = following
    } else if let last = heap.popLast(), !heap.isEmpty {
      heap[0] = last
    }
    sink(0)
    return tuple
  }

  /// Moves a reader down the heap until none below it comes before it.
  private func sink(_ start: Int) {
    guard start < heap.count else { return }
    let reader = heap[start]
    var place = start
    while true {
      var below = 2 * place + 1
      guard below < heap.count else { break }
      if below + 1 < heap.count, heads[heap[below + 1]].precedes(heads[heap[below]]) {
        below += 1
      }
      guard heads[heap[below]].precedes(heads[reader]) else { break }
      heap[place] = heap[below]
      place = below
    }
    heap[place] = reader
  }
}
